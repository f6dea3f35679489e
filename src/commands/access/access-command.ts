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
import {
  type Command,
  type CommandRecord,
  type Context,
  inPlace,
  momentOf,
  type Press,
  type Services,
} from '../command.ts';
import { accessEndCard, roleKey } from './access-request-cards.ts';
import { askAccessPress } from './ask-access.ts';
import { canGive, grantText, takeBackButton, whyVoid } from './chat-access.ts';
import { denial } from './denial.ts';

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
        if (taken === undefined) return surface.answerPress(takenBeforeCard);
        const done = part.text(`${taken.to.name} no longer has access (${taken.role}).`);
        await surface.replace(await listCard(services, { done }));
      },
    },
    [OLDER]: inPlace((id) => listCard(services, { from: pageStart(id) })),
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

/** The buttons of the question to the operators: a role, or no. Administrators alone may press, and none for themselves. */
const answerAccessPresses = (
  services: Services,
): Readonly<Record<'give-role' | 'no-access', Press>> => ({
  'give-role': {
    checksAccessItself: true,
    run: async (pressed, context) => {
      const [id = '', key] = pressed.split('.');
      if (!context.grants.admin) return refuse(services, context);
      // Looked up at the press: a role that was taken out of the file since can no longer be given.
      const role = services.givableRoles().find(({ name }) => roleKey(name) === key);
      if (role === undefined) return context.surface.answerPress(goneRoleCard);
      await answer(services, context, id, role.name);
    },
  },
  'no-access': {
    checksAccessItself: true,
    run: async (id, context) => {
      if (!context.grants.admin) return refuse(services, context);
      await answer(services, context, id);
    },
  },
});

const refuse = (services: Services, context: Context): Promise<void> =>
  context.surface.answerPress(
    denial(services, context, { what: 'give access', deed: 'give access' }),
  );

const answer = async (
  { chatGrants, settings: { timeZone } }: Services,
  { caller, surface }: Context,
  id: string,
  role?: string,
): Promise<void> => {
  const given = { by: caller, at: caller.conversation, ...(role === undefined ? {} : { role }) };
  const answered = await chatGrants.answer(id, given);
  if (answered === undefined) return surface.answerPress(tooOldCard, 'over');
  const { kind, request } = answered;
  if (kind === 'own') return surface.answerPress(ownCard);
  const card = accessEndCard(request, timeZone);
  // The question itself is edited by the notice of the first answer.
  await (kind === 'done' ? surface.replace(card) : surface.answerPress(card));
};

const ownCard: Card = plainCard(
  'You cannot answer your own request',
  'Nothing was changed. Another administrator has to answer.',
);

const goneRoleCard: Card = plainCard(
  'This role is gone',
  'Nothing was changed. The access file has no such role now.',
);

const tooOldCard: Card = plainCard(
  'This request is too old',
  'Nothing was changed. The person can ask again.',
);
