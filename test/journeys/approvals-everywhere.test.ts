import { describe, expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { openSlackShop } from '../support/slack-shop.ts';
import type { Chat } from '../support/telegram/chat.ts';
import type { SimMessage } from '../support/telegram/message.ts';
import { openTelegramShop } from '../support/telegram-shop.ts';
import { isSharedStore } from '../support/test-store.ts';
import { together } from '../support/together.ts';

const AMA = 1001;
const KOFI = 1002;
const EFUA = 1003;

/** Ama's charges need an approver above GHS 500; who that is, and where approvals are asked, is given. */
const rules = (approvers: readonly string[], more = '') => `
roles:
  sales: {commands: [charge, bulk], maxCharge: 500 GHS${more}}
  finance: {commands: [balance], approve: true}
members: { sales: [<@ama>], finance: [${approvers.join(', ')}] }
`;

/** Who is asked, and where, is decided before anything is stored: a part of the cases is lived on the second store. */
const lived = <T>(cases: readonly T[]): readonly T[] =>
  isSharedStore ? cases.filter((_, at) => at % 7 === 0) : cases;

type TelegramPlace = 'private' | 'shared group' | 'lonely group' | 'forum topic';

/** Ama types a charge above her limit in a place of Telegram. Efua never wrote to the bot; Kofi did. */
const typedInTelegram = async (options: {
  readonly place: TelegramPlace;
  readonly approvers: readonly number[];
  readonly approvals?: true;
  readonly operators?: true;
  readonly confirmWithin?: string;
}) => {
  const shop = await openTelegramShop({
    people: { ama: 'Ama', kofi: 'Kofi', efua: 'Efua' },
    chats: ({ telegram, kofi, efua }) => ({ finance: telegram.group('Finance', [kofi, efua]) }),
    env: {
      CONFIRM_WITHIN: options.confirmWithin ?? '30m',
      ...(options.operators && { OPERATORS: '<#finance>' }),
    },
    access: rules(
      options.approvers.map((id) => `telegram:${id}`),
      options.approvals && `, approvals: '<#finance>'`,
    ),
  });
  const { telegram, ama, kofi, efua, finance } = shop;
  const chats = {
    ama: telegram.privateChat(ama),
    kofi: telegram.privateChat(kofi),
    efua: telegram.privateChat(efua, { started: false }),
    shared: telegram.supergroup('Sales', [ama, kofi, efua]),
    lonely: telegram.group('Ama and the bot', [ama]),
    forum: telegram.forum('Shop', [ama, kofi]),
    finance,
  };
  const topic = options.place === 'forum topic' ? chats.forum.topic('Sales') : undefined;
  const here: Record<TelegramPlace, Chat> = {
    private: chats.ama,
    'shared group': chats.shared,
    'lonely group': chats.lonely,
    'forum topic': chats.forum,
  };
  const place = here[options.place];
  ama.type(place, '/charge 0244123456 600', topic === undefined ? {} : { topic });
  const answer = await place.waitFor(/600\.00/);
  const people = new Map([ama, kofi, efua].map((person) => [Number(person.id), person]));
  return { ...shop, people, chats, place, answer };
};

/** Everything that can be approved, by chat. */
const questionsIn = (chats: Readonly<Record<string, Chat>>) =>
  Object.entries(chats).flatMap(([name, chat]) =>
    chat.fromBot
      .filter(({ buttons }) => JSON.stringify(buttons ?? []).includes('Approve'))
      .map((message) => ({ name, chat, message })),
  );

const canRead = ({ record }: Chat, person: number): boolean =>
  record.botState === 'member' &&
  (record.peer?.id === person || record.members.some(({ id }) => id === person));

const TELEGRAM_PLACES: readonly TelegramPlace[] = [
  'private',
  'shared group',
  'lonely group',
  'forum topic',
];
const WHO: readonly (readonly [string, readonly number[]])[] = [
  ['Kofi, who wrote to the bot', [KOFI]],
  ['Efua, who never did', [EFUA]],
  ['both', [KOFI, EFUA]],
  ['the requester alone', [AMA]],
  ['the requester and Kofi', [AMA, KOFI]],
];
const CASES = TELEGRAM_PLACES.flatMap((place) =>
  WHO.flatMap(([who, approvers]) =>
    [{}, { approvals: true }, { operators: true }].map((more) => ({
      ...{ place, who, approvers, how: Object.keys(more)[0] ?? 'nothing more' },
      more: more as { approvals?: true; operators?: true },
    })),
  ),
);

describe('a charge above the limit in Telegram', () => {
  const it = together();

  it.each(lived(CASES))(
    'typed in the $place, with $how, to be approved by $who, reaches an approver or says that it cannot',
    { tags: ['T77'] },
    async ({ place, approvers, more }) => {
      const shop = await typedInTelegram({ place, approvers, ...more });
      const buttons = JSON.stringify(shop.answer.buttons ?? []);
      if (!buttons.includes('Charge GHS 600.00')) {
        expect(shop.answer.text).toMatch(
          /Nothing was charged[\s\S]*above your limit of GHS 500\.00/,
        );
        expect(shop.answer.text).toMatch(/Charge up to GHS 500\.00/);
        // True: nobody else who may approve could have been asked.
        const others = approvers.filter((id) => id !== AMA);
        const askable = Object.values(shop.chats).filter(
          (chat) =>
            chat === shop.place ||
            chat.record.peer !== undefined ||
            more.approvals ||
            (more.operators && chat === shop.chats.finance),
        );
        expect(others.flatMap((id) => askable.filter((chat) => canRead(chat, id)))).toEqual([]);
        return;
      }
      expect(shop.answer.text).toMatch(/Above your limit of GHS 500\.00\. .* must approve\./);
      shop.ama.press(shop.answer, 'Charge GHS 600.00');
      await shop.place.waitFor(/I asked .*\. Time to approve: until (?:\w+ \d+ \w+ )?\d\d:\d\d\./);
      await eventually(() => expect(questionsIn(shop.chats)).not.toEqual([]));
      const asked = questionsIn(shop.chats);
      const own = shop.ama.press(asked[0]?.message as SimMessage, 'Approve GHS 600.00');
      await eventually(() => expect(own.answer).toMatch(/You asked for this/));
      const [reached] = asked.flatMap(({ chat, message }) =>
        approvers.filter((id) => id !== AMA && canRead(chat, id)).map((id) => ({ id, message })),
      );
      if (reached === undefined) throw new Error(`asked nobody: ${asked.map(({ name }) => name)}`);
      shop.people.get(reached.id)?.press(reached.message, 'Approve GHS 600.00');
      await eventually(() => expect(shop.payments()).toHaveLength(1));
      await eventually(() => expect(questionsIn(shop.chats)).toEqual([]));
    },
  );

  it('in private asks each approver who can be reached in private, and names them', async () => {
    const shop = await typedInTelegram({ place: 'private', approvers: [KOFI, EFUA] });
    expect(shop.answer.text).toMatch(/Kofi must approve\./);
    shop.ama.press(shop.answer, 'Charge GHS 600.00');
    await shop.place.waitFor(/I asked Kofi\. Time to approve: until (?:\w+ \d+ \w+ )?\d\d:\d\d\./);
    const question = await shop.chats.kofi.waitFor(/Ama asks to charge GHS 600\.00/);
    expect(question.text).not.toContain('0244123456');
    expect(questionsIn(shop.chats).map(({ name }) => name)).toEqual(['kofi']);
  });

  it('reminds once, half way through the time, under the question', { tags: ['T77'] }, async () => {
    const shop = await typedInTelegram({
      place: 'private',
      approvers: [KOFI],
      confirmWithin: '2m',
    });
    shop.ama.press(shop.answer, 'Charge GHS 600.00');
    const question = await shop.chats.kofi.waitFor(/asks to charge/);
    const reminder = await shop.chats.kofi.waitFor(/Ama waits for approval: GHS 600\.00/);
    expect(reminder.replyTo?.id).toBe(question.id);
    await shop.place.waitFor(/Too late/);
    expect(
      shop.chats.kofi.fromBot.filter(({ text }) => text.includes('waits for approval')),
    ).toHaveLength(1);
  });
});

type SlackPlace = 'direct chat' | 'channel' | 'thread' | 'channel without approvers';

const typedInSlack = async (options: {
  readonly place: SlackPlace;
  readonly approvers: readonly string[];
  readonly approvals?: true;
}) => {
  const shop = await openSlackShop({
    people: ['ama', 'kofi', 'efua'],
    channels: [
      'sales',
      { name: 'lonely', members: ['ama'] },
      { name: 'finance', members: ['kofi', 'efua'] },
    ],
    groups: [{ handle: 'approvers', members: ['kofi', 'efua', 'ama'] }],
    access: rules(options.approvers, options.approvals && `, approvals: '<#finance>'`),
  });
  const { ama } = shop;
  const words = '0244123456 600';
  const thread = await ama.write('sales', 'a customer');
  const ask: Record<SlackPlace, () => Promise<unknown>> = {
    'direct chat': async () => {
      // A direct message does not hold its sender's name, which Slack is asked for here first: a command waits a second for it.
      await ama.directMessage('whoami');
      await ama.direct(/You: /);
      await ama.directMessage(`charge ${words}`);
    },
    channel: () => ama.slash('sales', '/charge', words),
    thread: () => ama.mention('sales', `charge ${words}`, { thread }),
    'channel without approvers': () => ama.slash('lonely', '/charge', words),
  };
  await ask[options.place]();
  const answer = await (options.place === 'direct chat'
    ? ama.direct(/600\.00/)
    : ama.ephemeral(/600\.00/));
  return { ...shop, answer };
};

const SLACK_WHO = [
  ['<@kofi>'],
  ['<!approvers>'],
  ['<#finance>'],
  ['<@ama>'],
  ['<@ama>', '<@kofi>'],
];

describe('a charge above the limit in Slack', () => {
  const it = together();

  const places: readonly SlackPlace[] = [
    'direct chat',
    'channel',
    'thread',
    'channel without approvers',
  ];
  const cases = places.flatMap((place) =>
    SLACK_WHO.flatMap((approvers) =>
      [{}, { approvals: true as const }].map((more) => ({ place, approvers, more })),
    ),
  );
  it.each(lived(cases))(
    'typed in the $place, to be approved by $approvers, with $more, reaches an approver or says that it cannot',
    { tags: ['T77'] },
    async ({ place, approvers, more }) => {
      const { slack, payments, ama, kofi, answer } = await typedInSlack({
        place,
        approvers,
        ...more,
      });
      if (!JSON.stringify(answer.blocks).includes('Charge GHS 600.00')) {
        expect(answer.text).toMatch(/Nothing was charged[\s\S]*above your limit of GHS 500\.00/);
        expect(approvers).toEqual(['<@ama>']);
        return;
      }
      await ama.press(answer, 'Charge GHS 600.00');
      const pattern = /asks to charge GHS 600\.00/;
      const asked = await Promise.any([
        kofi.direct(pattern),
        ...(['sales', 'finance'] as const).map((channel) => slack.message(channel, pattern)),
      ]);
      await ama.choose(asked, 'Approve', /You asked for this/);
      await kofi.press(asked, 'Approve');
      await eventually(() => expect(payments()).toHaveLength(1));
    },
  );

  it('in the direct chat asks both approvers in private, and edits both messages at the end', async () => {
    const { ama, kofi, efua, answer, slack } = await typedInSlack({
      place: 'direct chat',
      approvers: ['<@kofi>', '<@efua>'],
    });
    expect(answer.text).toMatch(/Kofi or Efua must approve\./i);
    await ama.press(answer, 'Charge GHS 600.00');
    await ama.direct(
      /I asked kofi and efua\. Time to approve: until (?:\w+ \d+ \w+ )?\d\d:\d\d\./i,
    );
    const [his] = await Promise.all([kofi.direct(/asks to charge/), efua.direct(/asks to charge/)]);
    await kofi.press(his, 'Refuse');
    await kofi.direct(/Refused for ama: GHS 600\.00/i);
    await efua.direct(/Refused for ama: GHS 600\.00/i);
    for (const name of ['@kofi', '@efua'])
      expect(JSON.stringify(await slack.messages(name))).not.toContain('Approve GHS');
    await ama.direct(/Refused: GHS 600\.00/);
  });
});
