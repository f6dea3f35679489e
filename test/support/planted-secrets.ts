import { httpAnswer, type Script, type ScriptedRequest } from './scripted-http.ts';

const MARK = 'canary';

/** Secrets of no form that anybody could know them by; what encodes an address changes each of them. */
export const PLANTED = {
  PAYMENTS_CLIENT_KEY: 'canary/client+key',
  PAYMENTS_SECRET_KEY: 'canary/secret&key=',
  SLACK_BOT_TOKEN: 'canary.slack/bot+token',
  SLACK_APP_TOKEN: 'canary.slack/app+token',
  TELEGRAM_BOT_TOKEN: '700000001:AAE-canary_telegram',
  CALLBACK_SECRET: 'canary-callback-secret-new,canary-callback-secret-old',
} as const;

/** Whatever of them a text holds: as it is, in an address, in hex, or in base64, as HTTP Basic has it. */
export const plantedIn = (text: string): string[] =>
  [text, hexDecoded(text), ...base64Decoded(text)].filter((each) => each.includes(MARK));

const hexDecoded = (text: string): string =>
  text.replace(/(?:[0-9a-f]{2}){6,}/gi, (run) => Buffer.from(run, 'hex').toString('latin1'));

/** Four letters are three bytes, so a secret in the middle shows from one of four places on. */
const base64Decoded = (text: string): string[] =>
  (text.match(/[\w+/-]{8,}/g) ?? []).flatMap((run) =>
    [0, 1, 2, 3].map((at) => Buffer.from(run.slice(at), 'base64').toString('latin1')),
  );

/** How a service fails that says back all it was told, secrets first. */
export const INDISCREET: Readonly<Record<string, Script>> = {
  '401': (socket, request) => socket.write(httpAnswer(401, jsonEcho(request, 401), JSON_TYPE)),
  'a refusal': (socket, request) =>
    socket.write(httpAnswer(200, jsonEcho(request, 400), JSON_TYPE)),
  'a redirect': (socket, request) =>
    socket.write(httpAnswer(302, '', { location: `http://127.0.0.1:1/${urlEcho(request)}` })),
  'a page of HTML': (socket, request) =>
    socket.write(httpAnswer(200, `<h1>${echo(request)}</h1>`, { 'content-type': 'text/html' })),
  'JSON that breaks off': (socket, request) =>
    socket.write(httpAnswer(200, `{"ok":true,"said":"${urlEcho(request)}`, JSON_TYPE)),
  'something that is not HTTP': (socket, request) => socket.end(`${echo(request)}\r\n\r\n`),
  'a cut connection': (socket) => socket.destroy(),
};

const JSON_TYPE = { 'content-type': 'application/json' };

const echo = ({ path, headers, body }: ScriptedRequest): string =>
  `${headers['authorization']} ${path} ${body}`;

const urlEcho = (request: ScriptedRequest): string => encodeURIComponent(echo(request));

/** In every field that one of the services explains itself with. */
const jsonEcho = (request: ScriptedRequest, error_code: number): string => {
  const said = echo(request);
  const ours = { ok: false, error: said, error_code, description: said };
  return JSON.stringify({ ...ours, response_code: '999', response_message: said });
};
