import { Client } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { httpExchange } from '../../../src/core/runtime/http-exchange.ts';
import { httpAnswer, type Script, startScriptedHttp } from '../../support/scripted-http.ts';

const BODY = '{"response_code":"000"}';
const WHOLE = httpAnswer(200, BODY);

/** One GET from a server of this script. */
const exchangeWith = async (
  script: Script,
  limits: { signal?: AbortSignal; maxBodyBytes?: number } = {},
) => {
  const server = await startScriptedHttp(script);
  onTestFinished(() => server.stop());
  const client = new Client(server.baseUrl);
  onTestFinished(() => client.destroy());
  const request = { path: '/', method: 'GET', headers: {}, body: null } as const;
  return httpExchange(client, { ...request, ...limits });
};

describe('an HTTP exchange', () => {
  it('gives the status, the headers and the whole body', async () => {
    const answer = await exchangeWith((socket) => socket.write(WHOLE));
    expect(answer).toMatchObject({ status: 200, headers: { 'content-length': '23' } });
    expect(String(answer.body)).toBe(BODY);
  });

  it('gives the status without the body when the connection closes before the last byte', async () => {
    // What came is JSON as a whole: only the length tells that more was to follow.
    const cut = httpAnswer(200, BODY, { 'content-length': '24' });
    const answer = await exchangeWith((socket) => socket.end(cut));
    expect(answer).toMatchObject({ status: 200, body: { missing: expect.any(Error) } });
  });

  it('gives the status without the body when its time ends in the middle of it', async () => {
    const signal = AbortSignal.timeout(500);
    const answer = await exchangeWith((socket) => socket.write(WHOLE.subarray(0, -1)), { signal });
    expect(answer).toMatchObject({ status: 200, body: { missing: signal.reason } });
  });

  it('rejects with the reason of the signal that aborts before the head', async () => {
    const patience = new AbortController();
    const answer = exchangeWith(() => patience.abort(new Error('too late')), {
      signal: patience.signal,
    });
    await expect(answer).rejects.toThrow('too late');
  });

  it('sends nothing when its signal has aborted before', async () => {
    const asked: string[] = [];
    const signal = AbortSignal.abort(new Error('too late'));
    await expect(
      exchangeWith((_socket, { path }) => void asked.push(path), { signal }),
    ).rejects.toThrow('too late');
    expect(asked).toEqual([]);
  });

  it('reads a body of the longest length, and none that is longer', async () => {
    const answers = await Promise.all(
      [23, 22].map((maxBodyBytes) =>
        exchangeWith((socket) => socket.write(WHOLE), { maxBodyBytes }),
      ),
    );
    expect(answers.map(({ body }) => Buffer.isBuffer(body))).toEqual([true, false]);
  });
});
