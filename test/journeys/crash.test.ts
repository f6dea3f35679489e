import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { eventually } from '../support/eventually.ts';
import { FastClock } from '../support/fast-clock.ts';
import { freePort } from '../support/free-port.ts';
import { SpawnedApp } from '../support/spawned-app.ts';
import { TelegramSimulator } from '../support/telegram-simulator.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { isSharedStore, storeSettings } from '../support/test-store.ts';

/** A few on each store; `npm run crash-test` has thousands. */
const ROUNDS = isSharedStore ? 3 : 8;
/** A charge takes about this long from the press to its outcome; the kills are spread over it. */
const LAST_KILL_MS = 600;

/** In a shared store nobody knows that a process died, so its work is taken over when its lease has run out. */
const PICKED_UP_WITHIN_MS = isSharedStore ? 90_000 : 30_000;

const openShop = async () => {
  const dir = await tempFolder();
  // Its seconds are short, so that a whole payment passes between two kills.
  const sandbox = await startSandbox({ clock: new FastClock(8) });
  onTestFinished(() => sandbox.stop());
  const telegram = await TelegramSimulator.start({ flood: false });
  onTestFinished(() => telegram.stop());
  const accessFile = join(dir, 'access.yml');
  await writeFile(
    accessFile,
    'roles: {sales: {commands: "*"}}\nmembers: {sales: [telegram:1001]}\n',
  );
  const port = await freePort();
  const app = new SpawnedApp(port, {
    PAYMENTS_BASE_URL: sandbox.baseUrl,
    PAYMENTS_CLIENT_KEY: sandbox.clientKey,
    PAYMENTS_SECRET_KEY: sandbox.secretKey,
    PAYMENTS_SERVICE_ID: String(sandbox.serviceId),
    PAYMENTS_NICKNAME: sandbox.nickname,
    PAYMENTS_RATE: '100',
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    TELEGRAM_BOT_TOKEN: telegram.token,
    TELEGRAM_API_ROOT: telegram.apiRoot,
    STATUS_CHECK_SCHEDULE: '300ms,1s',
    DATA_DIR: join(dir, 'data'),
    ACCESS_FILE: accessFile,
    PAYMENTS_TIMEOUT: '5s',
    ...(await storeSettings(dir)),
  });
  const ama = telegram.person('Ama', 1001);
  return { sandbox, telegram, app, ama, chat: telegram.privateChat(ama) };
};

describe('kill -9 between confirmation and outcome', () => {
  it(`charges nobody twice and loses no outcome, at ${ROUNDS} moments`, {
    timeout: 120_000,
  }, async () => {
    const { sandbox, app, ama, chat } = await openShop();
    await app.start();
    for (let round = 0; round < ROUNDS; round++) {
      ama.type(chat, `/charge 0244123456 ${100 + round}`);
      const question = await chat.waitFor(new RegExp(`Charge GHS ${100 + round}\\.00\\?`));
      ama.press(question, `Charge GHS ${100 + round}.00`);
      await new Promise((resolve) => setTimeout(resolve, (round * LAST_KILL_MS) / ROUNDS));
      await app.kill('SIGKILL');
      await app.start();
    }
    for (let round = 0; round < ROUNDS; round++) {
      const amount = 100 + round;
      const told = await eventually(() => {
        const outcomes = chat.fromBot.filter(({ text }) =>
          new RegExp(`GHS ${amount}\\.00 from .*: (completed|unknown|not sent)`).test(text),
        );
        expect(outcomes.length, `outcomes of GHS ${amount}`).toBeGreaterThan(0);
        return outcomes;
      }, PICKED_UP_WITHIN_MS);
      // A kill between saving and sending leaves a payment that never went out: unknown, and not sent again.
      const completed = told.filter(({ text }) => text.includes(': completed'));
      expect(completed.length > 0, `GHS ${amount} completed`).toBe(
        sandbox.payments().some((payment) => payment.amount === amount),
      );
      // One repeat at most: a message whose answer the kill took may stand already.
      expect(completed.length).toBeLessThanOrEqual(2);
      for (const { replyTo } of completed) expect(replyTo?.text).toContain(`GHS ${amount}.00`);
    }
    const taken = new Map(sandbox.payments().map(({ amount, times }) => [amount, times]));
    expect([...taken.values()].filter((times) => times !== 1)).toEqual([]);
    // How many fall into that gap depends on the machine; most must have gone out for the rest to mean anything.
    expect(taken.size).toBeGreaterThanOrEqual(ROUNDS / 2);
  });
});

describe('SIGTERM', () => {
  it('finishes what is in hand, exits 0, and the next start goes on', async () => {
    const { app, ama, chat, sandbox } = await openShop();
    await app.start();
    ama.type(chat, '/charge 0244123456 50');
    ama.press(await chat.waitFor(/Charge GHS 50\.00\?/), 'Charge GHS 50.00');
    await chat.waitFor(/being sent|pending/);
    expect(await app.kill('SIGTERM')).toBe(0);
    await app.start();
    await chat.waitFor(/: completed/, { withinMs: 10_000 });
    expect(sandbox.payments().map(({ times }) => times)).toEqual([1]);
  });
});
