import { buttonId, type Draft } from '../core/records/draft.ts';
import { seatKey } from '../core/values/conversation.ts';
import type { Services } from './command.ts';
import type { Caller } from './inbound.ts';

/**
 * What the Cancel button carries of the question before a charge or SMS that waits for the caller here, the newest one
 * of several. Undefined: none does.
 */
export const openQuestion = async (
  { store, clock }: Pick<Services, 'store' | 'clock'>,
  caller: Caller,
): Promise<string | undefined> => {
  const drafts = await store.draftsIn('open', caller);
  const isHere = (draft: Draft) =>
    seatKey(draft.conversation, draft.requester) === seatKey(caller.conversation, caller) &&
    draft.expiresAtMs > clock.now();
  const [newest] = drafts.filter(isHere).sort((one, other) => other.createdAtMs - one.createdAtMs);
  return newest && buttonId(newest);
};
