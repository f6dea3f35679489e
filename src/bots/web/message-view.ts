import type { Card, Fact } from '../../commands/cards/card.ts';
import { defined } from '../../core/runtime/defined.ts';
import type { Person } from '../../core/values/conversation.ts';
import { cardToMessage } from '../slack/card-to-blocks.ts';
import { cardToHtml } from '../telegram/card-to-html.ts';
import { blocksToViews } from './blocks-to-view.ts';
import { htmlToViews, keyboardToView } from './html-to-view.ts';
import { PEOPLE } from './people.ts';
import type { RoomMessage } from './room.ts';
import { element, type View, type ViewElement } from './view.ts';

const BOT = 'Paythread';

/** People are named: ids of the page mean nothing to Slack and Telegram, whose renderers would show them. */
const withNames = (card: Card): Card => ({
  ...card,
  ...defined({
    mention: card.mention && named(card.mention),
    calls: card.calls?.map((called) => ('id' in called ? named(called) : called)),
  }),
  parts: card.parts.map((part) =>
    part.kind === 'facts' ? { ...part, facts: part.facts.map(withoutId) } : part,
  ),
});

const named = (person: Person): Person => ({
  ...person,
  name: Object.values(PEOPLE).find(({ id }) => id === person.id)?.name ?? person.name,
});

const withoutId = ({ person, ...fact }: Fact): Fact =>
  person === undefined || person.platform === 'web' ? fact : { ...fact, person };

/** A message as its platform would draw it. `quoted`: the words of the message that it answers. */
export const messageView = (message: RoomMessage, quoted: string | undefined): ViewElement =>
  message.look === 'slack' ? inSlack(message) : inTelegram(message, quoted);

const fileViews = (file: RoomMessage['file']): ViewElement[] =>
  file === undefined
    ? []
    : [{ tag: 'a', attributes: { download: file.name, href: file.href }, children: [file.name] }];

const inSlack = ({ id, said, under, onlyFor, file }: RoomMessage): ViewElement => {
  const by = 'by' in said ? said.by : BOT;
  const head = [
    element('b', 'name', [by]),
    ...('by' in said ? [] : [element('small', 'app', ['APP'])]),
  ];
  const body =
    'by' in said
      ? [element('p', 'words', [said.text])]
      : blocksToViews(cardToMessage(withNames(said)).blocks);
  return messageElement(id, ['slack', under === undefined ? '' : 'reply'], by, [
    ...(onlyFor === undefined ? [] : [element('p', 'private', ['Only visible to you'])]),
    ...(under === undefined ? [] : [element('p', 'thread', ['In the thread'])]),
    element('p', 'head', head),
    ...body,
    ...fileViews(file),
  ]);
};

const inTelegram = (
  { id, said, onlyFor, file }: RoomMessage,
  quoted: string | undefined,
): ViewElement => {
  const by = 'by' in said ? said.by : BOT;
  const card = 'by' in said ? undefined : cardToHtml(withNames(said));
  const words = 'by' in said ? [said.text] : htmlToViews(card?.html ?? '');
  return messageElement(id, ['telegram', 'by' in said ? 'typed' : ''], by, [
    element('div', 'bubble', [
      ...(onlyFor === undefined ? [] : [element('p', 'private', ['Sent to you privately'])]),
      element('p', 'head', [element('b', 'name', [by])]),
      ...(quoted === undefined ? [] : [element('p', 'quoted', [quoted])]),
      // Not a paragraph: a quote would end it.
      element('div', 'words', words),
      ...fileViews(file),
    ]),
    ...(card === undefined || card.keyboard.length === 0 ? [] : [keyboardToView(card.keyboard)]),
  ]);
};

const messageElement = (
  id: string,
  classes: readonly string[],
  by: string,
  children: readonly View[],
): ViewElement => ({
  tag: 'article',
  attributes: {
    class: ['message', ...classes].filter((name) => name !== '').join(' '),
    'data-message': id,
    'aria-label': `From ${by}`,
  },
  children,
});
