import { type BranchKey, branchOf } from '../../core/records/branches.ts';
import type { DigestScope } from '../../core/records/digest.ts';
import { merchantOf } from '../../core/records/merchants.ts';
import { placeKey } from '../../core/records/notify-rules.ts';
import { addedUp, type PaymentFigure } from '../../core/records/payment-figures.ts';
import { defined } from '../../core/runtime/defined.ts';
import type { Conversation } from '../../core/values/conversation.ts';
import type { Services } from '../command.ts';
import type { DayFigure } from './sums.ts';
import { branchKeyOf } from './sums-by-group.ts';

/** A conversation of a merchant or a branch is told of its own payments, any other of all. */
export const scopeOf = (
  place: Conversation,
  { settings, notify }: Pick<Services, 'settings' | 'notify'>,
): DigestScope => {
  const { branches } = notify.rules;
  return defined({
    merchant: merchantOf(settings.merchants, place)?.name,
    branch: branches.find(({ conversations }) => conversations.includes(placeKey(place)))?.name,
  });
};

/** `of`: the merchant of a payment or of a figure. */
export const isInScope = (
  { merchant, branch }: DigestScope,
  of: string | null | undefined,
  place: BranchKey,
  { notify }: Pick<Services, 'notify'>,
): boolean =>
  (merchant === undefined || of === merchant) &&
  (branch === undefined || branchOf(notify.rules.branches, place) === branch);

/** What figures are read by, so that those of a merchant, a branch or a person can be taken from them. */
export const SCOPE_GROUPS = ['requester', 'place', 'merchant'] as const;
export type ScopedFigure = DayFigure<(typeof SCOPE_GROUPS)[number]>;

export const inScope = <Each extends ScopedFigure>(
  figures: readonly Each[],
  scope: DigestScope,
  from: Pick<Services, 'notify'>,
): Each[] =>
  figures.filter(({ merchant, place, requester }) =>
    isInScope(scope, merchant, branchKeyOf(place, requester), from),
  );

/** By state and currency alone: a flag that is raised later changes no sum. */
export const summed = (figures: readonly ScopedFigure[]): PaymentFigure[] => {
  const plain = figures.map(({ state, currency, count, amountMinor, givenBackMinor = 0 }) => {
    return { state, currency, count, amountMinor, givenBackMinor, flag: null };
  });
  return [...addedUp(plain, ({ state, currency }) => `${state} ${currency}`).values()];
};
