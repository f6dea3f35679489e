import type { Bot } from '../bots/bot.ts';
import type { IsGuest, MembersOf } from '../commands/access/membership-answers.ts';

/**
 * What the access rules ask the platforms, whose bots are added to `bots` later.
 * @throws {Error} before there are bots: a grant must not depend on the order of the start.
 */
export const directoryIn = (
  bots: ReadonlyMap<string, Bot>,
): { readonly membersOf: MembersOf; readonly isGuest: IsGuest } => {
  const botOf = (platform: string): Bot | undefined => {
    if (bots.size === 0) throw new Error('the bots are not created yet');
    return bots.get(platform);
  };
  return {
    membersOf: async (platform, groupId) => {
      const members = botOf(platform)?.membersOf?.(groupId);
      if (members === undefined) throw new Error(`${platform} has no user groups here`);
      return members;
    },
    isGuest: async (platform, personId) => (await botOf(platform)?.isGuest?.(personId)) ?? false,
  };
};
