import { PATIENCE_MS } from './patience.ts';

/** Calls back once, as a service does; whether it was taken. */
export const postCallback = async (
  url: string,
  body: object,
  stopping: AbortSignal,
): Promise<boolean> => {
  try {
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(PATIENCE_MS)]);
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    });
    await response.body?.cancel();
    return response.ok;
  } catch {
    // Nobody there, cut off or too late: the caller tries again, or gives up.
    return false;
  }
};
