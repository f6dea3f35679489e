import { expect, it, onTestFinished } from 'vitest';
import { createConnector, openSingleUse } from '../../../src/core/gateway/connections.ts';
import { jsonScript, startScriptedHttp } from '../../support/scripted-http.ts';

it('a single-use connection refuses a second request, so nothing below can send one again', {
  tags: ['F14'],
}, async () => {
  const service = await startScriptedHttp(jsonScript(200, {}));
  onTestFinished(() => service.stop());
  const connection = openSingleUse(service.baseUrl, createConnector(5_000));
  onTestFinished(() => connection.close());
  const send = async () => {
    const { body } = await connection.dispatcher.request({ path: '/', method: 'POST', body: '{}' });
    await body.dump();
  };
  await send();
  await expect(send()).rejects.toThrow('A connection connects only once');
  expect([service.requests.length, service.connections]).toEqual([1, 1]);
});
