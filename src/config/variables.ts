import { platforms } from '../bots/all-platforms.ts';
import type { ValuesOf, Variable } from './variable.ts';
import { listenerVariables } from './variables/listener.ts';
import { operationVariables } from './variables/operation.ts';
import { paymentVariables } from './variables/payments.ts';
import { storeVariables } from './variables/store.ts';

type OwnVariables = typeof paymentVariables &
  typeof listenerVariables &
  typeof storeVariables &
  typeof operationVariables;

type NamesOf<P> = P extends { readonly variables: infer V } ? keyof V & string : never;

export type Name = keyof OwnVariables | NamesOf<(typeof platforms)[number]>;

/** Every variable Paythread reads, in the order of the README. */
export const variables: Readonly<Record<Name, Variable>> = Object.assign(
  { ...paymentVariables },
  ...platforms.map((platform) => platform.variables),
  listenerVariables,
  storeVariables,
  operationVariables,
);

/** What the variables say once read, but for those of the platforms, which each platform reads itself. */
export type Values = ValuesOf<OwnVariables>;

/** All names, in the order of the README. */
export const names = Object.keys(variables) as readonly Name[];
