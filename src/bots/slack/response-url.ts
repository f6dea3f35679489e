const TIMEOUT_MS = 10_000;

/** Posts to an interaction's `response_url`; true when Slack took it. It lives 30 minutes and takes five posts. */
export const postToResponseUrl = async (url: string, body: object): Promise<boolean> => {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    return response.ok;
  } catch {
    // Expired, cut off or slow: there are other ways to answer, and the caller takes the next.
    return false;
  }
};
