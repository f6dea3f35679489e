import type { Caller } from '../inbound.ts';
import type { Member, Role } from './access-file.ts';

/** Whether a caller holds a role in this conversation, and through which entry under `members`. */
export type Membership =
  | { readonly kind: 'held'; readonly by: Member }
  /** The entry would fit, and something else is in the way. */
  | { readonly kind: 'withheld'; readonly by: Member; readonly why: Withheld }
  | { readonly kind: 'not held' };

/** Why the platform gave no answer: it cannot be asked at the moment, or the app lacks the permission to ask. */
export type Unanswered = 'not known' | 'not permitted';

/** The platform refuses an answer because the app was installed without the permission to ask. */
export class NotPermittedError extends Error {}

/** Why an error left a question to the platform without an answer. */
export const whyUnanswered = (error: unknown): Unanswered =>
  error instanceof NotPermittedError ? 'not permitted' : 'not known';

/** Why an entry that fits grants nothing. */
export type Withheld = 'guest' | Unanswered;

/** What only the platform knows. */
export type PlatformDirectory = {
  isInGroup(group: Member): Promise<boolean | Unanswered>;
  isGuest(): Promise<boolean | Unanswered>;
};

/**
 * Decided by ids alone. An entry of the person's own was written for them. A channel or a group grants to full
 * members only: guests get into it without the access file.
 */
export const membershipOf = async (
  role: Role,
  caller: Caller,
  platform: PlatformDirectory,
): Promise<Membership> => {
  const entries = role.members.filter((member) => member.platform === caller.platform);
  const own = entries.find(({ kind, id }) => kind === 'person' && id === caller.id);
  if (own !== undefined) return { kind: 'held', by: own };
  const there = await membershipThroughPlace(entries, caller, platform);
  if (there.kind !== 'held') return there;
  const isGuest = await platform.isGuest();
  if (isGuest === false) return there;
  return { kind: 'withheld', by: there.by, why: isGuest === true ? 'guest' : isGuest };
};

const membershipThroughPlace = async (
  entries: readonly Member[],
  { conversation, isAmongReaders }: Caller,
  platform: PlatformDirectory,
): Promise<Membership> => {
  const isIn = ({ kind, id }: Member) => kind === 'place' && id === conversation.channel;
  const place = isAmongReaders === true ? undefined : entries.find(isIn);
  if (place !== undefined) return { kind: 'held', by: place };
  const groups = entries.filter(({ kind }) => kind === 'group');
  const answers = await Promise.all(groups.map((group) => platform.isInGroup(group)));
  const group = groups.find((_, index) => answers[index] === true);
  if (group !== undefined) return { kind: 'held', by: group };
  for (const [index, why] of answers.entries()) {
    const by = groups[index];
    if (typeof why === 'string' && by !== undefined) return { kind: 'withheld', by, why };
  }
  return { kind: 'not held' };
};
