/** What the service said last, kept word for word for support. */
export type ServiceAnswer = {
  readonly code?: string;
  readonly message?: string;
};
