import type { DigestScope } from '../../core/records/digest.ts';
import { addedUp, type PaymentFigure } from '../../core/records/payment-figures.ts';
import type { Services } from '../command.ts';
import { isInScope } from './scope.ts';
import type { DayFigure } from './sums.ts';
import { branchKeyOf } from './sums-by-group.ts';

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
