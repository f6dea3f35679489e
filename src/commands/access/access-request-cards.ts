import type { AccessRequest } from '../../core/records/access-grants.ts';
import { placeKey } from '../../core/records/notify-rules.ts';
import { showBeside } from '../../core/values/format-time.ts';
import { shortIdFrom } from '../../core/values/transaction-id.ts';
import { type Card, cardOf, idFact, part, personFact, pressButton } from '../cards/card.ts';

/** A role that can be given in the chat, and what it grants, in some words. */
export type GivableRole = { readonly name: string; readonly grants: string };

/** A role in the data of a button, where its name may be too long. */
export const roleKey = (role: string): string => shortIdFrom(`role ${role}`);

export const accessRequestCard = (request: AccessRequest, roles: readonly GivableRole[]): Card => {
  const { id, by, tried, isGuest, where } = request;
  return cardOf(
    `${by.name} asks for access`,
    [
      part.facts(
        personFact('Asked by', by),
        ...(tried === undefined
          ? []
          : [{ label: 'Tried', value: tried, namesCommands: true as const }]),
        ...(where === undefined ? [] : [idFact('Conversation', placeKey(where))]),
      ),
      where === undefined
        ? part.text('Asked in a private chat. A role works there only.')
        : part.text('A role works in that chat and in private.', {
            words: 'that chat',
            conversation: where,
          }),
      isGuest === undefined ? undefined : part.warning(GUEST[`${isGuest}`]),
    ],
    {
      tone: 'waiting',
      buttons: [
        ...roles.map(({ name, grants }) =>
          pressButton(`Give ${name}: ${grants}`, 'give-role', `${id}.${roleKey(name)}`),
        ),
        pressButton('No', 'no-access', id, { style: 'danger' }),
      ],
    },
  );
};

const GUEST = {
  true: 'This person is a guest.',
  'not known': 'I cannot see now whether this person is a guest.',
} as const;

/** The question once it is answered. */
export const accessEndCard = (request: AccessRequest, timeZone: string): Card => {
  const { by, role, answeredBy, answeredAtMs } = request;
  const isGiven = request.status === 'granted';
  return cardOf(
    isGiven ? `${by.name} has access now (${role})` : `No access for ${by.name}`,
    [
      part.facts(
        personFact('Asked by', by),
        ...(answeredBy === undefined
          ? []
          : [personFact(isGiven ? 'Given by' : 'Refused by', answeredBy)]),
        ...(answeredAtMs === undefined
          ? []
          : [{ label: 'Answered at', value: showBeside(request.atMs, answeredAtMs, timeZone) }]),
      ),
      isGiven ? part.note('To take it back, type /access.') : undefined,
    ],
    { tone: isGiven ? 'good' : 'bad' },
  );
};

export const accessNewsCard = ({ status, by, role, tried, ...request }: AccessRequest): Card => {
  const { where, answeredBy } = request;
  const who = answeredBy?.name ?? 'The owner';
  if (status === 'taken back')
    return cardOf(
      `${who} ended your access (${role})`,
      [part.text('You can no longer use what it gave you. /help shows all you can do.')],
      { mention: by },
    );
  if (status !== 'granted')
    return cardOf(`${who} gave you no access`, [part.text('You can ask again tomorrow.')], {
      tone: 'bad',
      mention: by,
    });
  const place = where === undefined ? 'in this private chat' : 'here or in a private chat with me';
  const toTry = part.example(tried === '/charge' ? '/charge 0244123456 50' : '/help');
  return cardOf(`${who} gave you access (${role})`, [part.text(`Use it ${place}. Try:`), toTry], {
    tone: 'good',
    mention: by,
  });
};
