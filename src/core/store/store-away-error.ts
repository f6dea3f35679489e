/** The store could not be reached. Nothing was asked of it, so nothing was stored. */
export class StoreAwayError extends Error {}
