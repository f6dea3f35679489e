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
import type { SimMessage } from '../support/telegram/message.ts';
import { startTelegram } from '../support/telegram-shop.ts';

const CHARGES = 60;
const EVERY_MS = 10_000;
const PRESSED_AFTER_MS = 3_000;
const SETTLES_AFTER_MS = 2_000;
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

it('a group with one charge every ten seconds is served in time and in order, whoever else writes there', {
  tags: ['F52', 'T3'],
  timeout: 60_000,
}, async () => {
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
      seller?.press(question, `Charge GHS ${charge.amount}`, { version: 0 });
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
    after(SETTLES_AFTER_MS, () => {
      charge.settledAtMs = clock.now();
      void engine.callbacks.receive(transactionId, '{}', 'application/json');
    });
    return { kind: 'accepted', answer: { code: '202' } };
  };
  gateway.onStatus = (id) => {
    const { settledAtMs, amount = '' } = chargeWith(id) ?? {};
    return statusOf(id, settledAtMs === undefined ? 'pending' : 'completed', { amount });
  };

  for (let index = 0; index < CHARGES; index++) after(index * EVERY_MS, () => type(index));
  // Half of them at once in the first minute, where there is most room, and half all the time.
  for (let index = 0; index < HELPS; index++)
    after(index < HELPS / 2 ? 25_000 + index : index * 15_000, () => stranger.type(group, '/help'));
  const endMs = clock.now() + CHARGES * EVERY_MS + 60_000;
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

  expect(telegram.ledger.filter(({ status }) => status === 429)).toEqual([]);
  const outcomes = group.fromBot.filter(({ text }) => /: completed/.test(text));
  const outcomeOf = ({ amount }: Charge) =>
    outcomes.find(({ text }) => text.includes(`GHS ${amount} from`));
  const late = charges.flatMap((charge) => {
    const { amount, typedAtMs, question, pressedAtMs = 0, requestedAtMs = 0 } = charge;
    const askedMs = (question?.dateMs ?? Number.POSITIVE_INFINITY) - typedAtMs;
    const sentMs = requestedAtMs - pressedAtMs;
    const toldMs =
      (outcomeOf(charge)?.dateMs ?? Number.POSITIVE_INFINITY) - (charge.settledAtMs ?? 0);
    return askedMs <= 20_000 && sentMs >= 0 && sentMs <= 5_000 && toldMs <= 30_000
      ? []
      : [{ amount, askedMs, sentMs, toldMs }];
  });
  expect(late).toEqual([]);

  const amounts = charges.map(({ amount }) => amount);
  const inOrder = (texts: readonly string[]) =>
    texts.flatMap((text) => amounts.find((amount) => text.includes(`GHS ${amount}`)) ?? []);
  const questions = group.fromBot.filter((each) => each.versions[0]?.text.includes('?'));
  expect(inOrder(questions.map(({ versions }) => versions[0]?.text ?? ''))).toEqual(amounts);
  expect(gateway.sent.map(({ amount }) => (amount.amountMinor / 100).toFixed(2))).toEqual(amounts);
  expect(inOrder(outcomes.map(({ text }) => text))).toEqual(amounts);

  const helps = group.fromBot.filter(({ replyTo }) => replyTo?.from?.id === stranger.account.id);
  expect(helps.length).toBeGreaterThan(0);
  expect(helps.length).toBeLessThanOrEqual(11);
  expect(group.fromBot).toHaveLength(2 * CHARGES + helps.length);
  // The question has become the card, and shows the end without the buttons of a question.
  for (const { question, amount } of charges) {
    expect(question?.text).toContain(`GHS ${amount} completed`);
    expect(JSON.stringify(question?.buttons)).not.toMatch(/Charge GHS|Cancel/);
  }
});
