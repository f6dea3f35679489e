/** A `switch` over a union ends here; the compiler complains when a case is missing. */
export const assertNever = (value: never): never => {
  throw new Error(`Unhandled case: ${JSON.stringify(value)}`);
};

/** What is wrong with something a person typed, and what to do about it. Expected, so returned and never thrown. */
export type Problem = {
  /** One or two kind sentences; plain text. */
  readonly message: string;
  /** A command to copy, if one helps. */
  readonly example?: string;
};

/** The outcome of reading something a person typed. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: Problem };

export const parsed = <T>(value: T): Parsed<T> => ({ ok: true, value });

export const wrong = (message: string, example?: string): { ok: false; problem: Problem } => ({
  ok: false,
  problem: example === undefined ? { message } : { message, example },
});

/** EX_CONFIG of sysexits.h: a service manager need not try again before a person has changed something. */
export const EX_CONFIG = 78;

/** A reason not to start at all. `main` prints the message alone and leaves with `exitCode`. */
export class StartError extends Error {
  readonly exitCode: number;
  constructor(message: string, exitCode = 1, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StartError';
    this.exitCode = exitCode;
  }
}
