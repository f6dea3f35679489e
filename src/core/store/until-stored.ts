/** Another writer was quicker: the store refused the commit, and what it was made of has to be read again. */
export const STALE = Symbol('stale');

/** Concurrent writers of one record are rare; this many stale commits in a row mean a defect. */
const MOST_STALE_COMMITS = 20;

/** What `attempt` returns, which reads, decides and commits, again while its commit is stale. */
export const untilStored = async <T>(
  what: string,
  attempt: () => Promise<T | typeof STALE>,
): Promise<T> => {
  for (let tries = 0; tries < MOST_STALE_COMMITS; tries++) {
    const result = await attempt();
    if (result !== STALE) return result;
  }
  throw new Error(`${what} was changed by others ${MOST_STALE_COMMITS} times in a row`);
};
