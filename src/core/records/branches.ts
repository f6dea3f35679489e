import type { Payment } from './payment.ts';

export type Branch = {
  readonly name: string;
  /** `platform:channel`; in no other branch. */
  readonly conversations: readonly string[];
  /** `platform:id` of people; in no other branch. */
  readonly members: readonly string[];
};

/** By what a payment, or a figure of payments, belongs to a branch. */
export type BranchKey = Pick<Payment, 'conversation' | 'requester'>;

/** The branch of a payment: its conversation's, else its requester's; undefined: it belongs to none. */
export const branchOf = (
  branches: readonly Branch[],
  { conversation, requester }: BranchKey,
): string | undefined => {
  const place = `${conversation.platform}:${conversation.channel}`;
  const person = `${requester.platform}:${requester.id}`;
  const found =
    branches.find(({ conversations }) => conversations.includes(place)) ??
    branches.find(({ members }) => members.includes(person));
  return found?.name;
};
