import { request } from 'undici';

const TIMEOUT_MS = 10_000;

export const isSlackHost = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' && /(^|\.)slack(-gov)?\.com$/.test(hostname);

export const isGovSlack = ({ hostname }: URL): boolean => hostname.endsWith('.slack-gov.com');

/**
 * Whether answers may be posted to an address. It comes with the request, so without this check a forged request
 * could make the program call any host (SSRF).
 */
export const isSlacks = (url: string, apiUrl: string): boolean => {
  if (!URL.canParse(url)) return false;
  const given = new URL(url);
  const api = new URL(apiUrl);
  const ofApi = given.protocol === api.protocol && given.hostname === api.hostname;
  return ofApi || isSlackHost(given);
};

/** Whether a message is named by its `response_url`, as ephemeral ones are, and not by a `ts`. */
export const isAddress = (message: string): boolean => message.includes('://');

/** What became of a post: `refused` when the address has expired (30 minutes) or is used up (five posts). */
export type ResponseUrlAnswer = 'taken' | 'refused' | 'no answer';

/** Posts to an interaction's `response_url`. Never rejects. */
export const postToResponseUrl = async (
  url: string,
  message: object,
): Promise<ResponseUrlAnswer> => {
  try {
    // `fetch` costs several times as much; every answer to a person goes this way.
    const { statusCode, body } = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(message),
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    });
    // Read to its end, a word or two, so that the connection is kept for the next answer.
    await body.dump();
    if (statusCode >= 200 && statusCode < 300) return 'taken';
    return statusCode >= 400 && statusCode < 500 && statusCode !== 429 ? 'refused' : 'no answer';
  } catch {
    // Cut off or slow.
    return 'no answer';
  }
};
