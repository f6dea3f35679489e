import { App } from '@slack/bolt';
import { beforeEach, describe, expect, it } from 'vitest';
import { HttpEndpoint } from '../../../src/bots/slack/http-endpoint.ts';
import { sdkLog } from '../../../src/bots/slack/sdk.ts';
import { UnverifiedBodies } from '../../../src/core/http/unverified-bodies.ts';
import { attack, head, statusOf } from '../../support/attack.ts';
import { capturedLog } from '../../support/captured-log.ts';
import { eventually } from '../../support/eventually.ts';
import { serveHttp } from '../../support/serve-http.ts';
import { encoded, signedHeaders } from '../../support/slack/delivery.ts';

const PATH = '/slack/events';
const SECRET = 'the-signing-secret';
const KIB = 1024;
const MOST = 16 * 1024 * KIB;
const form = encoded('slash_commands', { command: '/charge', text: '0244123456 50' });

let port: number;
let bodies: UnverifiedBodies;
let taken: string[];
let log: ReturnType<typeof capturedLog>;

beforeEach(async () => {
  bodies = new UnverifiedBodies(MOST);
  taken = [];
  log = capturedLog();
  const endpoint = new HttpEndpoint({ signingSecret: SECRET, log: log.log, bodies });
  const app = new App({
    receiver: endpoint.receiver,
    token: 'xoxb-1',
    botId: 'B1',
    botUserId: 'U1',
    tokenVerificationEnabled: false,
    convoStore: false,
    logger: sdkLog(log.log),
  });
  app.command(/^/, async ({ ack, body }) => {
    taken.push(body.text);
    await ack();
  });
  port = Number(new URL(await serveHttp((...exchange) => endpoint.handle(...exchange))).port);
});

/** What a stranger can write without the secret: the form of a signature. */
const looksSigned = () => [
  `x-slack-signature: v0=${'0'.repeat(64)}`,
  `x-slack-request-timestamp: ${Math.floor(Date.now() / 1_000)}`,
];
const good = async (): Promise<number> => {
  const headers = signedHeaders(form.body, { secret: SECRET });
  const response = await fetch(`http://127.0.0.1:${port}${PATH}`, {
    method: 'POST',
    body: form.body,
    headers: { 'content-type': form.contentType, ...headers },
  });
  return response.status;
};

describe('requests in the name of Slack that are not signed', () => {
  it('hold 16 MiB at most however many they are, and Slack is served meanwhile', {
    tags: ['T3'],
  }, async () => {
    const senders = Array.from({ length: 400 }, () =>
      attack(
        port,
        head(PATH, ...looksSigned(), `content-length: ${256 * KIB}`),
        Buffer.alloc(250 * KIB, 'x'),
      ),
    );
    let turnedAway = 0;
    for (const { closed } of senders)
      void closed.then((answer) => {
        if (statusOf(answer) === '503' && answer.includes('too many requests at once'))
          turnedAway++;
      });
    await eventually(() => {
      expect(bodies.heldBytes).toBeLessThanOrEqual(MOST);
      expect(turnedAway).toBeGreaterThanOrEqual(400 - MOST / (250 * KIB));
    });
    expect(await good()).toBe(200);
    expect(taken).toEqual(['0244123456 50']);
    for (const { socket } of senders) socket.destroy();
    await eventually(() => expect(bodies.heldBytes).toBe(0));
  });

  it('are refused above 256 KiB with a sentence, before they are sent', {
    tags: ['T3'],
  }, async () => {
    const { closed } = attack(port, head(PATH, ...looksSigned(), `content-length: ${257 * KIB}`));
    const answer = await closed;
    expect(statusOf(answer)).toBe('413');
    expect(answer).toContain('larger than 256 KiB');
  });

  it.each([
    ['no signature', []],
    ['half a signature', ['x-slack-signature: v0=1']],
  ])('with %s may send 4 KiB and no more', async (_, headers) => {
    const { closed } = attack(port, head(PATH, ...headers, `content-length: ${5 * KIB}`));
    expect(statusOf(await closed)).toBe('413');
    expect(bodies.heldBytes).toBe(0);
  });

  it('that are signed long ago or ahead of time are refused unread', async () => {
    for (const offsetSeconds of [-400, 400]) {
      const timestampSeconds = Math.floor(Date.now() / 1_000) + offsetSeconds;
      const { closed } = attack(
        port,
        head(
          PATH,
          `x-slack-signature: v0=${'0'.repeat(64)}`,
          `x-slack-request-timestamp: ${timestampSeconds}`,
          `content-length: ${200 * KIB}`,
          'connection: close',
        ),
      );
      expect(statusOf(await closed)).toBe('401');
    }
  });

  it('leave no line in the log by breaking off', async () => {
    const { socket } = attack(port, head(PATH, ...looksSigned(), 'content-length: 100'), 'half');
    await eventually(() => expect(bodies.heldBytes).toBe(4));
    socket.destroy();
    await eventually(() => expect(bodies.heldBytes).toBe(0));
    expect(await good()).toBe(200);
    expect(log.entries).toEqual([]);
  });
});
