import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type Answer, NOT_FOUND, notAllowed } from '../../core/http/answer.ts';
import { peerOf } from '../../core/http/client-address.ts';

/** The names of this machine. Any other name may have been pointed at it by a stranger's DNS server. */
const LOCAL_HOST = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/i;
const LOOPBACK = /^(?:127\.|::1$)/;
/** A proxy on this machine speaks for people elsewhere. */
const OF_PROXIES = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];

const FOREIGN: Answer = {
  status: 403,
  text: 'Your browser does not say which page asks. Use a newer one.',
};
const NOT_JSON: Answer = { status: 415, text: 'The body has to be application/json.' };

/** Whether a request comes from this machine, and to it by name. The page does not exist for any other. */
export const isLocalRequest = ({ socket, headers }: IncomingMessage): boolean =>
  LOOPBACK.test(peerOf(socket)) &&
  LOCAL_HOST.test(headers.host ?? '') &&
  OF_PROXIES.every((name) => headers[name] === undefined);

/** Why something that the page would send is not taken: another page may have sent it. Undefined: it is taken. */
export const whyNotTaken = ({ method, headers }: IncomingMessage): Answer | undefined => {
  if (method !== 'POST') return notAllowed('POST');
  if (!isSameOrigin(headers)) return FOREIGN;
  return headers['content-type'] === 'application/json' ? undefined : NOT_JSON;
};

/** A browser names the page that sends a POST in `Origin`; older ones and other programs, which name none, are refused. */
const isSameOrigin = ({
  origin,
  host,
  'sec-fetch-site': site = 'same-origin',
}: IncomingHttpHeaders): boolean => origin === `http://${host}` && site === 'same-origin';

/** For local requests that are for reading. */
export const whyNotShown = ({ method, headers }: IncomingMessage): Answer | undefined => {
  if (method !== 'GET' && method !== 'HEAD') return notAllowed('GET, HEAD');
  // A frame or a script of another page; typed addresses and bookmarks are `none`.
  const { 'sec-fetch-site': site = 'none', 'sec-fetch-mode': mode } = headers;
  const isOwn = site === 'none' || site === 'same-origin';
  return isOwn || mode === 'navigate' ? undefined : NOT_FOUND;
};
