import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { Config } from '../../config/config.ts';
import { callbackPath } from '../../core/callbacks/callbacks.ts';
import { answer, NOT_READY } from '../../core/http/answer.ts';
import { jsonOf } from '../../core/values/json-of.ts';
import type { Examined } from './examined.ts';
import type { HttpReply } from './network.ts';

/** Whether what is sent to `PUBLIC_URL` arrives at the listener, path by path. */
export const examineCallbackAddress = async (examined: Examined): Promise<void> => {
  const { config, findings } = examined;
  const { publicUrl, host, port } = config.listener;
  if (publicUrl === undefined) return;
  const own = await listenForOurselves(host, port);
  if (own !== undefined && 'refusal' in own)
    return findings.wrong(
      `Nothing can listen on ${host}:${port} (${own.refusal}).`,
      'Set HOST to an address of this machine, and PORT to one that this user may have.',
    );
  try {
    if (own === undefined) await examineRunning(examined);
    examineName(examined, publicUrl);
    const reached = [];
    for (const path of pathsOf(config))
      reached.push(await examinePath(examined, `${publicUrl}${path}`, own));
    if (!reached.includes(false)) {
      findings.note('This was tried from this machine; a firewall may still keep others out.');
      await examineSecret(examined, publicUrl);
    }
  } finally {
    await own?.stop();
  }
};

/** One that is never issued. Without a third part, which would be kept out of the message like a real one's. */
const CALLBACK = '/callbacks/doctor';

const pathsOf = ({ chats }: Config): string[] => [
  CALLBACK,
  ...chats.flatMap(({ platform, settings }) => platform.webhookPath(settings) ?? []),
];

const examinePath = async (
  { config, network, findings }: Examined,
  url: string,
  own: OwnListener | undefined,
): Promise<boolean> => {
  const asked = own === undefined ? url : `${url}?${own.nonce}`;
  const reply = await network.askOurselves(asked, { method: 'POST', body: '{}' });
  const isMarked = reply.kind === 'answered' && reply.text === own?.mark;
  // Another instance that shares the database does as well as this one.
  const mayBeOther = own === undefined || config.databaseUrl !== undefined;
  const arrived = isMarked || (mayBeOther && isOurs(url, reply));
  if (!arrived)
    findings.wrong(`${url} does not lead to Paythread: ${whatCame(reply)}.`, remedyFor(reply));
  return arrived;
};

/** Behind a proxy each question may come to another instance. */
const QUESTIONS = 6;
/** More than a callback may be: the listener that issued the address turns it away with 413, and stores nothing. */
const TOO_LARGE = 'x'.repeat(64 * 1024 + 1);

/** Whether all who answer there take what this machine's settings sign. */
const examineSecret = async (
  { config: { callbackSecrets, listener }, network, findings }: Examined,
  publicUrl: string,
): Promise<void> => {
  const [secret] = callbackSecrets ?? [];
  // From here everything is 404 then, or may be.
  if (secret === undefined || listener.callbackAllow !== undefined) return;
  const url = `${publicUrl}${callbackPath(secret, 'doctor')}`;
  for (let n = 0; n < QUESTIONS; n++) {
    const reply = await network.askOurselves(url, { method: 'POST', body: TOO_LARGE });
    if (reply.kind === 'silent' || reply.status !== 404) continue;
    return findings.wrong(
      'A Paythread that runs behind PUBLIC_URL has another CALLBACK_SECRET than the settings here, so callbacks are turned away.',
      'Set the same CALLBACK_SECRET on every instance, and restart those that were started with another one.',
    );
  }
};

/** Whether this is a running Paythread's answer to a request without proof: 404 with its own text, or a webhook's 401. */
const isOurs = (url: string, reply: HttpReply): boolean => {
  if (reply.kind === 'silent') return false;
  if (url.endsWith(CALLBACK)) return reply.status === 404 && reply.text === 'not found';
  return reply.status === 401;
};

const whatCame = (reply: HttpReply): string =>
  reply.kind === 'silent' ? reply.why : `something else answers with ${reply.status}`;

const remedyFor = (reply: HttpReply): string => {
  if (reply.kind === 'silent')
    return 'Check the host name, its certificate, the firewall and that the proxy runs.';
  if (reply.status >= 300 && reply.status < 400)
    return 'Put the address it redirects to into PUBLIC_URL: redirects are not followed by those who call back.';
  return 'Let the proxy pass this path on to HOST:PORT of Paythread; docs/operations.md has examples.';
};

/** The port is taken: by Paythread, we hope. */
const examineRunning = async ({ config, network, findings }: Examined): Promise<void> => {
  const { host, port } = config.listener;
  const at = `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}`;
  const health = await network.askOurselves(`${at}/healthz`);
  const said = health.kind === 'answered' ? jsonOf(health.text) : undefined;
  if (typeof said !== 'object' || said === null || !('lateSeconds' in said))
    return findings.wrong(
      `Another program uses port ${port}.`,
      'Stop it, or set PORT to another port and tell the proxy.',
    );
  findings.note(`Paythread runs here on port ${port}.`);
  if (health.kind === 'answered' && health.status !== 200)
    findings.wrong(
      'Paythread runs, and its due work is more than 2 minutes late.',
      'Look for errors in its log, and restart it.',
    );
};

/** A service on the internet cannot reach an address of this machine or of its local network. */
const examineName = ({ config: { payments }, findings }: Examined, publicUrl: string): void => {
  if (payments.kind === 'sandbox' || isPrivate(new URL(payments.baseUrl).hostname)) return;
  const { hostname } = new URL(publicUrl);
  if (isPrivate(hostname))
    findings.wrong(
      `PUBLIC_URL names ${hostname}, which the payment service cannot reach.`,
      'Set PUBLIC_URL to the https address of your proxy.',
    );
};

const isPrivate = (hostname: string): boolean =>
  /^(localhost$|.*\.localhost$|.*\.local$|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|169\.254\.|\[::1\]$|\[f[cd])/.test(
    hostname,
  );

/**
 * A server at the place of the listener. It answers requests whose query is `nonce` with `mark`, both random, and all
 * others with 503: what a payment service or a chat platform delivers meanwhile has to be delivered again.
 */
type OwnListener = { readonly nonce: string; readonly mark: string; stop(): Promise<void> };

/** Undefined: the port is taken. A refusal: the address cannot be listened on at all. */
const listenForOurselves = async (
  host: string,
  port: number,
): Promise<OwnListener | { readonly refusal: string } | undefined> => {
  const [nonce, mark] = [randomUUID(), randomUUID()];
  const server = createServer((request, response) => {
    request.resume();
    if (request.url?.endsWith(`?${nonce}`)) response.end(mark);
    else answer(response, NOT_READY);
  });
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, host, resolve);
    });
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    return code === 'EADDRINUSE' ? undefined : { refusal: code };
  }
  return {
    nonce,
    mark,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
