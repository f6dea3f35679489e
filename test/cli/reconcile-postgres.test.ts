import { describe, expect, it } from 'vitest';
import { startPostgres } from '../support/postgres.ts';
import { PASSWORD } from '../support/postgres-database.ts';
import { runCommand } from '../support/run-command.ts';
import { SpawnedShop } from '../support/spawned-shop.ts';

const postgres = await startPostgres();

/** Everything in a database as it is now, under another name; nobody may be connected to it. */
const copyDatabase = async (from: string, to: string): Promise<void> => {
  await postgres.query(`DROP DATABASE IF EXISTS ${to}`);
  await postgres.query(`CREATE DATABASE ${to} TEMPLATE ${from}`);
};

describe('going back to a backup of PostgreSQL', () => {
  it('is noticed, and charges nobody twice', { tags: ['F43'] }, async () => {
    await postgres.query('CREATE DATABASE shop');
    const shop = await SpawnedShop.open({ DATABASE_URL: postgres.url({ database: 'shop' }) });
    const { app, env } = shop;
    await app.start();
    await shop.charge(100);
    await shop.completed(100);
    await shop.propose(70);
    const pressOld = await shop.oldButton(70);
    const saved = await runCommand('backup', ['x'], env);
    expect(saved.output).toMatch(
      /PostgreSQL is backed up .*: pg_dump .* "postgres:\/\/paythread@127/,
    );
    expect(saved.code).toBe(78);
    await app.kill('SIGTERM');
    await copyDatabase('shop', 'saved');

    await app.start();
    await shop.charge(200);
    await shop.confirm(70);
    await shop.taken(200);
    await shop.taken(70);
    await app.kill('SIGTERM');
    await copyDatabase('saved', 'shop');
    const back = await runCommand('restore', ['x'], env);
    expect(back.output).toMatch(/pg_restore .*Paythread notices it by itself/);
    expect(back.code).toBe(78);

    await app.start();
    shop.type('/charge 0244123456 300');
    await shop.shows(/Charges wait/);
    pressOld();
    await shop.shows(/This button is from before a restore/);
    expect(await shop.callBack(200)).toBe(200);

    // Beside the instance, which need not be restarted.
    const { output, code } = await runCommand('reconcile', [shop.idOf(70)], env);
    expect(output).toContain(`${shop.idOf(200)}  completed  200`);
    expect(output).toContain(`${shop.idOf(70)}  completed  70`);
    expect(output).toContain('Charges work again.');
    expect(code).toBe(0);
    await shop.charge(400);
    await shop.completed(400);
    pressOld();
    await app.kill('SIGTERM');
    shop.expectTaken([70, 100, 200, 400]);
    for (const said of [saved.output, back.output, output, app.output])
      expect(said).not.toContain(PASSWORD);
  });
});
