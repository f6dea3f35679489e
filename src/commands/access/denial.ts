import type { Suspension } from '../../core/records/stored-values.ts';
import type { Log } from '../../core/runtime/log.ts';
import { type Moment, showNear } from '../../core/values/format-time.ts';
import { type Card, cardOf, type Fact, idFact, part, plainCard } from '../cards/card.ts';
import { type Context, momentOf, type Services } from '../command.ts';
import type { Caller, Inbound } from '../inbound.ts';
import { askAccessButton, canAskForAccess, type RoleGiving } from './ask-access.ts';
import type { Withheld } from './role-membership.ts';

/** For an investigation: who tried what and where, by ids. What was typed stays out of the log. */
export const logRefusal = (
  log: Log,
  { caller: { platform, id, conversation }, eventId }: Inbound,
  what: string,
): void =>
  log.warn(
    {
      event: eventId,
      what,
      who: `${platform}:${id}`,
      where: `${platform}:${conversation.channel}`,
    },
    'refused: not granted',
  );

export type DenialNeeds = Pick<Services, 'log' | 'clock' | 'chatGrants' | 'givableRoles'> & {
  readonly settings: Pick<Services['settings'], 'timeZone'>;
};

/**
 * The answer to a caller without the right to `deed`: why the rights of a channel or group do not count, and the id that
 * an administrator can grant. Logs the attempt as `what`.
 */
export const denial = (
  needs: DenialNeeds,
  context: Context,
  { what, deed }: { readonly what: string; readonly deed: string },
): Card => {
  const { suspended, withheld } = context.grants;
  logRefusal(needs.log, context, what);
  if (suspended !== undefined) return suspendedCard(suspended, momentOf(needs));
  const { parts, buttons } = wayToAccess(needs, context.caller, what);
  const why = withheld === undefined ? undefined : part.text(WITHHELD[withheld]);
  return cardOf(`You cannot ${deed} yet`, [why, ...parts], { tone: 'warning', buttons });
};

/** The answer to an approver's press without the right to approve. The question stays open for others. */
export const mayNotApprove = (needs: DenialNeeds, context: Context): Card =>
  denial(needs, context, { what: 'approve', deed: 'approve charges' });

export const suspendedCard = ({ by, atMs }: Suspension, moment: Moment): Card =>
  plainCard(
    'You are stopped and can do nothing here',
    `Nothing was done. ${by.name} stopped you (${showNear(atMs, moment)}). Ask ${by.name}.`,
    'warning',
  );

/** The next step where a right was lost since the question was shown. */
export const CAN_CHANGE = 'The owner can change that.';

/** How a person without access gets it. `what`: as of the button. */
export const wayToAccess = (needs: RoleGiving, caller: Caller, what: string) => {
  const canAsk = canAskForAccess(needs);
  const step = canAsk
    ? part.byButtons(
        'Ask for access. The answer comes here.',
        'Send /help to ask for access. The answer comes here.',
      )
    : part.text('Ask the owner for access. Send them your id.');
  return {
    parts: [step, part.facts(ownIdFact(caller))],
    buttons: [canAsk ? askAccessButton(what, caller) : undefined],
  };
};

/** Why an entry of the access file grants nothing, for the person concerned. */
export const WITHHELD: Readonly<Record<Withheld, string>> = {
  guest: 'A guest needs access of their own. The access of a channel or group is not for guests.',
  'not known': 'I cannot see now who is a guest or in a group. Try again in a minute.',
  'not permitted':
    'I may not see who is a guest or in a group. A channel or group gives no access until I may. The owner can run npm run doctor.',
};

const ownIdFact = ({ platform, id }: Caller): Fact => idFact('Your id', `${platform}:${id}`);

export const idsOf = (caller: Caller): Fact[] => {
  const { platform, id, conversation } = caller;
  if (conversation.channel === id) return [ownIdFact(caller)];
  const here = idFact('Id of this conversation', `${platform}:${conversation.channel}`);
  return [ownIdFact(caller), here];
};
