import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { BulkRun } from '../../src/core/records/bulk.ts';
import { suspensionList } from '../../src/core/records/stored-values.ts';
import { systemClock } from '../../src/core/runtime/clock.ts';
import { newTransactionId } from '../../src/core/values/transaction-id.ts';
import { ama, aPayment } from '../support/a-payment.ts';
import { eventually } from '../support/eventually.ts';
import { runCommand, startCommand } from '../support/run-command.ts';
import { SpawnedShop } from '../support/spawned-shop.ts';
import { openStoreIn } from '../support/store-folder.ts';
import { together } from '../support/together.ts';

const asksForStatus = (shop: SpawnedShop): number =>
  shop.sandbox.requests.filter(({ path }) => path === '/check_transaction_status').length;

const STOPPED =
  /Stopped as of the backup: slack:U9LOST\. People who were stopped later can work again/;

describe('going back to a backup of the embedded store', () => {
  const it = together();

  it('charges nobody twice, and knows of every payment again', {
    tags: ['F43', 'T74'],
  }, async () => {
    const shop = await SpawnedShop.open();
    const { app, env, dir } = shop;
    const backup = join(dir, 'backup');
    const before = await openStoreIn(env['DATA_DIR'] ?? '', { clock: systemClock });
    const suspension = { of: 'slack:U9LOST', by: ama, atMs: systemClock.now() };
    await before.commit({ put: [suspensionList.put([suspension], undefined)] });
    await before.close();
    await app.start();
    await shop.charge(100);
    await shop.completed(100);
    await shop.charge(110, '0244123406');
    await shop.taken(110);
    await shop.propose(70);
    await eventually(async () =>
      expect(await shop.metric('paythread_open_payments', { state: 'pending' })).toBe(1),
    );
    const saved = await runCommand('backup', [backup], env);
    expect(saved.output).toMatch(
      /2 payments: 1 completed \(GHS 100\.00\), 1 pending \(GHS 110\.00\)/,
    );
    expect(saved.code).toBe(0);

    // What comes now is lost with the disk; the service has it.
    const pressOld = await shop.oldButton(70);
    await shop.charge(200);
    await shop.confirm(70);
    await shop.taken(200);
    await shop.taken(70);
    await app.kill('SIGKILL');
    const occupied = await runCommand('restore', [backup], env);
    expect(occupied).toMatchObject({
      code: 1,
      output: expect.stringMatching(/There is a store in .* already .* move the files/),
    });
    await rename(env['DATA_DIR'] ?? '', join(dir, 'lost'));
    const restored = await runCommand('restore', [backup], env);
    expect(restored.output).toMatch(/Restored .* 2 payments: 1 completed .* "npm run reconcile"/);
    expect(restored).toMatchObject({ code: 0, output: expect.stringMatching(STOPPED) });

    await app.start();
    expect(app.output).toMatch(/restored from a backup: nothing is charged until/);
    expect(await shop.metric('paythread_frozen')).toBe(1);
    shop.type('/charge 0244123456 300');
    await shop.shows(/Charges wait[\s\S]*restored from a backup of .*npm run reconcile/);
    shop.type('/lookup 0244123456');
    await shop.shows(/active/);
    // The button as a person's chat still has it.
    pressOld();
    await shop.shows(/This button is from before a restore[\s\S]*\/status /);
    expect(await shop.callBack(200)).toBe(200);
    expect(await shop.callBack(200)).toBe(200);
    expect(await shop.callBack(200, (url) => url.replace(/.$/, '!'))).toBe(404);
    const beside = await runCommand('reconcile', [], env);
    expect(beside.output).toMatch(/in use by process \d+ .* Stop it first/);
    expect(beside.code).toBe(1);
    await app.kill('SIGTERM');

    const wrong = await runCommand('reconcile', ['nonsense'], env);
    expect(wrong).toMatchObject({
      code: 64,
      output: expect.stringMatching(/not a transaction id/),
    });
    const away = await runCommand('reconcile', [], {
      ...env,
      PAYMENTS_BASE_URL: 'http://127.0.0.1:9',
    });
    expect(away.output).toMatch(
      /Not answered:[\s\S]*Without an answer: \d+ of \d+ questions, so nothing is charged yet/,
    );
    expect(away.code).toBe(1);
    const byHand = shop.idOf(70).toLowerCase();
    const { output, code } = await runCommand('reconcile', [byHand], env);
    const paid = /Paid at the payment service, and missing here.*:\n((?: {2}.*\n)+)/.exec(
      output,
    )?.[1];
    expect(paid).toContain(`${shop.idOf(200)}  completed  200`);
    expect(paid).toContain(`${shop.idOf(70)}  completed  70`);
    expect(output).toMatch(/^completed +1 +GHS 100\.00 +1 +GHS 100\.00$/m);
    expect(output).toContain('Charges work again.');
    expect(code).toBe(0);

    await app.start();
    expect(await shop.metric('paythread_frozen')).toBe(0);
    await shop.charge(400);
    await shop.completed(400);
    pressOld();
    await eventually(() =>
      expect(
        shop.chat.fromBot.filter(({ text }) => /This button is from before a restore/.test(text)),
      ).toHaveLength(1),
    );
    await app.kill('SIGTERM');
    shop.expectTaken([70, 100, 110, 200, 400]);
    const harmless = await runCommand('reconcile', [], env);
    expect(harmless.output).toMatch(
      /^Charges work: no restore is waiting for this\.[\s\S]*Every question was answered\.\n$/,
    );
    expect(harmless.code).toBe(0);
  });

  it('takes what was about to be sent for unknown, and sends it never', async () => {
    const shop = await SpawnedShop.open();
    const { app, env, dir } = shop;
    const made = join(dir, 'made');
    const nowMs = systemClock.now();
    const ids = Array.from({ length: 12 }, () => newTransactionId(nowMs));
    const store = await openStoreIn(made, { clock: systemClock });
    for (const id of ids)
      await store.commit({
        put: [
          {
            kind: 'payment',
            record: aPayment({
              id,
              due: { queue: 'submit', atMs: nowMs },
              conversation: { platform: 'telegram', channel: '1001' },
              confirmedAtMs: nowMs,
              submitByMs: nowMs + 120_000,
            }),
          },
        ],
        audit: [
          {
            ...{ atMs: nowMs, kind: 'payment', id, what: 'confirmed', version: 1 },
            ...{ before: null, after: 'confirmed' },
          },
        ],
      });
    await store.close();
    await runCommand('backup', [join(dir, 'backup')], { ...env, DATA_DIR: made });
    await runCommand('restore', [join(dir, 'backup')], env);
    await app.start();
    const inState = (state: string) => shop.metric('paythread_open_payments', { state });
    expect([await inState('confirmed'), await inState('unknown')]).toEqual([0, 12]);
    await app.kill('SIGTERM');

    // Killed in the middle, it begins again.
    const slow = { ...env, PAYMENTS_RATE: '5' };
    const before = asksForStatus(shop);
    const { child, ended } = await startCommand('reconcile', [], slow);
    await eventually(() => expect(asksForStatus(shop)).toBeGreaterThan(before + 1));
    child.kill('SIGKILL');
    expect((await ended).code).toBeNull();
    const { output, code } = await runCommand('reconcile', [], env);
    expect(output).toMatch(/^unknown +12 +GHS 600\.00 +12 +GHS 600\.00$/m);
    expect(output).toContain('Charges work again.');
    expect(code).toBe(0);
    await app.start();
    await eventually(async () => expect(await shop.metric('paythread_frozen')).toBe(0));
    await app.kill('SIGTERM');
    shop.expectTaken([]);
    expect(await readdir(env['DATA_DIR'] ?? '')).not.toContain('paythread.db.restoring');
  });

  it('counts a file that had ended again, once the service says what became of its row', async () => {
    const shop = await SpawnedShop.open();
    const { app, env, dir } = shop;
    await app.start();
    await shop.charge(50);
    await shop.completed(50);
    await app.kill('SIGTERM');
    const made = join(dir, 'made');
    const run = endedRun();
    const store = await openStoreIn(made, { clock: systemClock });
    const row = { state: 'unknown', bulk: { run: run.id, row: 2 } } as const;
    const payment = aPayment({ ...row, id: shop.idOf(50) });
    await store.commit({
      put: [
        { kind: 'bulk', record: run },
        { kind: 'payment', record: payment },
      ],
    });
    await store.close();

    const { code } = await runCommand('reconcile', ['--restored'], { ...env, DATA_DIR: made });
    expect(code).toBe(0);
    const after = await openStoreIn(made, { clock: systemClock });
    expect((await after.get('payment', payment.id))?.state).toBe('completed');
    expect((await after.get('bulk', run.id))?.due?.queue).toBe('bulk');
  });
});

const endedRun = (): BulkRun => ({
  id: 'a-file',
  version: 1,
  draftId: 'a-draft',
  terms: {
    ...{ sha256: 'ab', fileName: 'sales.csv', rows: 1, pages: ['cd'], lastsMs: 1_000 },
    total: { amountMinor: 5_000, currency: 'GHS' },
  },
  requester: ama,
  conversation: { platform: 'telegram', channel: '1001' },
  ...{ confirmedAtMs: 1_000, endedAtMs: 2_000, status: 'running', next: 1 },
  ...{ askedMinor: 5_000, leftOut: 0, unanswered: [], refusals: 0 },
  ...{ tally: { unknown: { count: 1 } }, countedAtMs: 2_000 },
});
