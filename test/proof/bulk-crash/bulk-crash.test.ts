import { expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { SpawnedShop } from '../../support/spawned-shop.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { isSharedStore, storeSettings } from '../../support/test-store.ts';

/** A few; `npm run bulk-crash` has fifty, and both stores. */
const KILLS = Number(process.env['KILLS'] ?? 3);
/** About as many go out between two kills. */
const ROWS = KILLS * 12;
/** The kills are spread over this much of each life. */
const LAST_KILL_MS = 600;

const amountOf = (row: number): number => 1_000 + row;

it(`a file whose program is killed at ${KILLS} moments charges no row twice, and loses none and no outcome`, {
  tags: ['F61'],
  timeout: 120_000 + KILLS * 60_000,
}, async () => {
  const shop = await SpawnedShop.open(await storeSettings(await tempFolder()));
  const { sandbox, app, chat } = shop;
  await app.start();
  const rows = Array.from({ length: ROWS }, (_, row) => `0244123456,${amountOf(row)},row ${row}`);
  const sum = Array.from({ length: ROWS }, (_, row) => amountOf(row)).reduce((a, b) => a + b);
  const total = `GHS ${sum.toLocaleString('en')}.00`;
  shop.sendFile('dues.csv', ['number,amount,reference', ...rows].join('\n'));
  await shop.press(new RegExp(`Charge ${ROWS} customers`), `Charge ${ROWS}: ${total}`);
  for (let kill = 0; kill < KILLS; kill++) {
    // What the last process had in hand is leased to it for 45 s, in a database that others use too.
    const before = sandbox.payments().length;
    if (isSharedStore)
      await eventually(() => expect(sandbox.payments().length).toBeGreaterThan(before), 60_000);
    await new Promise((resolve) => setTimeout(resolve, (kill * LAST_KILL_MS) / KILLS));
    await app.kill('SIGKILL');
    await app.start();
  }
  // Each row is a payment by then, and what the service took is told as paid.
  const isTold = (text: string): boolean => {
    const paid = sandbox.payments().length;
    // The second while some are unknown.
    return [`${paid} of ${ROWS} paid`, `${ROWS} of ${ROWS} · ${paid} paid`].some((words) =>
      text.includes(words),
    );
  };
  await chat.waitFor(({ text }) => isTold(text), { withinMs: 120_000 });
  const taken = sandbox.payments();
  expect(taken.filter(({ times }) => times !== 1)).toEqual([]);
  expect(new Set(taken.map(({ amount }) => amount)).size).toBe(taken.length);
  // A kill between storing and sending leaves a payment that never goes out: unknown, and told as such.
  expect(taken.length).toBeGreaterThan(ROWS - KILLS * 10);
});
