import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { customerAnswers } from '../support/customer-answers.ts';
import { eventually } from '../support/eventually.ts';
import { FastClock } from '../support/fast-clock.ts';
import { keepShop, openKept } from '../support/kept-shop.ts';
import { runCommand } from '../support/run-command.ts';
import { chargeInTelegram } from '../support/telegram/charge.ts';
import type { Person } from '../support/telegram/person.ts';
import { openTelegramShop } from '../support/telegram-shop.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { isSharedStore, storeSettings } from '../support/test-store.ts';
import { together } from '../support/together.ts';

const it = together();

/** Shops that earlier versions left in the middle of a day. `KEEP_SHOP=<version>`, once on each store, keeps one of this version. */
const KEPT = join(import.meta.dirname, 'kept');
const { KEEP_SHOP: KEEP_AS } = process.env;
const VERSIONS = readdirSync(KEPT);
const folderOf = (version: string): string =>
  join(KEPT, version, isSharedStore ? 'postgresql' : 'embedded');

const NOON_MS = Date.parse('2026-11-27T12:00:00Z');
/** It stood still for so long. */
const STOPPED_MS = 60_000;
/** More ids than the chats have given by then. */
const EARLIER = 10_000;
const DUES = Array.from({ length: 6 }, (_, row) => `02450000${10 + row}`);
const FILE = ['number,amount', ...DUES.map((number) => `${number},5`)].join('\n');

/** Ama and Esi sell, Efua approves, Kofi owns the shop, Yaw and Abena have no role. */
const openShop = async (options: {
  readonly clock: FastClock;
  readonly dir?: string;
  readonly earlier?: number;
}) => {
  const shop = await openTelegramShop({
    ...options,
    people: { ama: 'Ama', efua: 'Efua', kofi: 'Kofi', yaw: 'Yaw', esi: 'Esi', abena: 'Abena' },
    chats: ({ telegram, ama, efua, kofi, yaw, esi, abena }) => ({
      sales: telegram.supergroup('Sales', [ama, efua, kofi, yaw, esi, abena], { privacy: false }),
      counter: telegram.supergroup('Counter', [kofi], { privacy: false }),
      operators: telegram.supergroup('Operators', [kofi], { privacy: false }),
      own: telegram.privateChat(ama),
    }),
    sandbox: { hasPrompts: true },
    env: { OPERATORS: '<#operators>', CONFIRM_WITHIN: '30m', PAYMENTS_RATE: '1' },
    access: `
roles:
  sales: { commands: [charge, bulk, lookup], maxCharge: 500 GHS, approvals: <#sales> }
  finance: { commands: [balance], approve: true }
  owner: { commands: "*", admin: true }
members: { sales: [<@ama>, <@esi>], finance: [<@efua>], owner: [<@kofi>] }
`,
  });
  const { sales, counter, operators, own } = shop;
  return { ...shop, chats: { sales, counter, operators, own } };
};

type Shop = Awaited<ReturnType<typeof openShop>>;

const approve = (shop: Shop, number: string) => customerAnswers(shop, number, 'approved');

const askForAccess = async (person: Person, { sales, operators }: Shop) => {
  const typed = person.type(sales, '/charge 0244123450 50');
  const refusal = await sales.waitFor(/You cannot charge yet/, { after: typed });
  person.press(refusal, 'Ask for access');
  return operators.waitFor(new RegExp(`${person.name} asks for access`));
};

/** One of everything that can be open, and the program stops in the middle of it. */
const liveUntilNoon = async (shop: Shop): Promise<void> => {
  const { ama, kofi, yaw, abena, sales, counter, operators, own } = shop;
  await chargeInTelegram(ama, sales, '0244123420 20');
  await approve(shop, '0244123420');
  await sales.waitFor(/GHS 20\.00[\s\S]*: completed/);
  await ama.ask(sales, '/charge 0244123440 40', /Charge GHS 40\.00\?/);
  await chargeInTelegram(ama, sales, '0244123460 600');
  await sales.waitFor(/asks to charge GHS 600\.00/);
  kofi.press(await askForAccess(yaw, shop), 'Give sales: charge up to GHS 500.00, bulk and more');
  await sales.waitFor(/Kofi gave you access \(sales/);
  await askForAccess(abena, shop);
  await kofi.ask(operators, '/suspend 1005 lost her phone', /lost her phone/);
  await kofi.ask(counter, '/notify none', /Messages here: none/);
  ama.sendDocument(own, 'dues.csv', FILE);
  ama.press(await own.waitFor(/Charge 6 customers: GHS 30\.00\?/), 'Charge 6: GHS 30.00');
  await eventually(() => expect(shop.payments().length).toBeGreaterThan(2));
  ama.press(await own.waitFor(/Charging 6 customers/), 'Pause');
  await own.waitFor(/Paused: 6 customers/);
  await chargeInTelegram(ama, sales, '0244123430 30');
  await sales.waitFor(/GHS 30\.00 pending/);
  await shop.stop();
};

/** Where a shop is kept that this version leaves. */
const keepThisOne = async (): Promise<string> => {
  const shop = await openShop({ clock: new FastClock(25, NOON_MS) });
  await liveUntilNoon(shop);
  const into = KEEP_AS === undefined ? await tempFolder() : folderOf(KEEP_AS);
  await keepShop(into, shop, shop.chats);
  return into;
};

it.each([...VERSIONS, 'this one'])(
  'a shop that version %s left in the middle of a day goes on where it was',
  async (version) => {
    const { dir, atMs, showIn } = await openKept(
      version === 'this one' ? await keepThisOne() : folderOf(version),
    );
    const clock = new FastClock(25, atMs + STOPPED_MS);
    const shop = await openShop({ dir, clock, earlier: EARLIER });
    showIn(shop.chats);
    const { telegram, ama, efua, kofi, yaw, esi, abena } = shop;
    const { sales, counter, operators, own } = shop.chats;
    const completed = async (amount: number) => {
      const outcome = await sales.waitFor(new RegExp(`GHS ${amount}\\.00[\\s\\S]*: completed`));
      expect(outcome.replyTo?.text).toContain(`GHS ${amount}.00`);
    };

    // What was asked of the customer before.
    await approve(shop, '0244123430');
    await completed(30);
    // What was asked of people.
    ama.press(await sales.waitFor(/Charge GHS 40\.00\?/), 'Charge GHS 40.00');
    await approve(shop, '0244123440');
    await completed(40);
    efua.press(await sales.waitFor(/asks to charge GHS 600\.00/), 'Approve GHS 600.00');
    await approve(shop, '0244123460');
    await completed(600);
    const question = await operators.waitFor(/Abena asks for access/);
    kofi.press(question, 'Give sales: charge up to GHS 500.00, bulk and more');
    await sales.waitFor(/Kofi gave you access \(sales/, { after: question });
    // What was given, taken and said.
    for (const [person, amount] of [
      [yaw, 70],
      [abena, 71],
    ] as const) {
      await chargeInTelegram(person, sales, `02441234${amount} ${amount}`);
      await approve(shop, `02441234${amount}`);
      await completed(amount);
    }
    await esi.ask(telegram.privateChat(esi), '/charge 0244123450 50', /You are stopped/);
    const card = await chargeInTelegram(kofi, counter, '0244123480 80');
    await approve(shop, '0244123480');
    await eventually(() => expect(card.text).toContain('completed'));
    expect(counter.fromBot.at(-1)).toBe(card);
    // The rest of the file.
    ama.press(await own.waitFor(/Paused: 6 customers/), 'Resume');
    for (const number of DUES) await approve(shop, number);
    await own.waitFor(/6 of 6 paid/);

    expect(shop.payments().map(({ times }) => times)).toEqual(shop.payments().map(() => 1));
    await shop.stop();
    const verdict = await runCommand('audit', ['verify'], {
      DATA_DIR: join(dir, 'data'),
      ...(await storeSettings(dir)),
    });
    expect(verdict).toEqual({
      code: 0,
      output: expect.stringContaining('13 payments: 13 completed (GHS 941.00)'),
    });
  },
);
