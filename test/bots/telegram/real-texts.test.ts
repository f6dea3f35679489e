import { GrammyError } from 'grammy';
import { expect, it } from 'vitest';
import { failureOf, START_FIRST } from '../../../src/bots/telegram/failure.ts';
import { chargeInTelegram } from '../../support/telegram/charge.ts';
import { isKnown, SENTENCES } from '../../support/telegram/sentences.ts';
import { openTelegramShop } from '../../support/telegram-shop.ts';

/** As Telegram was seen to answer, with what helps. */
it.each([
  ["Forbidden: bot can't initiate conversation with a user", START_FIRST],
  ['Forbidden: bot was blocked by the user', 'Unblock me in Telegram.'],
  ['Forbidden: the group chat was deleted', 'Use another chat.'],
  ['Bad Request: CHAT_RESTRICTED', 'Allow me to write in this chat.'],
  [
    'Bad Request: need administrator rights in the channel chat',
    'Make me an administrator of this chat.',
  ],
  ['Bad Request: file is too big', 'Ask for fewer days.'],
  ['Bad Request: have no write access to the chat', 'Allow me to write in this chat.'],
  ["Forbidden: the bot can't send messages to the bot", undefined],
])('%s has its remedy', { tags: ['F93'] }, (description, remedy) => {
  const said = { ok: false as const, error_code: 403, description };
  const failure = failureOf(new GrammyError('sendMessage', said, 'sendMessage', {}));
  expect(failure).toMatchObject({ kind: 'gone', ...(remedy === undefined ? {} : { remedy }) });
  if (remedy === undefined) expect(failure).not.toHaveProperty('remedy');
});

it.each([
  ['Bad Request: message to edit not found', true],
  ['Bad Request: MESSAGE_ID_INVALID', true],
  ["Bad Request: message can't be edited", undefined],
  ['Bad Request: chat not found', undefined],
])('%s tells whether the message was deleted', (description, isDeleted) => {
  const said = { ok: false as const, error_code: 400, description };
  const failure = failureOf(new GrammyError('editMessageText', said, 'editMessageText', {}));
  expect(failure).toMatchObject({ kind: 'gone', ...(isDeleted && { isDeleted }) });
  if (isDeleted === undefined) expect(failure).not.toHaveProperty('isDeleted');
});

const REFUSED = Object.keys(SENTENCES).filter((sentence) =>
  /^Forbidden|rights|write access|chat not found/.test(sentence),
);

it.each(REFUSED)(
  '%s, where a message is refused, has a remedy or the person is gone',
  (description) => {
    const said = { ok: false as const, error_code: 403, description };
    const failure = failureOf(new GrammyError('sendMessage', said, 'sendMessage', {}));
    const remedy = description.endsWith('user is deactivated')
      ? {}
      : { remedy: expect.any(String) };
    expect(failure).toEqual({ kind: 'gone', reason: `Telegram: 403 ${description}`, ...remedy });
  },
);

it('what the simulator says is named with where Telegram says it', () => {
  for (const source of Object.values(SENTENCES)) expect(source).toMatch(/^https:\/\/\S+$/);
  expect(isKnown('Bad Request: chat not found')).toBe(true);
  expect(isKnown("Bad Request: can't parse entities: Unexpected end tag at byte offset 3")).toBe(
    true,
  );
  expect(isKnown('Bad Request: chat not found here')).toBe(false);
});

it('an export for a person who never wrote to the bot says how to begin, with the address', {
  tags: ['F93'],
}, async () => {
  const { efua, group } = await openTelegramShop({
    people: { efua: 'Efua' },
    chats: ({ telegram, efua }) => ({
      group: telegram.supergroup('Finance', [efua], { privacy: false }),
      own: telegram.privateChat(efua, { started: false }),
    }),
    access: `
roles: { finance: { commands: [charge, export] } }
members: { finance: [<@efua>] }
`,
  });
  await chargeInTelegram(efua, group, '0244123456 50');
  await group.waitFor(/: completed/);
  efua.type(group, '/export today');
  const advice = await group.waitFor(/Open a private chat with me and press Start/);
  expect(advice.text).toContain('https://t.me/');
});
