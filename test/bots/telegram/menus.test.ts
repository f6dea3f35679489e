import { expect, onTestFinished } from 'vitest';
import { RateLimiter } from '../../../src/core/cluster/rate-limiter.ts';
import { type Store, StoreAwayError } from '../../../src/core/store/store.ts';
import { eventually } from '../../support/eventually.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openStore } from '../../support/open-store.ts';
import type { RunningApp } from '../../support/run-app.ts';
import { openTelegramShop, startTelegram } from '../../support/telegram-shop.ts';
import { together } from '../../support/together.ts';
import { botOn } from './started-bot.ts';

const it = together();

const openShop = async (members: string) => {
  const accessOf = (named: string): string => `
roles:
  sales: { commands: [charge, status] }
  reader: { commands: [lookup] }
members:
  ${named}
`;
  const shop = await openTelegramShop({
    people: { ama: 'Ama Mensah', kojo: 'Kojo Boateng' },
    chats: ({ telegram, ama, kojo }) => ({
      group: telegram.group('Sales', [ama, kojo]),
      own: telegram.privateChat(ama),
      unopened: telegram.privateChat(kojo, { started: false }),
    }),
    access: accessOf(members),
  });
  let running: RunningApp = shop;
  /** Starts the program again, with other members where they are given. */
  const restart = async (others?: string): Promise<void> => {
    await running.stop();
    if (others !== undefined) await running.writeAccess(accessOf(others));
    running = await running.restart();
  };
  return { ...shop, restart };
};

const OPEN = ['help', 'whoami'];

it('a stranger sees help and whoami in the menu, a member and a group of the access file theirs', async () => {
  const { telegram, ama, kojo, group, own, unopened } = await openShop(
    'sales: [<@ama>, <@kojo>]\n  reader: [<#group>]',
  );
  const yaw = telegram.person('Yaw Darko', 1003);
  await eventually(() =>
    expect(telegram.menuOf(ama, own)).toEqual(['charge', 'status', 'today', ...OPEN]),
  );
  await eventually(() => expect(telegram.menuOf(yaw, group)).toEqual(['lookup', 'today', ...OPEN]));
  expect(telegram.menuOf(yaw, telegram.privateChat(yaw))).toEqual(OPEN);
  // Telegram refused it, because that chat was never opened.
  expect(telegram.menuOf(kojo, unopened)).toEqual(OPEN);
  kojo.type(unopened, '/start');
  await eventually(() =>
    expect(telegram.menuOf(kojo, unopened)).toEqual(['charge', 'status', 'today', ...OPEN]),
  );
  ama.type(group, '/whoami');
  await eventually(() =>
    expect(telegram.menuOf(ama, group)).toEqual(['charge', 'lookup', 'status', 'today', ...OPEN]),
  );
});

it('a menu is set once while it stays the same, and never for a stranger', async () => {
  const { telegram, clock, ama, kojo, group, own } = await openShop('sales: [<@ama>]');
  await eventually(() => expect(telegram.menuOf(ama, own)).toContain('charge'));
  const calls = () => telegram.ledger.filter(({ method }) => method.endsWith('MyCommands')).length;
  const before = calls();
  for (const waitMs of [0, 61_000]) {
    await clock.sleep(waitMs);
    ama.type(own, '/whoami');
    kojo.type(group, '/whoami');
  }
  await eventually(() => expect(group.fromBot).toHaveLength(2));
  expect(calls()).toBe(before);
});

/** Bots of an access file with so many people, on a clock in the test's hand. */
const manyPeople = async (people: number) => {
  const clock = new ManualClock();
  const telegram = await startTelegram({ now: () => clock.now() });
  const ids = Array.from({ length: people }, (_, at) => 2001 + at);
  for (const id of ids) telegram.privateChat(telegram.person(`Person ${id}`, id));
  const kept = await openStore();
  const usableBy = async ({ id }: { readonly id: string }) =>
    Array.from({ length: id === '0' ? 1 : 100 }, (_, at) => ({
      name: `command${at}`,
      summary: 'Does something that this line has words for',
    }));
  const start = async (token = telegram.token, store: Pick<Store, 'get' | 'commit'> = kept) => {
    const pacer = new RateLimiter(clock);
    const named = () => ids.map(String);
    const bot = botOn(telegram, { clock, pacer, store, named, usableBy, token });
    onTestFinished(() => bot.stop());
    await bot.start();
    return bot;
  };
  const set = () => telegram.calls('setMyCommands');
  const settled = (count: number) => eventually(() => expect(set()).toHaveLength(count));
  return { clock, telegram, kept, start, set, settled };
};

it('menus are set a few at once and then one a second, and wait as long as Telegram asks', async () => {
  const { clock, telegram, start, set, settled } = await manyPeople(6);
  telegram.failNext('setMyCommands', { kind: 'rateLimit', retryAfterSeconds: 90 });
  await start();
  await settled(1);
  await eventually(() => expect(clock.nextWakeMs).toBe(clock.now() + 90_000));
  await clock.advance(90_000);
  await settled(6);
  for (const count of [7, 8]) {
    await eventually(() => expect(clock.nextWakeMs).toBe(clock.now() + 1_000));
    expect(set()).toHaveLength(count - 1);
    await clock.advance(1_000);
    await settled(count);
  }
  // Telegram takes no more than 60 commands.
  expect(set().map(({ status }) => status)).toEqual([429, ...Array(7).fill(200)]);
});

it('another bot on the same store has its menus set', async () => {
  const { telegram, start, settled } = await manyPeople(2);
  const bot = await start();
  await settled(3);
  await bot.stop();
  const again = await start();
  await again.stop();
  await settled(3);
  const token = '700000002:AAE-simulated-token-0123456789abcdef';
  telegram.useToken(token);
  await start(token);
  await settled(6);
});

it('menus are set although the store was away at the start', async () => {
  const { kept, start, settled } = await manyPeople(2);
  let looks = 0;
  const get: Store['get'] = async (...asked) => {
    looks += 1;
    if (looks === 1) throw new StoreAwayError('away');
    return kept.get(...asked);
  };
  await start(undefined, { get, commit: (change) => kept.commit(change) });
  await settled(2);
});

it('a restart sets no menu again, and at their next message corrects those of people and groups whose rights went meanwhile', async () => {
  const { telegram, ama, kojo, group, own, restart } = await openShop(
    'sales: [<@ama>]\n  reader: [<#group>]',
  );
  ama.type(group, '/whoami');
  const ofAma = ['charge', 'lookup', 'status', 'today', ...OPEN];
  await eventually(() => expect(telegram.menuOf(ama, group)).toEqual(ofAma));
  await eventually(() => expect(telegram.menuOf(ama, own)).toContain('charge'));
  const calls = () => telegram.calls('setMyCommands').length;
  const before = calls();
  await restart();
  ama.type(group, '/whoami');
  await eventually(() => expect(group.fromBot).toHaveLength(2));
  expect(calls()).toBe(before);
  expect(telegram.menuOf(ama, own)).toEqual(['charge', 'status', 'today', ...OPEN]);

  await restart('sales: []');
  ama.type(own, '/whoami');
  await eventually(() => expect(telegram.menuOf(ama, own)).toEqual(OPEN));
  expect(telegram.calls('deleteMyCommands')).not.toEqual([]);
  ama.type(group, '/whoami');
  await eventually(() => expect(telegram.menuOf(ama, group)).toEqual(OPEN));
  expect(telegram.menuOf(kojo, group)).toEqual(OPEN);
});

it('what a menu was set to is kept, so Telegram is asked for none, and it is set when Telegram has time', async () => {
  const { telegram, clock, ama, group, own, restart } = await openShop('sales: [<@ama>]');
  await eventually(() => expect(telegram.menuOf(ama, own)).toContain('charge'));
  telegram.failNext('setMyCommands', { kind: 'rateLimit', retryAfterSeconds: 30 });
  ama.type(group, '/whoami');
  await eventually(() => expect(telegram.menuOf(ama, group)).toContain('charge'));
  const all = () =>
    ['set', 'get', 'delete'].map((how) => telegram.calls(`${how}MyCommands`).length);
  const before = all();
  expect(before[1]).toBe(0);
  await restart();
  ama.type(group, '/whoami');
  await clock.sleep(60_000);
  await eventually(() => expect(group.fromBot).toHaveLength(2));
  expect(all()).toEqual(before);
});
