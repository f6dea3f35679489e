import type { Role } from '../commands/access/access-file.ts';
import { grantText, whyVoid } from '../commands/access/chat-access.ts';
import { isGivable } from '../commands/access/grants.ts';
import type { Config } from '../config/config.ts';
import { type ChatGrant, chatGrants } from '../core/records/access-grants.ts';
import { chatGrantSeal, type SealSecrets } from '../core/records/seals.ts';
import { suspensionList } from '../core/records/stored-values.ts';
import { StartError } from '../core/runtime/errors.ts';
import { showTime } from '../core/values/format-time.ts';
import { readStored } from './read-store.ts';

export type GrantsShown = {
  readonly grants: readonly ChatGrant[];
  readonly isSealed: (grant: ChatGrant) => boolean;
  /** `platform:id` of the people who are stopped. */
  readonly stopped: ReadonlySet<string>;
  readonly silence?: string;
};

/** Read beside a Paythread that runs, or without one. Never rejects: the file can be checked without the store. */
export const readChatGrants = async (config: Config): Promise<GrantsShown> => {
  const seal = chatGrantSeal(await sealSecretOf(config));
  const isSealed = (grant: ChatGrant) => seal.isOn(grant);
  try {
    const grants = (await readStored(config, chatGrants)) ?? [];
    const suspensions = (await readStored(config, suspensionList)) ?? [];
    return { grants, isSealed, stopped: new Set(suspensions.map(({ of }) => of)) };
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return { grants: [], isSealed, stopped: new Set(), silence: error.message };
  }
};

/** Whether the giver of a role may give it still. Who is in a user group is not asked here. */
export const isGivenStill = (
  roles: readonly Role[],
  { by, givenIn }: ChatGrant,
  stopped: ReadonlySet<string>,
): boolean =>
  !stopped.has(`${by.platform}:${by.id}`) &&
  roles.some(
    ({ admin, members }) =>
      admin &&
      members.some(
        ({ platform, kind, id }) =>
          platform === by.platform && (kind === 'group' || id === by.id || id === givenIn?.channel),
      ),
  );

/** The part of the overview about them; undefined: nothing was given. */
export const grantsText = (
  { grants, isSealed, stopped, silence }: GrantsShown,
  roles: readonly Role[],
  timeZone: string,
): string | undefined => {
  if (silence !== undefined) return `! What was given in the chat is not shown.\n  ${silence}`;
  if (grants.length === 0) return undefined;
  const names = roles.filter(isGivable).map(({ name }) => name);
  const lines = grants.map((grant) => {
    const doubt = whyVoid(grant, {
      roles: names,
      isSealed: isSealed(grant),
      isGiven: isGivenStill(roles, grant, stopped),
    });
    const text = grantText(grant, showTime(grant.atMs, timeZone));
    return `  ${grant.to.platform}:${grant.to.id} ${text}${doubt === undefined ? '' : `. ${doubt}`}`;
  });
  return ['Given in the chat, and taken back with /access', ...lines].join('\n');
};

/** As the started program has it: with another key no grant counts. */
const sealSecretOf = async ({ payments }: Config): Promise<SealSecrets> =>
  payments.kind === 'service'
    ? payments.sealSecret
    : (await import('../sandbox/sandbox.ts')).MERCHANT.secretKey;
