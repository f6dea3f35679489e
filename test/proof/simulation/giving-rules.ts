import { shortIdFrom } from '../../../src/core/values/transaction-id.ts';
import type { Rule } from './stories.ts';

/**
 * 21: never more is given back than was collected, each amount once for the event that wrote it down, with its audit
 * row, by a person who might, and what they were told is what is stored.
 */
export const givenBackOnce: Rule = ({ id, payment, audit, charges }, { people }) => {
  const { givenBack = [], notes = [] } = payment ?? {};
  const rows = audit.filter(({ what }) => what === 'given back');
  const sum = givenBack.reduce((total, { amountMinor }) => total + amountMinor, 0);
  const wrong: string[] = [];
  const most = payment?.state === 'completed' ? payment.terms.amount.amountMinor : 0;
  if (sum > most) wrong.push(`21: ${sum} is given back of ${most}`);
  if (sum > 0 && charges.length === 0) wrong.push('21: given back, and never collected');
  if (new Set(givenBack.map((one) => one.id)).size < givenBack.length)
    wrong.push('21: given back twice for one event');
  if (
    JSON.stringify(rows.map(amountIn)) !== JSON.stringify(givenBack.map((one) => one.amountMinor))
  )
    wrong.push(`21: ${givenBack.length} given back, ${rows.length} audited`);
  if (audit.filter(({ what }) => what === 'noted').length !== notes.length)
    wrong.push('21: a note and its audit row are not the same');
  for (const { by, approver } of givenBack) {
    if (people.staff.isForger(by)) wrong.push(`21: given back by ${by.id}, who may not`);
    if (approver !== undefined && approver.id === by.id)
      wrong.push(`21: ${by.id} approved their own`);
  }
  const told = new Set(
    people.shown.flatMap(({ happening: { eventId, what }, card }) =>
      what.kind === 'form' && what.answers['of'] === id && /^Written down/.test(card.title)
        ? [shortIdFrom(eventId)]
        : [],
    ),
  );
  const stored = new Set(givenBack.map((one) => one.id));
  for (const eventId of told)
    if (!stored.has(eventId)) wrong.push('21: said to be written down, and lost');
  return wrong;
};

const amountIn = ({ detail }: { readonly detail?: Readonly<Record<string, unknown>> }): unknown =>
  (detail?.['amount'] as { amountMinor?: number } | undefined)?.amountMinor;
