import type { Payment } from '../../../src/core/records/payment.ts';
import type { AuditRow } from '../../../src/core/records/records.ts';
import type { Charge } from './charges.ts';
import type { Attempt } from './chat.ts';
import type { Posting } from './gateway.ts';
import { draftIn, type Question } from './happenings.ts';
import type { Stored } from './premises.ts';
import { allTold, type Told } from './told.ts';
import type { World } from './world.ts';

/** One payment, with everything that any book says about it. */
export type Story = {
  readonly id: string;
  readonly postings: readonly Posting[];
  readonly charges: readonly Charge[];
  readonly questions: readonly Question[];
  readonly told: readonly Told[];
  readonly attempts: readonly Attempt[];
  /** What Paythread itself has in its store. */
  readonly payment: Payment | undefined;
  readonly audit: readonly AuditRow[];
};

/** What an oracle finds wrong, in words. */
export type Rule = (story: Story, world: World) => string[];

export const storiesOf = (world: World, stored: Stored): Story[] => {
  const { postings, charges } = world.gateway;
  const byPosting = Map.groupBy(postings, ({ id }) => id);
  const byCharge = Map.groupBy(charges, ({ id }) => id);
  const byDraft = new Map(
    stored.audit.flatMap(({ kind, id, detail }) =>
      kind === 'payment' && detail?.['draft'] !== undefined ? [[detail['draft'], id]] : [],
    ),
  );
  const byQuestion = Map.groupBy(
    world.people.questions,
    ({ transactionId, buttonId }) => transactionId ?? byDraft.get(draftIn(buttonId)) ?? '',
  );
  const byTold = Map.groupBy(allTold(world.chats), ({ transactionId }) => transactionId);
  const attempts = world.chats.flatMap((chat) => chat.attempts);
  const byAttempt = Map.groupBy(attempts, ({ key }) => key.slice(0, 16));
  const payments = new Map<string, Payment>();
  for (const { kind, record } of stored.records)
    if (kind === 'payment') payments.set(record.id, record);
  const rows = Map.groupBy(
    stored.audit.filter(({ kind }) => kind === 'payment'),
    ({ id }) => id,
  );
  const ids = new Set([
    ...byPosting.keys(),
    ...[...byQuestion.keys()].filter((id) => id !== ''),
    ...byTold.keys(),
    ...payments.keys(),
  ]);
  return [...ids].map((id) => ({
    id,
    postings: byPosting.get(id) ?? [],
    charges: byCharge.get(id) ?? [],
    questions: byQuestion.get(id) ?? [],
    told: byTold.get(id) ?? [],
    attempts: byAttempt.get(id) ?? [],
    payment: payments.get(id),
    audit: rows.get(id) ?? [],
  }));
};
