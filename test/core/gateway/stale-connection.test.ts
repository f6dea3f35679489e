import { Agent, request } from 'node:http';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  httpAnswer,
  jsonScript,
  type ScriptedHttp,
  startScriptedHttp,
} from '../../support/scripted-http.ts';
import { accepted, gatewayTo, paymentRequest } from './scripted-gateway.ts';

/** Answers the first request on each connection, and resets the connection at the second. */
let service: ScriptedHttp;

beforeEach(async () => {
  const answered = new Set<object>();
  const stale = await startScriptedHttp((socket) => {
    if (answered.has(socket)) return void socket.resetAndDestroy();
    answered.add(socket);
    socket.write(httpAnswer(200, JSON.stringify(accepted), { connection: 'keep-alive' }));
  });
  service = stale;
  onTestFinished(() => stale.stop());
});

const viaNode = (agent: Agent): Promise<number | string> =>
  new Promise((resolve) => {
    const { port } = service;
    request({ port, agent, method: 'POST', path: '/make_payment' }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    })
      .on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
      .end('{}');
  });

const viaFetch = async (): Promise<number | string> => {
  try {
    const response = await fetch(`${service.baseUrl}/make_payment`, { method: 'POST', body: '{}' });
    await response.text();
    return response.status;
  } catch (error) {
    const { cause } = error as { cause?: NodeJS.ErrnoException };
    return cause?.code ?? String(error);
  }
};

describe('a kept connection that has gone stale', { tags: ['F14'] }, () => {
  it('loses a POST of node:http, which is not sent again behind our back', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    expect([await viaNode(agent), await viaNode(agent)]).toEqual([200, 'ECONNRESET']);
    expect([service.requests.length, service.connections]).toEqual([2, 1]);
  });

  it('loses a POST of fetch, which is not sent again behind our back', async () => {
    const answers: (number | string)[] = [];
    // It keeps several connections; sooner or later one of them is used again.
    while (!answers.includes('UND_ERR_SOCKET') && !answers.includes('ECONNRESET')) {
      expect(answers.length).toBeLessThan(20);
      answers.push(await viaFetch());
    }
    expect(service.requests).toHaveLength(answers.length);
    expect(answers.filter((answer) => answer === 200)).toHaveLength(answers.length - 1);
    expect(service.connections).toBeLessThan(answers.length);
  });

  it('is never used for a payment: each has a connection of its own', async () => {
    const gateway = gatewayTo(service.baseUrl);
    await gateway.checkStatus('PT7K3M9Q2XWZ', 'background');
    for (let payment = 0; payment < 3; payment++)
      expect(await gateway.makePayment(paymentRequest)).toMatchObject({ kind: 'accepted' });
    expect([service.requests.length, service.connections]).toEqual([4, 4]);
    for (const { headers } of service.requests.slice(1))
      expect(headers['connection']).toBe('close');
  });

  it('loses a question once, which is asked again on a new connection', async () => {
    const gateway = gatewayTo(service.baseUrl);
    for (let question = 0; question < 3; question++)
      expect(await gateway.checkBalance()).toMatchObject({ answer: { code: '202' } });
    // The second and the third were lost on the connection of the question before.
    expect([service.requests.length, service.connections]).toEqual([5, 3]);
  });

  it('lets a question be asked twice at most, and only once more within its time', async () => {
    const gateway = gatewayTo(service.baseUrl, { timeoutMs: 500 });
    await gateway.checkBalance();
    service.script = (socket) => void socket.resetAndDestroy();
    expect(await gateway.checkBalance()).toMatchObject({ kind: 'noAnswer' });
    expect([service.requests.length, service.connections]).toEqual([3, 2]);

    service.script = jsonScript(200, accepted);
    await gateway.checkBalance();
    service.script = () => undefined;
    expect(await gateway.checkBalance()).toMatchObject({
      reason: 'No answer came within 0.5 seconds.',
    });
    expect([service.requests.length, service.connections]).toEqual([5, 3]);
  });
});

describe('a kept connection', () => {
  it('carries one question after the other, and as many are kept as were asked at once', async () => {
    service.script = jsonScript(200, accepted);
    const gateway = gatewayTo(service.baseUrl);
    for (let question = 0; question < 3; question++) await gateway.checkBalance();
    expect([service.requests.length, service.connections]).toEqual([3, 1]);
    for (let round = 0; round < 2; round++)
      await Promise.all(Array.from({ length: 5 }, () => gateway.checkBalance()));
    expect([service.requests.length, service.connections]).toEqual([13, 5]);
  });

  it('is not used again after an answer that broke off', async () => {
    service.script = (socket) => void socket.end(httpAnswer(200, 'abcdef').subarray(0, -3));
    const gateway = gatewayTo(service.baseUrl);
    for (let question = 0; question < 3; question++)
      expect(await gateway.checkBalance()).toMatchObject({ kind: 'noAnswer' });
    expect([service.requests.length, service.connections]).toEqual([3, 3]);
  });
});

describe('an answer', () => {
  it('is read up to 64 KiB and not a byte further', { tags: ['F8'] }, async () => {
    const body = JSON.stringify(accepted);
    const largest = 64 * 1024;
    for (const [bytes, kind] of [
      [largest, 'accepted'],
      [largest + 1, 'unknown'],
    ] as const) {
      service.script = (socket) => void socket.end(httpAnswer(200, body.padEnd(bytes)));
      expect(await gatewayTo(service.baseUrl).makePayment(paymentRequest)).toMatchObject({ kind });
    }
  });
});
