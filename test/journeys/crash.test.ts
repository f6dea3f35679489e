import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { SpawnedShop } from '../support/spawned-shop.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { isSharedStore, storeSettings } from '../support/test-store.ts';

/** A few on each store; of the 40 rounds of `npm run crash-test` in `.ci/run` 10 are on PostgreSQL, where each waits for a lease. */
const ROUNDS = isSharedStore ? 2 : 4;
/** A charge takes about this long from the press to its outcome; the kills are spread over it. */
const LAST_KILL_MS = 600;

const openShop = async (): Promise<SpawnedShop> =>
  SpawnedShop.open(await storeSettings(await tempFolder()));

describe('kill -9 between confirmation and outcome', () => {
  it(`charges nobody twice and loses no outcome, at ${ROUNDS} moments`, {
    tags: ['F3'],
  }, async () => {
    const shop = await openShop();
    const { sandbox, app } = shop;
    await app.start();
    for (let round = 0; round < ROUNDS; round++) {
      await shop.as(round).charge(100 + round);
      // Of the others it depends on the machine whether they have gone out by then.
      if (round % 2 === 0) await shop.taken(100 + round);
      await new Promise((resolve) => setTimeout(resolve, (round * LAST_KILL_MS) / ROUNDS));
      await app.kill('SIGKILL');
      await app.start();
    }
    for (let round = 0; round < ROUNDS; round++) {
      const amount = 100 + round;
      const told = await eventually(() => {
        const outcomes = shop
          .as(round)
          .chat.fromBot.filter(({ text }) =>
            new RegExp(`GHS ${amount}\\.00 from .*: (completed|unknown|not sent)`).test(text),
          );
        expect(outcomes.length, `outcomes of GHS ${amount}`).toBeGreaterThan(0);
        return outcomes;
      });
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
    expect(taken.size).toBeGreaterThanOrEqual(ROUNDS / 2);
  });
});

describe('SIGTERM', () => {
  it('finishes what is in hand, exits 0, and the next start goes on', {
    tags: ['F48'],
  }, async () => {
    const shop = await openShop();
    const { app, chat, sandbox } = shop;
    await app.start();
    await shop.charge(50);
    await chat.waitFor(/being sent|pending/);
    expect(await app.kill('SIGTERM')).toBe(0);
    await app.start();
    await chat.waitFor(/: completed/);
    expect(sandbox.payments().map(({ times }) => times)).toEqual([1]);
  });
});
