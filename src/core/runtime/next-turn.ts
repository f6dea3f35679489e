/** Resolves once whatever else this turn of the event loop holds has been done. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
