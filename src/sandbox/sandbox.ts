import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answer } from '../core/http/answer.ts';
import type { Clock } from '../core/runtime/clock.ts';
import { isSameSecret } from '../core/runtime/same-secret.ts';
import { jsonOf } from '../core/values/json-of.ts';
import { CallbackSender } from './callback-sender.ts';
import type { OnExchange } from './exchange.ts';
import { type Handler, type Reply, refused, sandboxOperations } from './operations.ts';
import { PaymentLedger, type PromptAnswer, type SandboxPayment } from './payment-ledger.ts';

export type SandboxOptions = {
  readonly clock: Clock;
  /** Where payments are remembered over restarts; absent: in memory. */
  readonly file?: string;
  /** Payments end as `answerPrompt` says, whatever the number. @default false */
  readonly hasPrompts?: boolean;
  readonly onExchange?: OnExchange;
};

/** One request as the sandbox received it, without its credentials. */
export type SandboxRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Parsed JSON; the text itself when it is none. */
  readonly body: unknown;
  readonly atMs: number;
};

/** The payment service, simulated over real HTTP. No money moves. */
export type Sandbox = typeof MERCHANT & {
  readonly baseUrl: string;
  /** Every request received, oldest first; the last few thousand are kept. */
  readonly requests: readonly SandboxRequest[];
  /** Every payment taken, with how often. */
  payments(): readonly SandboxPayment[];
  /** Ends a payment as its customer would on the phone; false: it has no prompt that waits. */
  answerPrompt(transactionId: string, answer: PromptAnswer): Promise<boolean>;
  stop(): Promise<void>;
};

/** The account of the sandbox; its keys are no secret. */
export const MERCHANT = {
  clientKey: 'sandbox-client',
  secretKey: 'sandbox-secret',
  serviceId: 1001,
  nickname: 'Sandbox Shop',
} as const;

const CREDENTIALS = Buffer.from(`${MERCHANT.clientKey}:${MERCHANT.secretKey}`).toString('base64');
const MAX_BODY_BYTES = 64 * 1024;
const MAX_REQUESTS_KEPT = 5000;

/** On a free port of this machine alone. Rejects when the file cannot be read. */
export const startSandbox = async (options: SandboxOptions): Promise<Sandbox> => {
  const { clock, file, hasPrompts = false, onExchange = () => {} } = options;
  const ledger = await PaymentLedger.open(file);
  const callbacks = new CallbackSender(ledger, clock, onExchange);
  const operations = sandboxOperations({ ...MERCHANT, ledger, callbacks, clock, hasPrompts });
  const requests: SandboxRequest[] = [];
  const note = (request: SandboxRequest): void => {
    requests.push(request);
    if (requests.length > MAX_REQUESTS_KEPT) requests.shift();
  };
  const server = createServer((request, response) => {
    replyTo(request, { operations, note, clock, onExchange })
      .then((reply) => (reply === 'cut' ? response.destroy() : answer(response, reply)))
      // The caller went away, or the file could not be written: a service breaks off just so.
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  callbacks.resume();

  const { port } = server.address() as AddressInfo;
  return {
    ...MERCHANT,
    baseUrl: `http://127.0.0.1:${port}`,
    requests,
    payments: () => ledger.payments(),
    answerPrompt: async (transactionId, answer) => {
      const answered = await ledger.answerPrompt(transactionId, answer, clock.now());
      if (answered !== undefined) callbacks.owe(answered);
      return answered !== undefined;
    },
    stop: async () => {
      await callbacks.stop();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
};

type Desk = {
  readonly operations: ReadonlyMap<string, Handler>;
  readonly note: (request: SandboxRequest) => void;
  readonly clock: Clock;
  readonly onExchange: OnExchange;
};

/** HTTP in front of the operations: the request is read, noted and told with its answer. */
const replyTo = async (
  request: IncomingMessage,
  { operations, note, clock, onExchange }: Desk,
): Promise<Reply> => {
  const text = await readText(request);
  if (text === undefined) return refused(413, 'Request too large');
  const json = jsonOf(text);
  const { method = '', url = '/' } = request;
  const { authorization: _, ...headers } = request.headers;
  const path = url.split('?', 1)[0] ?? '/';
  const body = json ?? text;
  note({ method, path, headers, body, atMs: clock.now() });
  const reply = await checkedReply(request, json, operations.get(path));
  const answer =
    reply === 'cut'
      ? { status: undefined }
      : { status: reply.status, answered: jsonOf(reply.text) ?? reply.text };
  onExchange({ kind: 'request', path, body, ...answer });
  return reply;
};

/** Credentials, method and JSON are checked here. */
const checkedReply = (
  { method, headers }: IncomingMessage,
  body: unknown,
  operation: Handler | undefined,
): Reply | Promise<Reply> => {
  if (!isSameSecret(`Basic ${CREDENTIALS}`, headers.authorization ?? ''))
    return refused(401, 'Invalid credentials, or missing authentication');
  if (operation === undefined) return refused(404, 'Not found');
  if (method !== 'POST') return refused(405, 'Method not allowed');
  if (!/^application\/json\b/i.test(headers['content-type'] ?? ''))
    return refused(415, 'Content-Type must be application/json');
  return body === undefined ? refused(400, 'The body is no JSON') : operation(body);
};

/** `undefined` when it is too long. */
const readText = async (request: IncomingMessage): Promise<string | undefined> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return bytes > MAX_BODY_BYTES ? undefined : Buffer.concat(chunks).toString('utf8');
};
