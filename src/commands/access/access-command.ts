import type { ChatGrant } from '../../core/records/access-grants.ts';
import { showNear } from '../../core/values/format-time.ts';
import {
  type Card,
  type CardPart,
  cardOf,
  type ListItem,
  pageOf,
  pageStart,
  part,
  plainCard,
} from '../cards/card.ts';
import { type Command, type CommandRecord, momentOf, type Services } from '../command.ts';
import { answerAccessPresses } from './answer-access.ts';
import { askAccessPress } from './ask-access.ts';
import { canGive, grantText, takeBackButton, whyVoid } from './chat-access.ts';

/** Grants on one card: each has a button. */
const PAGE_LENGTH = 20;
const OLDER = 'older-access';

/** `/access`: the roles that were given in the chat, each with a button that takes it back. */
export const accessCommand = (
  services: Services,
  commands: () => readonly Command[],
): CommandRecord => ({
  summary: 'See who was given access in the chat, and take it back',
  deed: 'manage access',
  usage: '',
  examples: [''],
  run: async (_words, { surface }) => surface.say(await listCard(services)),
  presses: {
    'ask-access': askAccessPress(services, commands),
    ...answerAccessPresses(services),
    'take-back': {
      run: async (id, { caller, surface }) => {
        const { chatGrants } = services;
        const taken = await chatGrants.takeBack(id, caller, caller.conversation);
        if (taken === undefined) return surface.refusePress(takenBeforeCard);
        const done = part.text(`${taken.to.name} has ${taken.role} no more.`);
        await surface.replace(await listCard(services, { done }));
      },
    },
    [OLDER]: {
      run: async (id, { surface }) =>
        surface.replace(await listCard(services, { from: pageStart(id) })),
    },
  },
});

/** `done`: what a press has just changed. `from`: how many newer grants are left out. */
const listCard = async (
  services: Services,
  { done, from = 0 }: { readonly done?: CardPart; readonly from?: number } = {},
): Promise<Card> => {
  const all = (await services.chatGrants.all()).toReversed();
  if (all.length === 0)
    return cardOf('No access was given in the chat', [
      done,
      part.text('The access file alone says what people may do.'),
      part.text('To get more, a person types /help and presses Ask for access.'),
    ]);
  const { shown, older } = pageOf(all, from, PAGE_LENGTH, OLDER);
  return cardOf(
    'Access given in the chat',
    [done, part.list(await Promise.all(shown.map(lineOf(services))))],
    { buttons: [...shown.map(takeBackButton), older] },
  );
};

const lineOf =
  (services: Services) =>
  async (grant: ChatGrant): Promise<ListItem> => {
    const { chatGrants, givableRoles } = services;
    const doubt = whyVoid(grant, {
      roles: givableRoles().map(({ name }) => name),
      isSealed: chatGrants.isSealed(grant),
      isGiven: await canGive(services, grant),
    });
    const text = grantText(grant, showNear(grant.atMs, momentOf(services)));
    const { platform, id } = grant.to;
    return {
      text: `${text}${doubt === undefined ? '' : `. ${doubt}`} ·`,
      code: `${platform}:${id}`,
    };
  };

const takenBeforeCard = plainCard('It was taken back before', 'Nothing was changed.');
