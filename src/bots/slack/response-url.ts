import { request } from 'undici';

const TIMEOUT_MS = 10_000;

/** Slack, and the one of its own that Slack runs for authorities. */
const SLACK = /(^|\.)slack(-gov)?\.com$/;

/**
 * Whether answers may be posted there. It is the one address that a request brings along, and whoever could
 * write it would otherwise choose which machine of ours is asked.
 */
export const isSlacks = (url: string, apiUrl: string): boolean => {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  const api = new URL(apiUrl);
  const ofApi = protocol === api.protocol && hostname === api.hostname;
  return ofApi || (protocol === 'https:' && SLACK.test(hostname));
};

/** Posts to an interaction's `response_url`; true when Slack took it. It lives 30 minutes and takes five posts. */
export const postToResponseUrl = async (url: string, message: object): Promise<boolean> => {
  try {
    // Not fetch, which costs several times as much; every answer to a person goes this way.
    const { statusCode, body } = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(message),
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    });
    // Read to its end, a word or two, so that the connection is kept for the next answer.
    await body.dump();
    return statusCode >= 200 && statusCode < 300;
  } catch {
    // Expired, cut off or slow: there are other ways to answer, and the caller takes the next.
    return false;
  }
};
