/** @import { PageRequest } from '../page-request.ts' */
/** @import { PageState } from '../page-state.ts' */

/** @typedef {{ ok: boolean, status: number, say: string, visit?: string, state?: PageState }} Said */

/**
 * What the server says to a request. Never rejects: without an answer the status is 0.
 * @param {PageRequest} request
 * @param {AbortSignal} [signal] gives the request up
 * @returns {Promise<Said>}
 */
export const askServer = async (request, signal) => {
  try {
    const response = await fetch(new URL('do', import.meta.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(request),
      signal: signal ?? null,
      // The last request of a page that is closed is still sent.
      keepalive: request.do === 'leave',
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type') === 'application/json';
    const said = isJson ? JSON.parse(text) : { say: text };
    return { say: '', ...said, ok: response.ok, status: response.status };
  } catch {
    return { ok: false, status: 0, say: 'Paythread does not answer. Does it still run?' };
  }
};
