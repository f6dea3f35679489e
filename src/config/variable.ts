import type { z } from 'zod';

/** One environment variable. `.env.example` and the table of docs/settings.md are compared with these records. */
export type Variable = {
  /** As in docs/settings.md. */
  readonly meaning: string;
  /** Holds when it is unset; read like a value that was set. */
  readonly default?: string;
  /** What holds when it is unset, in words, where no value can say it. */
  readonly otherwise?: string;
  /** @default its default */
  readonly example?: string;
  /** Ends the sentence "Expected: …". */
  readonly expected: string;
  /** Its value is kept out of every message and log line. */
  readonly secret?: true;
  /** An address that may be http, with a warning when it leads to another machine. */
  readonly mayBeHttp?: true;
  /** How its value begins as a rule, such as `xoxb-`; anything else is accepted with a warning. */
  readonly prefix?: string;
  readonly schema: z.ZodType<unknown, string>;
};

export type Variables = Readonly<Record<string, Variable>>;

type Value<V extends Variable> = V extends { readonly default: string }
  ? z.output<V['schema']>
  : z.output<V['schema']> | undefined;

/** What variables say once read. Without a default, one that is unset is undefined. */
export type ValuesOf<V extends Variables> = { readonly [N in keyof V]: Value<V[N]> };
