import { expect, it, onTestFinished } from 'vitest';
import { buildEngine } from '../../src/app/engine.ts';
import { platforms } from '../../src/bots/all-platforms.ts';
import type { Chat as Bot } from '../../src/bots/bot.ts';
import type { TelegramBot } from '../../src/bots/telegram/telegram-bot.ts';
import type { Grants } from '../../src/commands/access/grants.ts';
import { noLabel } from '../../src/commands/cards/sandbox-label.ts';
import { botOn } from '../bots/telegram/started-bot.ts';
import { allGrants } from '../support/grants.ts';
import { HttpInFlight } from '../support/http-in-flight.ts';
import { MemoryMachine } from '../support/memory-machine.ts';
import { serveHttp } from '../support/serve-http.ts';
import { silentLog } from '../support/silent-log.ts';
import { StubGateway, statusOf } from '../support/stub-gateway.ts';
import type { SimPress } from '../support/telegram/account-methods.ts';
import type { SimMessage } from '../support/telegram/message.ts';
import { startTelegram } from '../support/telegram-shop.ts';

const PRESSED_AFTER_MS = 3_000;
/** As the sandbox does it. */
const USUAL = { settlesAfterMs: 2_000 };
const HELPS = 40;
const SECRET = 'a-secret_of-Telegram';
/** As Telegram documents them, edits counted as well. */
const DOCUMENTED = { chatBurst: 1, groupPerMinute: 20, allPerSecond: 30 };
const NOTHING: Partial<Grants> = {
  roles: [],
  may: () => false,
  charging: [],
  approve: false,
  admin: false,
  reveal: false,
};

/** Every charge with the moments at which something happened to it. */
type Charge = {
  readonly amount: string;
  readonly typedAtMs: number;
  question?: SimMessage;
  press?: SimPress;
  pressedAtMs?: number;
  id?: string;
  requestedAtMs?: number;
  settledAtMs?: number;
};

const openGroup = async () => {
  const http = new HttpInFlight();
  onTestFinished(() => http.stop());
  const machine = new MemoryMachine();
  const { clock } = machine;
  const telegram = await startTelegram({ now: () => clock.now(), flood: DOCUMENTED });
  const sellers = ['Ama', 'Kojo', 'Esi'].map((name) => telegram.person(name));
  const stranger = telegram.person('Yaw');
  const group = telegram.supergroup('Sales', [...sellers, stranger]);
  const gateway = new StubGateway();
  const chats = new Map<string, Bot>();
  const engine = buildEngine({
    platforms,
    store: await machine.start(),
    isShared: false,
    gateway,
    access: { grantsOf: async ({ id }) => allGrants(id === stranger.id ? NOTHING : {}) },
    chats,
    clock,
    log: silentLog,
    mark: noLabel,
    settings: { currency: 'GHS', country: 'GH', timeZone: 'Africa/Accra', senderIds: [] },
    checks: { scheduleMs: [10_000], giveUpMs: 72 * 3_600_000 },
    confirmWithinMs: 600_000,
    requestTimeoutMs: 30_000,
    sealSecret: 'the seal of the group',
    callbacks: { secrets: ['a secret of the shop'], publicUrl: 'http://127.0.0.1' },
  });
  const hook: { handle?: NonNullable<TelegramBot['handle']> } = {};
  const publicUrl = await serveHttp((...exchange) => hook.handle?.(...exchange));
  const bot = botOn(telegram, {
    publicUrl,
    webhookSecret: SECRET,
    inbound: engine.router,
    clock,
  });
  if (bot.handle !== undefined) hook.handle = bot.handle;
  chats.set('telegram', bot);
  await bot.start();
  await engine.start();
  onTestFinished(async () => {
    await bot.stop();
    await engine.stop();
  });
  return { clock, http, telegram, group, sellers, stranger, gateway, engine };
};

type Day = {
  readonly charges: number;
  readonly everyMs: number;
  /** After the request. */
  readonly settlesAfterMs: number;
  /** When the stranger asks for help, since the first charge. */
  readonly helpsAtMs?: readonly number[];
};

/** Sellers charge at a pace and press what they are asked; all that the group then shows. */
const liveThrough = async ({ charges: most, everyMs, settlesAfterMs, helpsAtMs = [] }: Day) => {
  const { clock, http, telegram, group, sellers, stranger, gateway, engine } = await openGroup();
  const charges: Charge[] = [];
  const plan: { readonly atMs: number; readonly act: () => void }[] = [];
  const after = (ms: number, act: () => void) => void plan.push({ atMs: clock.now() + ms, act });

  const type = (index: number): void => {
    const seller = sellers[index % sellers.length];
    const charge: Charge = { amount: `${100 + index}.00`, typedAtMs: clock.now() };
    charges.push(charge);
    seller?.type(group, `/charge 02441${String(10_000 + index)} ${charge.amount} GHS`);
  };
  const press = (charge: Charge, question: SimMessage): void => {
    const seller = sellers[charges.indexOf(charge) % sellers.length];
    charge.question = question;
    after(PRESSED_AFTER_MS, () => {
      charge.pressedAtMs = clock.now();
      if (seller !== undefined)
        charge.press = seller.press(question, `Charge GHS ${charge.amount}`, { version: 0 });
    });
  };
  const look = (): void => {
    for (const charge of charges.filter(({ question }) => question === undefined)) {
      const question = group.fromBot.find(({ text }) =>
        text.includes(`Charge GHS ${charge.amount}?`),
      );
      if (question !== undefined) press(charge, question);
    }
  };
  const chargeWith = (transactionId: string) => charges.find(({ id }) => id === transactionId);
  gateway.onPayment = ({ transactionId, amount }) => {
    const charge = charges.find((each) => each.amount === (amount.amountMinor / 100).toFixed(2));
    if (charge === undefined) throw new Error('nobody asked for that');
    Object.assign(charge, { id: transactionId, requestedAtMs: clock.now() });
    after(settlesAfterMs, () => {
      charge.settledAtMs = clock.now();
      void engine.callbacks.receive(transactionId, '{}', 'application/json');
    });
    return { kind: 'accepted', answer: { code: '202' } };
  };
  gateway.onStatus = (id) => {
    const { settledAtMs, amount = '' } = chargeWith(id) ?? {};
    return statusOf(id, settledAtMs === undefined ? 'pending' : 'completed', { amount });
  };

  for (let index = 0; index < most; index++) after(index * everyMs, () => type(index));
  for (const ms of helpsAtMs) after(ms, () => stranger.type(group, '/help'));
  const endMs = clock.now() + most * everyMs + 90_000;
  while (clock.now() < endMs) {
    await http.quiet();
    look();
    const next = Math.min(endMs, clock.nextWakeMs ?? endMs, ...plan.map(({ atMs }) => atMs));
    await clock.advance(Math.max(0, next - clock.now()));
    for (const due of plan.filter(({ atMs }) => atMs <= clock.now())) {
      plan.splice(plan.indexOf(due), 1);
      due.act();
    }
  }
  await http.quiet();

  const outcomes = group.fromBot.filter(({ text }) => /: completed/.test(text));
  const questions = group.fromBot.filter((each) => each.versions[0]?.text.includes('?'));
  const helps = group.fromBot.filter(({ replyTo }) => replyTo?.from?.id === stranger.account.id);
  return { telegram, group, gateway, charges, questions, outcomes, helps };
};

type Lived = Awaited<ReturnType<typeof liveThrough>>;

const writesOf = ({ group }: Lived, { question, amount }: Charge): number =>
  group.fromBot
    .filter(
      (each) => each === question || new RegExp(`GHS ${amount} .*: completed`).test(each.text),
    )
    .reduce((sum, { versions }) => sum + versions.length, 0);

/** What holds for each charge whatever the pace: all was carried out, told once and in order, without one 429. */
const expectWhole = ({ telegram, group, gateway, charges, questions, outcomes, helps }: Lived) => {
  expect(telegram.ledger.filter(({ status }) => status === 429)).toEqual([]);
  const amounts = charges.map(({ amount }) => amount);
  const inOrder = (texts: readonly string[]) =>
    texts.flatMap((text) => amounts.find((amount) => text.includes(`GHS ${amount}`)) ?? []);
  expect(inOrder(questions.map(({ versions }) => versions[0]?.text ?? ''))).toEqual(amounts);
  expect(gateway.sent.map(({ amount }) => (amount.amountMinor / 100).toFixed(2))).toEqual(amounts);
  expect(inOrder(outcomes.map(({ text }) => text))).toEqual(amounts);
  expect(group.fromBot).toHaveLength(2 * charges.length + helps.length);
  // The question has become the card, and shows the end without the buttons of a question.
  for (const { question, amount, press } of charges) {
    expect(question?.text).toMatch(/completed/);
    expect(question?.text).toContain(`GHS ${amount}`);
    expect(JSON.stringify(question?.buttons)).not.toMatch(/Charge GHS|Cancel/);
    // Long before the card changes.
    expect(press?.answer).toContain(`Asking for GHS ${amount}`);
    expect(press?.isAlert).toBe(false);
  }
};

it('a group with one charge every ten seconds is served in time and in order, whoever else writes there', {
  tags: ['F52', 'T3'],
  timeout: 60_000,
}, async () => {
  // Half of them at once in the first minute, where there is most room, and half all the time.
  const helpsAtMs = Array.from({ length: HELPS }, (_, index) =>
    index < HELPS / 2 ? 25_000 + index : index * 15_000,
  );
  const lived = await liveThrough({ ...USUAL, charges: 60, everyMs: 10_000, helpsAtMs });
  expectWhole(lived);
  const late = lived.charges.flatMap((charge) => {
    const { amount, typedAtMs, question, pressedAtMs = 0, requestedAtMs = 0 } = charge;
    const askedMs = (question?.dateMs ?? Number.POSITIVE_INFINITY) - typedAtMs;
    const sentMs = requestedAtMs - pressedAtMs;
    const told = lived.outcomes.find(({ text }) => text.includes(`GHS ${amount}`));
    const toldMs = (told?.dateMs ?? Number.POSITIVE_INFINITY) - (charge.settledAtMs ?? 0);
    return askedMs <= 20_000 && sentMs >= 0 && sentMs <= 5_000 && toldMs <= 30_000
      ? []
      : [{ amount, askedMs, sentMs, toldMs }];
  });
  expect(late).toEqual([]);
  expect(lived.helps.length).toBeGreaterThan(0);
  expect(lived.helps.length).toBeLessThanOrEqual(11);
});

it.each([
  ['within five seconds costs a group three messages and edits', 2_000, 3],
  ['later costs it four', 8_000, 4],
])('a charge that ends %s', { tags: ['F52'] }, async (_, settlesAfterMs, writes) => {
  const lived = await liveThrough({ charges: 3, everyMs: 20_000, settlesAfterMs });
  expectWhole(lived);
  expect(lived.charges.map((charge) => writesOf(lived, charge))).toEqual([writes, writes, writes]);
});

it('twelve charges in a minute are each asked about within ten seconds, and what became of them follows', {
  tags: ['F52'],
}, async () => {
  const lived = await liveThrough({ ...USUAL, charges: 12, everyMs: 5_000 });
  expectWhole(lived);
  const askedMs = lived.charges.map(
    ({ question, typedAtMs }) => (question?.dateMs ?? Number.POSITIVE_INFINITY) - typedAtMs,
  );
  expect(askedMs.filter((ms) => ms > 10_000)).toEqual([]);
  expect(lived.charges.map((charge) => writesOf(lived, charge))).toEqual(Array(12).fill(3));
});
