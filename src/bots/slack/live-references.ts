import type { types } from '@slack/bolt';
import type { Called, Card, NamedPlace } from '../../commands/cards/card.ts';
import type { Person } from '../../core/values/conversation.ts';
import { cut, sanitise } from '../sanitise.ts';
import { escapeMarkup } from './markup.ts';

type Inline = types.RichTextElement;

const LONGEST_NAME = 80;

/** Only a valid Slack id becomes a mention: anything else would show as raw markup. */
export const isUserId = (id: string): boolean => /^[UW][A-Z0-9]+$/.test(id);
const isGroupId = (id: string): boolean => /^S[A-Z0-9]+$/.test(id);
const isChannelId = (id: string): boolean => /^[CG][A-Z0-9]+$/.test(id);

/** Everyone a card mentions, in order. */
export const calledBy = ({ mention, calls = [] }: Card): readonly Called[] =>
  mention === undefined ? calls : [mention, ...calls];

/** Mentions in a row, for rich text. */
export const mentionElements = (called: readonly Called[]): Inline[] =>
  called.flatMap((each, at) => {
    const element = mentionElement(each);
    if (element === undefined) return [];
    return at === 0 ? [element] : [{ type: 'text', text: ' ' }, element];
  });

const mentionElement = (called: Called): Inline | undefined => {
  if ('group' in called)
    return isGroupId(called.group) ? { type: 'usergroup', usergroup_id: called.group } : undefined;
  return isUserId(called.id)
    ? { type: 'user', user_id: called.id }
    : { type: 'text', text: shownName(called) };
};

/** The same for the text beside the blocks, which Slack reads as markup. */
export const mentionTokens = (called: readonly Called[]): string =>
  called.map((each) => mentionToken(each)).join('');

const mentionToken = (called: Called): string => {
  if ('group' in called) return isGroupId(called.group) ? `<!subteam^${called.group}> ` : '';
  return isUserId(called.id) ? `<@${called.id}> ` : `${escapeMarkup(shownName(called))} `;
};

const shownName = ({ name }: Person): string => {
  const line = sanitise(name).replaceAll('\n', ' ').trim();
  return `@${line === '' ? '–' : cut(line, LONGEST_NAME)}`;
};

/** A text in which the name of a conversation is Slack's link to it. */
export const textWithPlace = (text: string, place: NamedPlace | undefined): Inline[] => {
  const at = place === undefined ? -1 : text.indexOf(place.words);
  if (place === undefined || at < 0 || !isChannelId(place.conversation.channel))
    return [{ type: 'text', text }];
  const parts: Inline[] = [
    { type: 'text', text: text.slice(0, at) },
    { type: 'channel', channel_id: place.conversation.channel },
    { type: 'text', text: text.slice(at + place.words.length) },
  ];
  return parts.filter((each) => each.type !== 'text' || each.text !== '');
};
