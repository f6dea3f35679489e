import type { AccessRequest } from '../../core/records/access-grants.ts';
import { defined } from '../../core/runtime/defined.ts';
import { showNear } from '../../core/values/format-time.ts';
import { type Button, type Card, plainCard, pressButton } from '../cards/card.ts';
import { isAlone } from '../cards/visibility.ts';
import { type Command, momentOf, type Press, type Services } from '../command.ts';
import { isUsable } from '../command-rights.ts';
import type { Caller } from '../inbound.ts';

/** Between what was tried and the person who tried it, in the data of the button. */
const SEPARATOR = '.';
/** The data of a button is limited. */
const LONGEST_ID = 40;

/** How a role is given in a chat. */
export type RoleGiving = Pick<Services, 'chatGrants' | 'givableRoles'>;

/** Whether a press of the button can reach operators who have a role to give. */
export const canAskForAccess = ({ chatGrants, givableRoles }: RoleGiving): boolean =>
  chatGrants.canAsk && givableRoles().length > 0;

/** Asks the operators to give the caller a role. `what`: what they tried, such as the name of a command. */
export const askAccessButton = (what: string, { id }: Pick<Caller, 'id'>): Button =>
  pressButton('Ask for access', 'ask-access', `${what}${SEPARATOR}${id}`.slice(0, LONGEST_ID));

/** Asks for the presser, also where another person was refused above the button. */
export const askAccessPress = (services: Services, commands: () => readonly Command[]): Press => ({
  checksAccessItself: true,
  run: async (id, context) => {
    const { surface, caller, grants } = context;
    const [what = '', owner] = id.split(SEPARATOR);
    // In a group others see the refusal too: their press does not take the button away from its owner.
    const isTheirs = owner === undefined || owner === caller.id.slice(0, owner.length);
    const answer = (card: Card) => surface.answerPress(card, isTheirs ? 'over' : undefined);
    if (!canAskForAccess(services)) return surface.answerPress(noOperatorsCard);
    const command = commands().find(({ name }) => name === what);
    if (command !== undefined && isUsable(command, grants)) return answer(haveAccessCard);
    const { conversation } = caller;
    const { platform, channel } = conversation;
    const isGuest = await services.isGuest(caller);
    const wish = {
      by: caller,
      conversation,
      ...(isAlone(caller, services.platforms) ? {} : { where: { platform, channel } }),
      ...defined({ tried: triedText(command, what) }),
      ...(isGuest === false ? {} : { isGuest: isGuest === true || ('not known' as const) }),
    };
    const asked = await services.chatGrants.ask(wish, services.settings.timeZone);
    await answer(asked === undefined ? tooManyCard : askedCard(asked, services));
  },
});

/** The button's data comes back from outside: only what is known here is shown to the operators. */
const triedText = (command: Command | undefined, what: string): string | undefined => {
  if (command !== undefined) return `/${command.name}`;
  return what === 'approve' ? 'approve charges' : undefined;
};

const askedCard = (
  { isNew, request }: { readonly isNew: boolean; readonly request: AccessRequest },
  services: Services,
): Card => {
  const { status, answeredBy, role, atMs } = request;
  const by = answeredBy?.name ?? 'The owner';
  if (status === 'granted')
    return plainCard(`${by} gave you access today (${role})`, 'Type the command again.');
  if (status === 'taken back')
    return plainCard(`${by} ended your access today (${role})`, 'You can ask again tomorrow.');
  if (status === 'refused') return plainCard(`${by} said no today`, 'You can ask again tomorrow.');
  return isNew
    ? plainCard('Asked for access', 'I will tell you the answer here.', 'waiting')
    : plainCard(
        'You asked before',
        `You asked ${showNear(atMs, momentOf(services))}. I will tell you the answer.`,
        'waiting',
      );
};

const ASK_OWNER = 'Ask the owner. /whoami shows your id.';

const noOperatorsCard = plainCard('I cannot ask for you here', ASK_OWNER);

const haveAccessCard = plainCard('You have access now', 'Type the command again.', 'good');

const tooManyCard = plainCard('Too many people asked in the last hour', ASK_OWNER);
