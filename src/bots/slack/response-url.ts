import { quickFetch } from '../quick-fetch.ts';

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

/** Posts to an interaction's `response_url`; `refused`: it has expired (30 minutes) or is used up (five posts). Never rejects. */
export const postToResponseUrl = async (
  url: string,
  message: object,
): Promise<'taken' | 'refused' | 'no answer'> => {
  try {
    const { status } = await quickFetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(message),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (status >= 200 && status < 300) return 'taken';
    return status >= 400 && status < 500 && status !== 429 ? 'refused' : 'no answer';
  } catch {
    // Cut off or slow.
    return 'no answer';
  }
};
