import { describe, expect, it, onTestFinished } from 'vitest';
import { TelegramSimulator } from '../../support/telegram-simulator.ts';

/** The simulator has to be strict, or the tests that lean on it prove nothing. */
const setUp = async (options: Parameters<typeof TelegramSimulator.start>[0] = { flood: false }) => {
  const telegram = await TelegramSimulator.start(options);
  onTestFinished(() => {
    // It is asked for what Telegram does not document.
    telegram.takeComplaints();
    return telegram.stop();
  });
  const ama = telegram.person('Ama Mensah');
  const chat = telegram.privateChat(ama);
  const call = async (method: string, params: object, token = telegram.token) => {
    const response = await fetch(`${telegram.apiRoot}/bot${token}/${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(params),
    });
    return (await response.json()) as { ok: boolean; description?: string; result?: unknown };
  };
  const said = async (params: object) =>
    (await call('sendMessage', { chat_id: chat.id, text: 'x', ...params })).description ?? 'ok';
  return { telegram, ama, chat, call, said };
};

const keyboard = (button: object) => ({ reply_markup: { inline_keyboard: [[button]] } });

describe('the simulated Telegram', () => {
  it.each([
    ['a < b', /can't parse entities/],
    ['a & b', /can't parse entities/],
    ['a > b', /can't parse entities/],
    ['<b>open', /Can't find end tag/],
    ['<b><i>x</b></i>', /Unmatched end tag/],
    ['<font>x</font>', /Unsupported start tag "font"/],
    ['x</b>', /Unexpected end tag/],
  ])('refuses %s as HTML', async (text, sentence) => {
    const { said } = await setUp();
    expect(await said({ text, parse_mode: 'HTML' })).toMatch(sentence);
    expect(await said({ text })).toBe('ok');
  });

  it.each([
    ['an empty text', { text: '' }, 'message text is empty'],
    ['white space alone', { text: ' \n ' }, 'text must be non-empty'],
    ['4097 characters', { text: 'x'.repeat(4097) }, 'message is too long'],
    [
      'button data over 64 bytes',
      keyboard({ text: 'x', callback_data: 'é'.repeat(33) }),
      'BUTTON_DATA_INVALID',
    ],
    [
      'a button without a label',
      keyboard({ text: '', callback_data: 'x' }),
      'text must be non-empty',
    ],
    ['a button that does nothing', keyboard({ text: 'x' }), 'Text buttons are unallowed'],
    ['a link to localhost', keyboard({ text: 'x', url: 'http://localhost/x' }), 'Wrong HTTP URL'],
    [
      'an answer to nothing',
      { reply_parameters: { message_id: 9 } },
      'message to be replied not found',
    ],
    ['an unknown topic', { message_thread_id: 9 }, 'message thread not found'],
    ['an unknown chat', { chat_id: -1 }, 'chat not found'],
  ])('refuses %s', async (_what, params, sentence) => {
    const { said } = await setUp();
    expect(await said(params)).toContain(sentence);
  });

  it('counts characters after the markup is read', async () => {
    const { said } = await setUp();
    const text = `<b>${'&lt;'.repeat(4096)}</b>`;
    expect(await said({ text, parse_mode: 'HTML' })).toBe('ok');
  });

  it('allows twenty messages a minute in a group', async () => {
    let nowMs = 0;
    const { telegram, ama, said } = await setUp({ now: () => nowMs, flood: { chatBurst: 100 } });
    const group = telegram.group('Sales', [ama]);
    for (let sent = 0; sent < 20; sent++) expect(await said({ chat_id: group.id })).toBe('ok');
    expect(await said({ chat_id: group.id })).toBe('Too Many Requests: retry after 60');
    nowMs = 60_000;
    expect(await said({ chat_id: group.id })).toBe('ok');
  });

  it('refuses to edit what is not the bot’s, or not changed, or not there', async () => {
    const { ama, chat, call, said } = await setUp();
    const theirs = ama.type(chat, 'hello');
    await said({});
    const edit = async (message_id: number | undefined, text: string) =>
      (await call('editMessageText', { chat_id: chat.id, message_id, text })).description ?? 'ok';
    expect(await edit(theirs.id, 'x')).toContain("message can't be edited");
    expect(await edit(chat.fromBot[0]?.id, 'x')).toContain('message is not modified');
    expect(await edit(1, 'x')).toContain('message to edit not found');
    expect(await edit(chat.fromBot[0]?.id, 'y')).toBe('ok');
  });

  it('lets a press be answered once, and not late', async () => {
    let nowMs = 0;
    const { ama, chat, call, said } = await setUp({ now: () => nowMs });
    await said(keyboard({ text: 'Go', callback_data: 'v:1' }));
    const question = chat.fromBot[0] ?? expect.fail('nothing sent');
    const answer = async (id: string) =>
      (await call('answerCallbackQuery', { callback_query_id: id })).ok;
    const press = ama.press(question, 'Go');
    expect([await answer(press.id), await answer(press.id)]).toEqual([true, false]);
    const late = ama.press(question, 'Go');
    nowMs = 16_000;
    expect(await answer(late.id)).toBe(false);
    expect(() => ama.press(question, 'Stop')).toThrow('only "Go"');
  });

  it('shows a bot in privacy mode only what is meant for it', async () => {
    const { telegram, ama } = await setUp();
    const group = telegram.group('Sales', [ama]);
    expect(ama.type(group, 'lunch?').updateId).toBeUndefined();
    expect(ama.type(group, '/charge@OtherBot').updateId).toBeUndefined();
    expect(ama.type(group, '/charge 1 2').updateId).toBeDefined();
    expect(ama.type(group, '/charge@PaythreadBot 1 2').updateId).toBeDefined();
    group.kickBot();
    expect(ama.type(group, '/charge 1 2').updateId).toBeUndefined();
  });

  it('knows one poller at a time, and none beside a webhook', async () => {
    const { telegram, ama, chat, call } = await setUp();
    const polls = [call('getUpdates', { timeout: 20 }), call('getUpdates', { timeout: 20 })];
    expect((await Promise.race(polls)).description).toContain('terminated by other getUpdates');
    ama.type(chat, '/help');
    expect((await Promise.all(polls)).filter(({ ok }) => ok)).toHaveLength(1);
    telegram.setWebhook('http://127.0.0.1:1/x');
    expect((await call('getUpdates', {})).description).toContain('webhook is active');
  });

  it('delivers again what no offset confirmed', async () => {
    const { ama, chat, call } = await setUp();
    const typed = ama.type(chat, '/help');
    const ids = async (params: object) => {
      const { result } = await call('getUpdates', params);
      return (result as { update_id: number }[]).map(({ update_id }) => update_id);
    };
    expect(await ids({})).toEqual([typed.updateId]);
    expect(await ids({})).toEqual([typed.updateId]);
    expect(await ids({ offset: (typed.updateId ?? 0) + 1 })).toEqual([]);
  });

  it('refuses bad menus and webhooks', async () => {
    const { call } = await setUp();
    const menu = async (command: string, description = 'x') =>
      (await call('setMyCommands', { commands: [{ command, description }] })).ok;
    expect(await menu('charge')).toBe(true);
    for (const name of ['Charge', 'pay-status', '', 'x'.repeat(33)])
      expect(await menu(name)).toBe(false);
    expect(await menu('charge', '')).toBe(false);
    const hook = async (url: string, secret_token?: string) =>
      (await call('setWebhook', { url, secret_token })).ok;
    expect(await hook('https://pay.example.com/x', 'a-b_c')).toBe(true);
    expect(await hook('https://pay.example.com:3000/x')).toBe(false);
    expect(await hook('http://pay.example.com/x')).toBe(false);
    expect(await hook('https://pay.example.com/x', 'not allowed')).toBe(false);
  });

  it('knows the token, and nobody without it', async () => {
    const { telegram, call } = await setUp();
    expect((await call('getMe', {})).ok).toBe(true);
    expect((await call('getMe', {}, '1:wrong-token')).description).toBe('Unauthorized');
    expect((await call('getMe', {}, 'wrong')).description).toBe('Not Found');
    expect((await call('getMee', {})).description).toContain('method not found');
    telegram.revokeToken();
    expect((await call('getMe', {})).description).toBe('Unauthorized');
  });

  it('shows a chat as a person sees it', async () => {
    const { telegram, ama, call } = await setUp();
    const forum = telegram.forum('Shop', [ama]);
    const topic = forum.topic('Monday');
    const typed = ama.type(forum, '/charge 1 2', { topic });
    const send = {
      chat_id: forum.id,
      text: '<b>Charge?</b>',
      parse_mode: 'HTML',
      message_thread_id: topic,
    };
    await call('sendMessage', {
      ...send,
      reply_parameters: { message_id: typed.id },
      reply_markup: {
        inline_keyboard: [
          [
            { text: 'Yes', callback_data: 'y' },
            { text: 'No', callback_data: 'n' },
          ],
        ],
      },
    });
    expect(forum.transcript()).toBe(
      [
        'Shop',
        `#${topic} Ama Mensah: (forum_topic_created)`,
        `#${typed.id} Ama Mensah in Monday: /charge 1 2`,
        `#${typed.id + 1} Paythread in Monday → #${typed.id}:`,
        '    Charge?',
        '    [Yes] [No]',
      ].join('\n'),
    );
  });
});
