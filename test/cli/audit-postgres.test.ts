import { describe, expect, it } from 'vitest';
import { HEAD_AGE_MS, verifyDatabase } from '../../src/core/store/postgres/verify-database.ts';
import { headText, readHead } from '../../src/core/store/sql/audit-head.ts';
import { aTrail, tamperedTrailCases } from '../contracts/tampered-trail.ts';
import { booksOf } from '../support/audited-payments.ts';
import { keptDatabase } from '../support/kept-store.ts';
import { NO_PAYMENTS_IN_JSON } from '../support/no-payments.ts';
import { startPostgres } from '../support/postgres.ts';
import { PASSWORD } from '../support/postgres-database.ts';
import { runCommand } from '../support/run-command.ts';

const postgres = await startPostgres();

/** A database, still in use. */
const openEmpty = () => keptDatabase(postgres);

describe('npm run audit -- verify, on PostgreSQL', () => {
  it('finds a whole trail whole, beside an instance, and tells the story', async () => {
    const { kept, ids } = await aTrail(openEmpty);
    const { env } = kept;
    const { code, output } = await runCommand('audit', ['verify'], env);
    expect(output).toMatch(/^The audit trail in the database is whole\. Rows: \d+/);
    expect(output).toContain(
      '3 payments: 1 completed (GHS 10.00), 1 pending (GHS 20.00), 1 refused (GHS 30.00)',
    );
    expect(code).toBe(0);
    const [, head = ''] = /head is (\d+\.[0-9a-f]{64})/.exec(output) ?? [];
    expect(await runCommand('audit', ['verify', '--from', head], env)).toMatchObject({ code: 0 });
    const shown = await runCommand('audit', ['show', ids[1] ?? ''], env);
    expect(shown.output).toContain(`Transaction ${ids[1]} · GHS 20.00 · conflict`);
    expect(shown.output).toContain('flagged: conflict');
    expect(shown.code).toBe(0);
    expect(output + shown.output).not.toContain(PASSWORD);
  });

  it('cannot be changed as long as the guards stand', async () => {
    const { kept } = await aTrail(openEmpty);
    for (const sql of [`UPDATE audit SET entry = '{}'`, 'DELETE FROM audit'])
      await expect(postgres.query(sql)).rejects.toThrow(/is not allowed/);
    expect((await kept.verify()).broken).toBe(0);
  });

  describe('after a hand in its tables', { tags: ['F80'] }, () =>
    tamperedTrailCases(openEmpty, { payments: NO_PAYMENTS_IN_JSON, setting: 'null' }),
  );

  it('finds rows that were all sealed anew by a noted head alone', async () => {
    const { kept } = await aTrail(openEmpty);
    const { store, clock } = kept;
    const { head } = await kept.verify();
    clock.jump(2 * HEAD_AGE_MS);
    // What came since changes nothing of what was before.
    await booksOf(store, clock).confirmed(700);
    expect(await kept.verify(head)).toMatchObject({ broken: 0, hasNoted: true });
    await kept.tamper(`
      UPDATE audit SET entry = replace(entry, '"who"', '"whom"');
      DO $$ DECLARE r record; last bytea; BEGIN
        FOR r IN SELECT * FROM audit ORDER BY kind, id, seq LOOP
          IF r.seq = 1 THEN last := NULL; END IF;
          last := audit_hash(last, r.seq, r.entry);
          UPDATE audit SET hash = last WHERE kind = r.kind AND id = r.id AND seq = r.seq;
        END LOOP;
      END $$`);
    expect(await kept.verify(head)).toMatchObject({ broken: 0, hasNoted: false });
  });

  it('counts nothing for a head that may still come in with an earlier time', async () => {
    const { kept } = await aTrail(openEmpty);
    const { store, clock } = kept;
    const verifyAt = (nowMs: number) => verifyDatabase(postgres.url(), { nowMs });
    const young = await verifyAt(clock.now());
    const later = await verifyAt(clock.now() + 1);
    expect(readHead(young.head)?.hash).toBe(readHead(later.head)?.hash);
    expect(readHead(headText({ place: 5, hash: 'a'.repeat(64) }))?.place).toBe(5);
    expect(readHead('5.x')).toBeUndefined();
    await store.close();
  });

  it('says what is not there', async () => {
    await postgres.empty();
    const env = { DATABASE_URL: postgres.url() };
    expect(await runCommand('audit', ['verify'], env)).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^There is no store of Paythread in the database/),
    });
    expect(await runCommand('audit', ['verify', '--from', 'x'], env)).toMatchObject({ code: 64 });
  });
});
