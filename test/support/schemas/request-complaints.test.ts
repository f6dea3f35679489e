import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { METHODS } from './methods.ts';
import { requestComplaints, schemasOf } from './request-complaints.ts';

it.each(['slack', 'telegram'] as const)(
  'the schemas of %s belong to what is installed',
  (platform) => {
    const { madeFrom, requests } = schemasOf(platform);
    const versionOf = (name: string): string =>
      createRequire(import.meta.url)(`../../../node_modules/${name}/package.json`).version;
    // Else: `npm run schemas`.
    for (const [name, version] of Object.entries(madeFrom))
      expect(version, name).toBe(versionOf(name));
    expect(Object.keys(requests).toSorted()).toEqual([...METHODS[platform]].toSorted());
  },
);

const section = (text: object) => ({
  blocks: [{ type: 'section', text }],
  channel: 'C1',
  text: 'x',
});
const option = { text: { type: 'plain_text', text: 'x' }, value: 75 };
const element = { type: 'static_select', action_id: 'a', options: [option] };
const title = { type: 'plain_text', text: 'x' };
const modal = { type: 'modal', title, blocks: [{ type: 'input', label: title, element }] };

it.each([
  ['slack', 'chat.postMessage', section({ type: 'mrkdwn', text: 'x', colour: 'red' }), 'colour'],
  ['slack', 'chat.postMessage', { channel: 'C1', text: 'x', tread_ts: '1.1' }, 'tread_ts'],
  ['slack', 'views.open', { trigger_id: 't', view: modal }, '/options/0/value must be string'],
  ['slack', 'reactions.add', {}, 'no schema'],
  ['telegram', 'sendMessage', { chat_id: 1, text: 'x', silent: true }, 'silent'],
  ['telegram', 'getChatMember', { chat_id: 1, user_id: '7' }, '/user_id must be number'],
] as const)('%s: a mistake in %s is told', (platform, method, args, what) => {
  expect(requestComplaints(platform, method, args).join()).toContain(what);
});

it('a good request has none, read from a form or not', () => {
  const good = { ...section({ type: 'mrkdwn', text: 'x' }), unfurl_links: 'false' };
  expect(requestComplaints('slack', 'chat.postMessage', good)).toEqual([]);
  const keyboard = { inline_keyboard: [[{ text: 'x', callback_data: 'y' }]] };
  const message = { chat_id: 1, text: 'x', reply_markup: keyboard };
  expect(requestComplaints('telegram', 'sendMessage', message)).toEqual([]);
});
