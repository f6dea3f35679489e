import type { Log } from '../../core/runtime/log.ts';
import type { Caller } from '../inbound.ts';
import { type PlatformDirectory, type Unanswered, whyUnanswered } from './role-membership.ts';

export type MembersOf = (platform: string, groupId: string) => Promise<ReadonlySet<string>>;

/** Whether a person is less than a full member of the workspace: a guest, or of another company. */
export type IsGuest = (platform: string, personId: string) => Promise<boolean>;

export type MembershipQuestions = {
  readonly membersOf: MembersOf;
  /** @default no person is a guest */
  readonly isGuest?: IsGuest;
  readonly log: Log;
};

/** What platforms answer about their people. A question without an answer is logged once. */
export const membershipAnswers = ({
  membersOf,
  isGuest = async () => false,
  log,
}: MembershipQuestions): ((caller: Caller) => PlatformDirectory) => {
  const unanswered = new Set<string>();
  const told = async (
    about: { group: string } | { person: string },
    ask: () => Promise<boolean>,
  ): Promise<boolean | Unanswered> => {
    const key = JSON.stringify(about);
    try {
      const answer = await ask();
      unanswered.delete(key);
      return answer;
    } catch (error) {
      // Logged once, and again only after it worked in between: every command asks.
      if (!unanswered.has(key))
        log.error({ err: error, ...about }, 'nothing is granted that hangs on it: no answer');
      unanswered.add(key);
      return whyUnanswered(error);
    }
  };
  return (caller) => {
    // One answer for all roles.
    let guest: Promise<boolean | Unanswered> | undefined;
    return {
      isInGroup: ({ platform, id }) =>
        told({ group: `${platform}:${id}` }, async () =>
          (await membersOf(platform, id)).has(caller.id),
        ),
      isGuest: () => {
        guest ??= told({ person: `${caller.platform}:${caller.id}` }, () =>
          isGuest(caller.platform, caller.id),
        );
        return guest;
      },
    };
  };
};
