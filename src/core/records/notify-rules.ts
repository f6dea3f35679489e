import type { Person, PlaceId } from '../values/conversation.ts';
import { compareMoney, type Money } from '../values/money.ts';
import { type Branch, branchOf } from './branches.ts';
import type { Payment, PaymentState } from './payment.ts';
import { storedJson } from './stored-values.ts';

/** Which outcomes are told under the card: all, all but `completed`, or none. @default 'all' */
export const LEVELS = ['all', 'problems', 'none'] as const;
export type Level = (typeof LEVELS)[number];

/** The states that a rule may name. */
export const MIRRORED_STATES = [
  'pending',
  'completed',
  'failed',
  'refused',
  'not sent',
  'unknown',
] as const satisfies readonly PaymentState[];
export type MirroredState = (typeof MIRRORED_STATES)[number];

/** Which payments of other conversations are told somewhere as well. Everything that it names has to fit. */
export type MirrorRule = {
  /** In which states a payment is told first: every one, or from this amount on. */
  readonly states: Readonly<Partial<Record<MirroredState, 'all' | Money>>>;
  readonly branch?: string;
  /** `platform:id` of the requester. */
  readonly person?: string;
};

export type NotifyRule = {
  readonly place: PlaceId;
  /** @default 'all' */
  readonly level?: Level;
  readonly mirror?: MirrorRule;
};

export type ToldRules = {
  readonly notify: readonly NotifyRule[];
  readonly branches: readonly Branch[];
};

export const NO_RULES: ToldRules = { notify: [], branches: [] };

/** What an administrator set in a conversation; it wins over the access file there. */
export type ChatLevel = { readonly level: Level; readonly by: Person; readonly atMs: number };

/** By `placeKey`. One record for all, because there are few. */
export const chatLevels = storedJson<Readonly<Record<string, ChatLevel>>>('notify');

/** As the access file writes it. */
export const placeKey = ({ platform, channel }: PlaceId): string => `${platform}:${channel}`;

/** Whether a level tells an outcome. A flag is a problem, whatever the state. */
export const tells = (level: Level, { state, flag }: Pick<Payment, 'state' | 'flag'>): boolean => {
  if (level === 'all') return true;
  return level === 'problems' && (state !== 'completed' || flag !== undefined);
};

/** Whether a rule tells a payment that is as it is now. An amount in another currency cannot be compared, so it is told. */
export const fits = (
  { states, branch, person }: MirrorRule,
  payment: Payment,
  branches: readonly Branch[],
): boolean => {
  const { state, terms, requester } = payment;
  const from = Object.hasOwn(states, state) ? states[state as MirroredState] : undefined;
  if (from === undefined) return false;
  if (branch !== undefined && branchOf(branches, payment) !== branch) return false;
  if (person !== undefined && `${requester.platform}:${requester.id}` !== person) return false;
  if (from === 'all' || from.currency !== terms.amount.currency) return true;
  return compareMoney(terms.amount, from) >= 0;
};
