import type { ChatGrant } from '../../core/records/access-grants.ts';
import { defined } from '../../core/runtime/defined.ts';
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
    'give-role': answerPress(services, true),
    'no-access': answerPress(services, false),
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
    [done, part.list(await Promise.all(shown.map((grant) => lineOf(grant, services))))],
    { buttons: [...shown.map(takeBackButton), older] },
  );
};

const lineOf = async (grant: ChatGrant, services: Services): Promise<ListItem> => {
  const { chatGrants, givableRoles } = services;
  const doubt = whyVoid(grant, {
    roles: givableRoles().map(({ name }) => name),
    isSealed: chatGrants.isSealed(grant),
    isGiven: await canGive(services, grant),
  });
  const text = grantText(grant, showNear(grant.atMs, momentOf(services)));
  const { platform, id } = grant.to;
  return {
    text: doubt === undefined ? `${text} ·` : `${text}. ${doubt} ·`,
    code: `${platform}:${id}`,
  };
};

const takenBeforeCard = plainCard('It was taken back before', 'Nothing was changed.');

/** A button of the question to the operators: a role, or no. Administrators alone may press, and none for themselves. */
const answerPress = (services: Services, isGiving: boolean): Press => ({
  checksAccessItself: true,
  run: async (pressed, context) => {
    const { chatGrants, givableRoles, settings } = services;
    const { surface, caller, grants } = context;
    const [id = '', key] = pressed.split('.');
    if (!grants.admin)
      return surface.answerPress(
        denial(services, context, { what: 'give access', deed: 'give access' }),
      );
    // Looked up at the press: a role that was taken out of the file since can no longer be given.
    const role = isGiving
      ? givableRoles().find(({ name }) => roleKey(name) === key)?.name
      : undefined;
    if (isGiving && role === undefined) return surface.answerPress(goneRoleCard);
    const given = { by: caller, at: caller.conversation, ...defined({ role }) };
    const answered = await chatGrants.answer(id, given);
    if (answered === undefined) return surface.answerPress(tooOldCard, 'over');
    const { kind, request } = answered;
    if (kind === 'own') return surface.answerPress(ownCard);
    const card = accessEndCard(request, settings.timeZone);
    // The question itself is edited by the notice of the first answer.
    await (kind === 'done' ? surface.replace(card) : surface.answerPress(card));
  },
});

const ownCard = plainCard(
  'You cannot answer your own request',
  'Nothing was changed. Another administrator has to answer.',
);

const goneRoleCard = plainCard(
  'This role is gone',
  'Nothing was changed. The access file has no such role now.',
);

const tooOldCard = plainCard(
  'This request is too old',
  'Nothing was changed. The person can ask again.',
);
