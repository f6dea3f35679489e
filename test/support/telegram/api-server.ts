import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { requestComplaints } from '../schemas/request-complaints.ts';
import type { AccountMethods } from './account-methods.ts';
import { ApiError, tooManyRequests } from './api-error.ts';
import { knownParams } from './known-params.ts';
import type { MessageMethods, Params } from './methods.ts';
import { isKnown } from './sentences.ts';

/** One call to the Bot API, as it was received and answered. */
export type LedgerEntry = {
  readonly method: string;
  readonly params: Params;
  /** Parameters the method does not have: Telegram ignores them, so a typing mistake shows only here. */
  readonly unknownParams: readonly string[];
  /** Undefined: the connection was cut instead. */
  readonly status: number | undefined;
  /** What was said when it was refused. */
  readonly description?: string;
};

/** What happens to a call instead of what should. */
export type Fault =
  | { readonly kind: 'rateLimit'; readonly retryAfterSeconds: number }
  | { readonly kind: 'refuse'; readonly code: number; readonly description: string }
  /** An error page of something in between. */
  | { readonly kind: 'html'; readonly status: number }
  /** The connection ends, and nothing was done. */
  | { readonly kind: 'cutBefore' }
  /** It was done, but the answer is lost. */
  | { readonly kind: 'cutAfter' }
  | { readonly kind: 'slow'; readonly ms: number };

type Answer = { readonly status: number; readonly body: string } | 'cut';

/** The Bot API over HTTP: `/bot<token>/<method>`. */
export class ApiServer {
  readonly ledger: LedgerEntry[] = [];
  /** Requests that are not as Telegram documents them, although it may take them. */
  readonly complaints: string[] = [];
  readonly #server: Server;
  readonly #methods: { readonly messages: MessageMethods; readonly account: AccountMethods };
  readonly #faults: { readonly method: string; readonly fault: Fault }[] = [];
  token: string;

  constructor(options: { token: string; messages: MessageMethods; account: AccountMethods }) {
    this.token = options.token;
    this.#methods = options;
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch((error) => {
        // The caller hung up while still sending; anything else is a mistake in here and must be seen.
        if (!request.destroyed) throw error;
      });
    });
  }

  /** The port; the one asked for, or any free one. */
  async listen(port = 0): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, '127.0.0.1', resolve);
    });
    return (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  /** `method` may be `*`. Faults of one method happen in the order given. */
  failNext(method: string, fault: Fault): void {
    this.#faults.push({ method, fault });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const file = /^\/file\/bot([^/]+)\/(.+)/.exec(request.url ?? '');
    if (file !== null) return this.#serveFile(file[1] ?? '', file[2] ?? '', response);
    const path = /^\/bot([^/]+)\/(\w+)/.exec(request.url ?? '');
    const method = path?.[2] ?? '';
    const params = await paramsOf(request);
    const answer = await this.#answer(path?.[1] ?? '', method, params, gone.signal);
    if (answer === 'cut') return void request.socket.destroy();
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
  }

  async #answer(token: string, method: string, params: Params, gone: AbortSignal): Promise<Answer> {
    const fault = this.#takeFault(method);
    const note = (status: number | undefined, description?: string) =>
      this.#note(method, params, status, description);
    if (fault?.kind === 'html') {
      note(fault.status);
      return { status: fault.status, body: '<html><body>Bad Gateway</body></html>' };
    }
    try {
      if (fault?.kind === 'cutBefore') return cut(note);
      if (fault?.kind === 'slow') await new Promise((resolve) => setTimeout(resolve, fault.ms));
      if (fault?.kind === 'rateLimit') throw tooManyRequests(fault.retryAfterSeconds);
      if (fault?.kind === 'refuse') throw new ApiError(fault.code, fault.description);
      this.#checkToken(token);
      const odd = requestComplaints('telegram', method, params);
      this.complaints.push(...odd.map((each) => `${method}: ${each}`));
      const result = await this.#run(method, params, gone);
      if (fault?.kind === 'cutAfter') return cut(note);
      note(200);
      return { status: 200, body: JSON.stringify({ ok: true, result }) };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (fault === undefined && !isKnown(error.message))
        this.complaints.push(`${method}: Telegram is not known to say "${error.message}"`);
      note(error.code, error.message);
      return { status: error.code, body: errorBody(error) };
    }
  }

  #checkToken(token: string): void {
    if (!/^\d+:[\w-]+$/.test(token)) throw new ApiError(404, 'Not Found');
    if (token !== this.token) throw new ApiError(401, 'Unauthorized');
  }

  #run(method: string, params: Params, gone: AbortSignal): unknown {
    const { messages, account } = this.#methods;
    const table: Record<string, () => unknown> = {
      getme: () => account.getMe(),
      getupdates: () => account.getUpdates(params, gone),
      setwebhook: () => account.setWebhook(params),
      deletewebhook: () => account.deleteWebhook(params),
      getwebhookinfo: () => account.getWebhookInfo(),
      setmycommands: () => account.setMyCommands(params),
      deletemycommands: () => account.deleteMyCommands(params),
      getmycommands: () => account.getMyCommands(params),
      answercallbackquery: () => account.answerCallbackQuery(params),
      sendmessage: () => messages.sendMessage(params),
      editmessagetext: () => messages.editMessageText(params),
      senddocument: () => messages.sendFile(params, 'document'),
      sendphoto: () => messages.sendFile(params, 'photo'),
      sendchataction: () => messages.sendChatAction(params),
      setmessagereaction: () => messages.setMessageReaction(params),
      pinchatmessage: () => messages.pinChatMessage(params),
      unpinchatmessage: () => messages.pinChatMessage(params, false),
      getfile: () => messages.getFile(params),
      getchat: () => messages.getChat(params),
      getchatmember: () => messages.getChatMember(params),
    };
    const run = table[method.toLowerCase()];
    if (run === undefined) throw new ApiError(404, 'Not Found: method not found');
    return run();
  }

  #serveFile(token: string, path: string, response: ServerResponse): void {
    const bytes = token === this.token ? this.#methods.messages.fileAt(path) : undefined;
    if (bytes === undefined) response.writeHead(404).end('{"ok":false,"error_code":404}');
    else response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(bytes);
  }

  #takeFault(method: string): Fault | undefined {
    const at = this.#faults.findIndex(
      (each) => each.method === '*' || each.method.toLowerCase() === method.toLowerCase(),
    );
    return at < 0 ? undefined : this.#faults.splice(at, 1)[0]?.fault;
  }

  #note(method: string, params: Params, status: number | undefined, description?: string): void {
    const known = knownParams(method);
    this.ledger.push({
      method,
      params,
      unknownParams: Object.keys(params).filter((name) => !known.has(name)),
      status,
      ...(description === undefined ? {} : { description }),
    });
  }
}

const cut = (note: (status: undefined) => void): 'cut' => {
  note(undefined);
  return 'cut';
};

const errorBody = ({ code, message, parameters }: ApiError): string =>
  JSON.stringify({
    ok: false,
    error_code: code,
    description: message,
    ...(parameters === undefined ? {} : { parameters }),
  });

/** A file is named by the parameter that it is for, `attach://` and the name of its own part. */
const withoutAttachments = (form: FormData): Params => {
  const attached = (value: unknown) =>
    typeof value === 'string' && value.startsWith('attach://') ? value.slice(9) : undefined;
  const parts = [...form].filter(([name]) => ![...form.values()].map(attached).includes(name));
  return Object.fromEntries(
    parts.map(([name, value]) => [name, form.get(attached(value) ?? '') ?? value]),
  );
};

/** From the query, a form or JSON: Telegram takes them all. */
const paramsOf = async (request: IncomingMessage): Promise<Params> => {
  const query = new URL(request.url ?? '/', 'http://bot').searchParams;
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const type = request.headers['content-type'] ?? '';
  const form = new Response(Buffer.concat(chunks), { headers: { 'content-type': type } });
  if (type.startsWith('multipart/form-data'))
    return { ...Object.fromEntries(query), ...withoutAttachments(await form.formData()) };
  const body = await form.text();
  const isJson = request.headers['content-type']?.startsWith('application/json') === true;
  const fromBody: object =
    isJson && body !== '' ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body));
  return { ...Object.fromEntries(query), ...fromBody };
};
