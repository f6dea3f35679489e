import { type IncomingMessage, ServerResponse } from 'node:http';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { HttpEndpoint } from '../../../src/bots/slack/http-endpoint.ts';
import { silentLog } from '../../support/silent-log.ts';

const KIB = 1024;
const PATH = '/slack/events';

const newEndpoint = () => new HttpEndpoint({ signingSecret: 'the-signing-secret', log: silentLog });

/** A request with the form of a signature, of which this much has come so far. */
const startRequest = async (endpoint: HttpEndpoint, bytes: number): Promise<ServerResponse> => {
  const headers = {
    'x-slack-signature': `v0=${'0'.repeat(64)}`,
    'x-slack-request-timestamp': String(Math.floor(Date.now() / 1_000)),
  };
  const body = new PassThrough();
  const request = Object.assign(body, {
    method: 'POST',
    url: PATH,
    headers,
  }) as unknown as IncomingMessage;
  const response = new ServerResponse(request);
  endpoint.handle(request, response);
  await new Promise((resolve) => body.write(Buffer.alloc(bytes, 'x'), resolve));
  await new Promise((resolve) => setImmediate(resolve));
  return response;
};

it('a Slack endpoint as the program makes it holds 16 MiB of unverified bodies, and not a byte more', async () => {
  const endpoint = newEndpoint();
  const responses: ServerResponse[] = [];
  for (let started = 0; started < 64; started++)
    responses.push(await startRequest(endpoint, 256 * KIB));
  expect(responses.filter(({ headersSent }) => headersSent)).toEqual([]);
  const last = await startRequest(endpoint, 1);
  const refused = responses.filter(({ headersSent }) => headersSent);
  expect(refused.map(({ statusCode }) => statusCode)).toEqual([503]);
  expect(refused[0]).toBe(responses[0]);
  expect(last.headersSent).toBe(false);
});
