import type { Account, ChatRecord, SimMessage } from './message.ts';

/** A chat as a person sees it, in plain text: who, in which topic, in answer to what, and the buttons. */
export const transcriptOf = (chat: ChatRecord): string =>
  [chat.title, ...chat.messages.map((message) => lineOf(chat, message))].join('\n');

const lineOf = (chat: ChatRecord, message: SimMessage): string => {
  const topic = message.topicId === undefined ? undefined : chat.topics.get(message.topicId);
  const head = [
    `#${message.id} ${nameOf(message.from)}`,
    topic === undefined ? '' : ` in ${topic.name}`,
    message.replyTo === undefined ? '' : ` → #${message.replyTo.id}`,
    message.edited ? ' (edited)' : '',
  ].join('');
  const lines = [
    ...message.text.split('\n'),
    ...message.buttons.map((row) => row.map((label) => `[${label}]`).join(' ')),
  ].filter((line) => line !== '');
  if (lines.length === 0) return `${head}: (${Object.keys(message.extra).join(', ')})`;
  return lines.length === 1
    ? `${head}: ${lines[0]}`
    : [`${head}:`, ...lines.map((line) => `    ${line}`)].join('\n');
};

export const nameOf = (account: Account | undefined): string =>
  account === undefined
    ? 'channel'
    : [account.first_name, account.last_name].filter((part) => part !== undefined).join(' ');
