import type { z } from 'zod';
import type { Variable } from './variable.ts';
import { chatVariables } from './variables/chats.ts';
import { listenerVariables } from './variables/listener.ts';
import { operationVariables } from './variables/operation.ts';
import { paymentVariables } from './variables/payments.ts';
import { storeVariables } from './variables/store.ts';

/** Every variable Paythread reads, in the order of the README. */
export const variables = {
  ...paymentVariables,
  ...chatVariables,
  ...listenerVariables,
  ...storeVariables,
  ...operationVariables,
} as const;

export type Name = keyof typeof variables;

type Value<V extends Variable> = V extends { readonly default: string }
  ? z.output<V['schema']>
  : z.output<V['schema']> | undefined;

/** What the variables say once read. Without a default, one that is unset is undefined. */
export type Values = { readonly [N in Name]: Value<(typeof variables)[N]> };

/** All names, in the order of the README. */
export const names = Object.keys(variables) as Name[];
