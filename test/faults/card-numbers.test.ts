import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createLog } from '../../src/core/runtime/log.ts';
import { withCheckDigit } from '../support/card-numbers.ts';
import { type RunningApp, runApp } from '../support/run-app.ts';
import { openSlackShop } from '../support/slack-shop.ts';
import { chargeInTelegram } from '../support/telegram/charge.ts';
import { openTelegramShop } from '../support/telegram-shop.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Another card each time, written as on the card. */
const cards = () => {
  const made: string[] = [];
  return {
    made,
    next: (): string => {
      const digits = withCheckDigit(`40000012${String(3_456_700 + made.length * 11)}`);
      made.push(digits);
      return digits.replace(/(.{4})(?=.)/g, '$1 ');
    },
  };
};

/** The options of a program that writes its whole log into its folder as well. */
const wholeLog = async () => {
  const dir = await tempFolder();
  return { dir, log: createLog({ level: 'trace', secrets: [], destination: join(dir, 'log') }) };
};
const env = { SMS_SENDER_ID: 'SHOP' };

const filesIn = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .map((name) => join(dir, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => readFileSync(path, 'utf8'));

/** Nothing of any card is in files or in what the bot said: not in one piece, nor in groups. */
const expectNoCard = (texts: string, made: readonly string[]) => {
  expect(made.length).toBeGreaterThan(3);
  const digits = texts.replace(/(?<=\d)[ -](?=\d)/g, '');
  for (const card of made) expect(digits).not.toContain(card.slice(4, 14));
};

/** A charge that is paid, so that there is a store, an audit trail and a log to look through. */
const expectSomethingWritten = (written: string) => {
  for (const word of ['+233244123456', '"confirmedAtMs"', 'a card number was typed, and refused'])
    expect(written).toContain(word);
};

const REFUSED = /Never type card numbers in chat; delete that message/;

/** Everything in the folder once the program is stopped. */
const writtenBy = async ({ stop, dir }: RunningApp): Promise<string> => {
  await stop();
  return filesIn(dir).join('\n');
};

it('a card number typed into Slack is refused wherever it is typed, and stands nowhere', {
  tags: ['T15'],
}, async () => {
  const shop = await openSlackShop({ people: ['ama'], env, ...(await wholeLog()) });
  const { slack, ama } = shop;
  const { made, next } = cards();
  const refusals = async (count: number) =>
    expect.poll(() => ama.ephemerals().filter((text) => REFUSED.test(text)).length).toBe(count);
  const typed: [string, string][] = [
    ['/charge', `0244123456 50 ${next()}`],
    ['/lookup', next()],
    ['/paystatus', next().replaceAll(' ', '')],
    ['/sms', `0244123456, ${next()} Hello`],
    ['/sms', `0244123456 your card ${next()}`],
    ['/payments', next()],
    ['/audit', next()],
    ['/suspend', `slack:U0KOJO he typed ${next()}`],
    ['/help', next()],
  ];
  for (const [command, words] of typed) await ama.slash('sales', command, words);
  await refusals(typed.length);
  await ama.mention('sales', `charge 0244123456 50 ${next()}`);
  await ama.mention('sales', next());
  await refusals(typed.length + 2);
  await ama.directMessage(next());
  await expect.poll(() => slack.transcript('@ama')).toMatch(REFUSED);
  await ama.slash('sales', '/charge', '0244123456 60');
  await ama.directMessage(`charge 0244123456 50 ${next()}`, { event: { edited: { user: 'U1' } } });

  for (const command of ['/charge', '/sms', '/paystatus', '/audit', '/lookup']) {
    await ama.slash('sales', command, '');
    const modal = await ama.modal();
    const fields = modal.view.blocks
      .filter((block) => block.type === 'input' && block.element?.type === 'plain_text_input')
      .map(({ block_id: field = '' }) => field);
    expect(fields.length).toBeGreaterThan(0);
    const answer = await ama.submit(modal, {
      ...Object.fromEntries(fields.map((field) => [field, next()])),
      ...(command === '/charge' ? { 'Paid by': 'Mobile money' } : {}),
    });
    const refused = fields.map((field) => [field, expect.stringMatching(REFUSED)]);
    expect(answer).toMatchObject({ kind: 'errors', errors: Object.fromEntries(refused) });
    ama.close(modal);
  }
  await ama.slash('sales', '/charge', '0244123456 50');
  await ama.press(await ama.ephemeral(/Charge GHS 50/), 'Charge GHS 50.00');
  await slack.message('sales', /: completed/);

  const written = await writtenBy(shop);
  expectSomethingWritten(written);
  // What people typed themselves stands in Slack: only what the bot said there counts.
  expectNoCard(JSON.stringify([written, slack.calls()]), made);
});

it('a card number typed into Telegram is refused wherever it is typed, and stands nowhere', {
  tags: ['T15'],
}, async () => {
  const shop = await openTelegramShop({
    people: { ama: 'Ama Mensah' },
    access: "{roles: {all: {commands: '*', admin: true}}, members: {all: [<@ama>]}}",
    env,
    ...(await wholeLog()),
  });
  const { telegram, ama } = shop;
  const chat = telegram.privateChat(ama);
  const group = telegram.group('Sales', [ama]);
  const { made, next } = cards();
  const refused = async (times = 1) => {
    const wanted = count + times;
    await expect.poll(refusals).toBe(wanted);
    count = wanted;
  };
  let count = 0;
  const refusals = () =>
    [...chat.fromBot, ...group.fromBot].filter(({ text }) => REFUSED.test(text)).length;

  for (const words of [
    '/charge 0244123456 50',
    '/status',
    '/suspend telegram:1 for',
    '/payments',
  ]) {
    ama.type(chat, `${words} ${next()}`);
    await refused();
  }
  ama.type(chat, next());
  await refused();
  ama.type(chat, '', { extra: { photo: [], caption: next() } });
  await refused();
  const question = await ama.ask(chat, '/charge', /Customer number\?/);
  ama.type(chat, next());
  await refused();
  ama.type(chat, '0244123456');
  await chat.waitFor(/Amount\?/, { after: question });
  ama.type(chat, next());
  await refused();
  ama.type(chat, '/cancel');

  const inGroup = await ama.ask(group, '/charge', /Customer number\?/);
  ama.type(group, next(), { replyTo: inGroup });
  await refused();
  ama.type(group, '', { replyTo: inGroup, extra: { photo: [], caption: next() } });
  await refused();
  // Telegram is not even asked for edited messages.
  const edited = ama.type(chat, '/help');
  ama.edit(chat, edited, `/charge 0244123456 50 ${next()}`);

  await chargeInTelegram(ama, chat, '0244123456 50');
  await chat.waitFor(/: completed/);

  const written = await writtenBy(shop);
  expectSomethingWritten(written);
  const said = [...chat.fromBot, ...group.fromBot].map(({ text }) => text);
  expectNoCard(JSON.stringify([written, said]), made);
});

it('a card number typed into the terminal is refused wherever it is typed, and stands nowhere', {
  tags: ['T15'],
}, async () => {
  const { made, next } = cards();
  const shop = await runApp(env, await wholeLog());
  const refused = () =>
    expect.poll(() => shop.screen().match(new RegExp(REFUSED, 'g'))?.length ?? 0).toBe(made.length);
  for (const words of [
    '/charge 0244123456 50 ',
    '/lookup ',
    '/status ',
    '/sms 0244123456 ',
    '/',
    '',
  ]) {
    shop.type(`${words}${next()}`);
    await refused();
  }
  await shop.ask('/sms', 'To?');
  shop.type(next());
  await refused();
  await shop.ask('0244123456', 'Text?');
  shop.type(`pay with ${next()}`);
  await refused();
  await shop.charge('0244123456 50');
  await shop.shows(': completed');

  const written = await writtenBy(shop);
  expectSomethingWritten(written);
  expectNoCard(written, made);
});
