/** The platform refuses an answer because the app was installed without the permission to ask. */
export class NotPermittedError extends Error {}
