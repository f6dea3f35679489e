import type { z } from 'zod';

/** One environment variable. `.env.example` and the README's table are compared with these records. */
export type Variable = {
  /** As in the README's table. */
  readonly meaning: string;
  /** Holds when it is unset; read like a value that was set. */
  readonly default?: string;
  /** What holds when it is unset, in words, where no value can say it. */
  readonly otherwise?: string;
  readonly example: string;
  /** Ends the sentence "Expected: …". */
  readonly expected: string;
  /** Its value is kept out of every message and log line. */
  readonly secret?: true;
  readonly schema: z.ZodType<unknown, string>;
};
