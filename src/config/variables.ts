import { platforms } from '../bots/all-platforms.ts';
import { hostVariables } from './host-variables.ts';
import { paymentVariables } from './payment-variables.ts';
import { peopleVariables } from './people-variables.ts';
import type { ValuesOf, Variable } from './variable.ts';

type OwnVariables = typeof paymentVariables & typeof peopleVariables & typeof hostVariables;

type NamesOf<P> = P extends { readonly variables: infer V } ? keyof V & string : never;

export type Name = keyof OwnVariables | NamesOf<(typeof platforms)[number]>;

const inOrder: readonly (readonly [string, Variable])[] = [
  paymentVariables,
  ...platforms.map((platform) => platform.variables),
  peopleVariables,
  hostVariables,
].flatMap((some) => Object.entries<Variable>(some));

/** Every variable Paythread reads, in the order of docs/settings.md: settings, documents, doctor and their tests use it. */
export const variables = Object.fromEntries(
  inOrder.map(([name, variable]) => [name, { example: variable.default ?? '', ...variable }]),
) as Readonly<Record<Name, Variable & { readonly example: string }>>;

/** What the variables say once read, but for those of the platforms, which each platform reads itself. */
export type Values = ValuesOf<OwnVariables>;

/** All names, in the order of docs/settings.md. */
export const names = Object.keys(variables) as readonly Name[];
