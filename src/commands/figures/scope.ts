import { type BranchKey, branchOf } from '../../core/records/branches.ts';
import type { DigestScope } from '../../core/records/digest.ts';
import { merchantOf } from '../../core/records/merchants.ts';
import { placeKey } from '../../core/records/notify-rules.ts';
import { defined } from '../../core/runtime/defined.ts';
import type { Conversation } from '../../core/values/conversation.ts';
import type { Services } from '../command.ts';

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
