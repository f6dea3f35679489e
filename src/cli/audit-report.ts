import type { AuditVerdict } from '../core/store/audit-verdict.ts';
import { paymentsText } from './tally-text.ts';

/** What `npm run audit -- verify` prints of a trail. */
export const auditReport = (
  verdict: AuditVerdict,
  { place, noted }: { place: string; noted?: string },
): string => {
  const { places, broken } = verdict;
  return [
    broken === 0 ? wholeText(verdict, place) : brokenText(verdict, place),
    ...(broken === 0 ? [] : [listOf(places, broken)]),
    ...(broken === 0 ? [] : [sumsText(verdict)]),
    ...(noted === undefined ? [] : [notedText(verdict, noted)]),
    ...(broken === 0 ? [headText(verdict)] : []),
  ].join('\n\n');
};

/** Whether it is as it has to be. */
export const isWhole = ({ broken, hasNoted }: AuditVerdict): boolean =>
  broken === 0 && hasNoted !== false;

const wholeText = ({ rows, stored }: AuditVerdict, place: string): string =>
  `The audit trail in ${place} is whole: ${countOf(rows, 'row')} follow one another from the first on, and lead to what is stored: ${paymentsText(stored)}.`;

const brokenText = ({ rows, broken }: AuditVerdict, place: string): string =>
  `The audit trail in ${place} is broken in ${countOf(broken, 'place')} (${countOf(rows, 'row')} were read):`;

const listOf = (places: readonly string[], broken: number): string => {
  const more = broken - places.length;
  return [
    ...places.map((each) => `  ${each}`),
    ...(more > 0 ? [`  and ${more.toLocaleString('en')} more`] : []),
  ].join('\n');
};

const sumsText = ({ stored, audited }: AuditVerdict): string =>
  `Stored: ${paymentsText(stored)}.\nIn the trail: ${paymentsText(audited)}.\nKeep everything as it is, and compare it with a backup before anything is mended.`;

const notedText = ({ hasNoted }: AuditVerdict, noted: string): string =>
  hasNoted
    ? `The head that was noted earlier is part of it: ${noted}`
    : `The head that was noted earlier is not part of it: ${noted}\nThe trail was written again since, or the store went back to a backup from before, or the head is of another store.`;

const headText = ({ head }: AuditVerdict): string =>
  `Its head is ${head}\nKeep that in another place. A person who can write all data here could rewrite the whole trail without a trace. "npm run audit -- verify --from <head>" shows that, as long as they cannot change the head you kept.`;

const countOf = (count: number, what: string): string =>
  `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;
