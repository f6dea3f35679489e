import type { DigestScope } from '../../core/records/digest.ts';
import { addedUp, type PaymentFigure } from '../../core/records/payment-figures.ts';
import type { Services } from '../command.ts';
import { isInScope } from './scope.ts';
import type { DayFigure } from './sums.ts';
import { branchKeyOf } from './sums-by-group.ts';

/** What figures are read by, so that those of a merchant, a branch or a person can be taken from them. */
export const SCOPE_GROUPS = ['requester', 'place', 'merchant'] as const;
export type ScopedFigure = DayFigure<(typeof SCOPE_GROUPS)[number]>;

export const inScope = (
  figures: readonly ScopedFigure[],
  scope: DigestScope,
  from: Pick<Services, 'notify'>,
): ScopedFigure[] =>
  figures.filter(({ merchant, place, requester }) =>
    isInScope(scope, merchant, branchKeyOf(place, requester), from),
  );

/** By state and currency alone: a flag that is raised later changes no sum. */
export const summed = (figures: readonly ScopedFigure[]): PaymentFigure[] => {
  const plain = figures.map(({ requester: _, place: __, merchant: ___, day: ____, ...rest }) => {
    return { ...rest, flag: null };
  });
  return [...addedUp(plain, ({ state, currency }) => `${state} ${currency}`).values()];
};
