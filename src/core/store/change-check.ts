import type { Change } from '../records/records.ts';

/** Nothing to store at all. */
export const isEmpty = (change: Change): boolean =>
  namesIn(change).length === 0 && !change.audit?.length;

/** Mistakes in the program, not conflicts between two callers, so they are not answered with `false`. */
export const mustBeOrderly = (change: Change): void => {
  const names = namesIn(change);
  if (new Set(names).size < names.length)
    throw new Error(`A change names a record twice: ${names.join(', ')}`);
  if (change.remove?.some(({ kind }) => kind === 'payment'))
    throw new Error('A payment is never removed.');
};

const namesIn = ({ put = [], remove = [] }: Change): string[] => [
  ...put.map(({ kind, record }) => `${kind}/${record.id}`),
  ...remove.map(({ kind, id }) => `${kind}/${id}`),
];
