import { buttonId, type Draft } from '../core/records/draft.ts';
import { seatKey } from '../core/values/conversation.ts';
import type { Services } from './command.ts';
import type { Caller } from './inbound.ts';

/** The id of the Cancel button of the caller's newest open question here. Undefined: there is none. */
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
