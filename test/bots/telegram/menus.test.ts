import { expect, it, onTestFinished } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { FastClock } from '../../support/fast-clock.ts';
import { runApp } from '../../support/run-app.ts';
import { TelegramSimulator } from '../../support/telegram-simulator.ts';

const openShop = async (members: string) => {
  const clock = new FastClock();
  const telegram = await TelegramSimulator.start({ now: () => clock.now() });
  onTestFinished(() => telegram.stop());
  const ama = telegram.person('Ama Mensah', 1001);
  const kojo = telegram.person('Kojo Boateng', 1002);
  const group = telegram.group('Sales', [ama, kojo]);
  telegram.privateChat(ama);
  telegram.privateChat(kojo, { started: false });
  const accessOf = (named: string): string => `
roles:
  sales: { commands: [charge, status] }
  reader: { commands: [lookup] }
members:
  ${named.replace('GROUP', `telegram:${group.id}`)}
`;
  const settings = {
    PAYMENTS_BASE_URL: 'sandbox',
    TELEGRAM_BOT_TOKEN: telegram.token,
    TELEGRAM_API_ROOT: telegram.apiRoot,
  };
  let running = await runApp(settings, { clock, access: accessOf(members) });
  /** Starts the program again, with other members where they are given. */
  const restart = async (others?: string): Promise<void> => {
    await running.stop();
    const changed = others === undefined ? {} : { access: accessOf(others) };
    running = await runApp(settings, { clock, dir: running.dir, ...changed });
  };
  return { telegram, clock, ama, kojo, group, restart };
};

const OPEN = ['help', 'whoami'];

it('a stranger sees help and whoami in the menu, a member and a group of the access file theirs', async () => {
  const { telegram, ama, kojo, group } = await openShop(
    'sales: [telegram:1001, telegram:1002]\n  reader: [GROUP]',
  );
  const yaw = telegram.person('Yaw Darko', 1003);
  const [own, unopened] = [telegram.privateChat(ama), telegram.privateChat(kojo)];
  await eventually(() => expect(telegram.menuOf(ama, own)).toEqual(['charge', 'status', ...OPEN]));
  await eventually(() => expect(telegram.menuOf(yaw, group)).toEqual(['lookup', ...OPEN]));
  expect(telegram.menuOf(yaw, telegram.privateChat(yaw))).toEqual(OPEN);
  // Telegram refused it, because that chat was never opened.
  expect(telegram.menuOf(kojo, unopened)).toEqual(OPEN);
  kojo.type(unopened, '/start');
  await eventually(() =>
    expect(telegram.menuOf(kojo, unopened)).toEqual(['charge', 'status', ...OPEN]),
  );
  ama.type(group, '/whoami');
  await eventually(() =>
    expect(telegram.menuOf(ama, group)).toEqual(['charge', 'lookup', 'status', ...OPEN]),
  );
});

it('a menu is set once while it stays the same, and never for a stranger', async () => {
  const { telegram, clock, ama, kojo, group } = await openShop('sales: [telegram:1001]');
  const own = telegram.privateChat(ama);
  await eventually(() => expect(telegram.menuOf(ama, own)).toContain('charge'));
  const calls = () => telegram.calls('setMyCommands').length;
  const before = calls();
  for (const waitMs of [0, 61_000]) {
    await clock.sleep(waitMs);
    ama.type(own, '/whoami');
    kojo.type(group, '/whoami');
  }
  await eventually(() => expect(group.fromBot).toHaveLength(2));
  expect(calls()).toBe(before);
});

it('a restart sets no menu again, and at their next message corrects those of people and groups whose rights went meanwhile', async () => {
  const { telegram, ama, kojo, group, restart } = await openShop(
    'sales: [telegram:1001]\n  reader: [GROUP]',
  );
  const own = telegram.privateChat(ama);
  ama.type(group, '/whoami');
  const ofAma = ['charge', 'lookup', 'status', ...OPEN];
  await eventually(() => expect(telegram.menuOf(ama, group)).toEqual(ofAma));
  const calls = () => telegram.calls('setMyCommands').length;
  const before = calls();
  await restart();
  ama.type(group, '/whoami');
  await eventually(() => expect(group.fromBot).toHaveLength(2));
  expect(calls()).toBe(before);
  expect(telegram.menuOf(ama, own)).toEqual(['charge', 'status', ...OPEN]);

  await restart('sales: []');
  ama.type(own, '/whoami');
  await eventually(() => expect(telegram.menuOf(ama, own)).toEqual(OPEN));
  ama.type(group, '/whoami');
  await eventually(() => expect(telegram.menuOf(ama, group)).toEqual(OPEN));
  expect(telegram.menuOf(kojo, group)).toEqual(OPEN);
});

it('what a menu was set to is kept, so Telegram is asked for none, and it is set when Telegram has time', async () => {
  const { telegram, clock, ama, group, restart } = await openShop('sales: [telegram:1001]');
  const own = telegram.privateChat(ama);
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
