import { describe, expect, it } from 'vitest';
import { programTime } from '../../src/core/store/postgres/database.ts';
import { HEAD_AGE_MS, verifyDatabase } from '../../src/core/store/postgres/verify-database.ts';
import { headText, readHead } from '../../src/core/store/sql/audit-head.ts';
import { CONTRACT_NOW_MS } from '../contracts/store/records.ts';
import { auditedPayments, booksOf } from '../support/audited-payments.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { NO_PAYMENTS_IN_JSON } from '../support/no-payments.ts';
import { openInstance, startPostgres } from '../support/postgres.ts';
import { PASSWORD } from '../support/postgres-database.ts';
import { runCommand } from '../support/run-command.ts';

const postgres = await startPostgres();

/** A database with three payments and their stories, still in use. */
const aTrail = async () => {
  await postgres.emptyTables();
  const clock = new ManualClock(CONTRACT_NOW_MS);
  const { store } = await openInstance(postgres.url(), { clock, time: programTime });
  const ids = await auditedPayments(store, clock);
  return { store, clock, ids };
};

const verify = (nowMs = CONTRACT_NOW_MS + 2 * HEAD_AGE_MS, noted?: string) => {
  const head = noted === undefined ? undefined : readHead(noted);
  return verifyDatabase(postgres.url(), { nowMs, ...(head === undefined ? {} : { noted: head }) });
};

/** As somebody does who owns the tables. */
const tamper = (sql: string) =>
  postgres.query(
    ['audit', 'audit_details', 'payments']
      .map((table) => `ALTER TABLE ${table} DISABLE TRIGGER ALL; `)
      .join('') + sql,
  );

describe('npm run audit -- verify, on PostgreSQL', () => {
  it('finds a whole trail whole, beside an instance, and tells the story', async () => {
    const { ids } = await aTrail();
    const env = { DATABASE_URL: postgres.url() };
    const { code, output } = await runCommand('audit', ['verify'], env);
    expect(output).toMatch(/^The audit trail in the database is whole: \d+ rows/);
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
    await aTrail();
    for (const sql of [`UPDATE audit SET entry = '{}'`, 'DELETE FROM audit'])
      await expect(postgres.query(sql)).rejects.toThrow(/is not allowed/);
    expect((await verify()).broken).toBe(0);
  });

  const refused = `kind = 'payment' AND id = (SELECT max(id) FROM payments)`;
  it.each([
    [
      'a changed row',
      `UPDATE audit SET entry = replace(entry, '"atMs":1', '"atMs":2') WHERE ${refused} AND seq = 3`,
      /^payment \w+, row 3: it was changed after it was written$/,
    ],
    [
      'a changed detail',
      `UPDATE audit_details SET detail = replace(detail, 'No.', 'Yes.') WHERE position = (SELECT position FROM audit WHERE ${refused} AND seq = 3)`,
      /^payment \w+, row 3: its detail was changed after it was written$/,
    ],
    [
      'a deleted detail',
      `DELETE FROM audit_details WHERE position = (SELECT position FROM audit WHERE ${refused} AND seq = 3)`,
      /^payment \w+, row 3: its detail is gone, and no customer was forgotten since$/,
    ],
    [
      'a deleted row',
      `DELETE FROM audit WHERE ${refused} AND seq = 2`,
      /^payment \w+, row 3: row 2 is missing before it\npayment \w+, row 3: before version 3/,
    ],
    [
      'the last row deleted',
      `DELETE FROM audit WHERE ${refused} AND seq = 3`,
      /^payment \w+: it is stored as version 3, in the trail 2$/,
    ],
    [
      'all rows of a payment deleted',
      `DELETE FROM audit WHERE ${refused}`,
      /^payment \w+: it is stored, and has no audit row$/,
    ],
    [
      'a row put in',
      `INSERT INTO audit (kind, id, seq, entry, hash) SELECT kind, id, 4, entry, hash FROM audit WHERE ${refused} AND seq = 3`,
      /^payment \w+, row 4: it was changed after it was written/,
    ],
    [
      'rows sealed for another record',
      `INSERT INTO audit (kind, id, seq, entry, hash) SELECT kind, 'X', seq, entry, hash FROM audit WHERE ${refused}`,
      /^payment X, row 1: it was written for another record/,
    ],
    [
      'a changed state',
      `UPDATE payments SET state = 'completed', body = replace(body::text, '"state":"refused"', '"state":"completed"')::json WHERE ${refused}`,
      /^payment \w+: it is stored as completed, in the trail refused$/,
    ],
    [
      'a state that the record itself has otherwise',
      `UPDATE payments SET state = 'completed' WHERE ${refused}`,
      /^payment \w+: what it is searched by differs from the record itself$/,
    ],
    [
      'a changed amount',
      `UPDATE payments SET amount_minor = 1, body = replace(body::text, '"amountMinor":3000', '"amountMinor":1')::json WHERE ${refused}`,
      /^payment \w+: it is stored as GHS 1 \(in minor units\), in the trail GHS 3000$/,
    ],
    [
      'a flag taken away',
      `UPDATE payments SET flag = NULL, body = replace(body::text, '"flag":"conflict"', '"x":1')::json WHERE state = 'pending'`,
      /^payment \w+: it is stored as without a flag, in the trail with the flag "conflict"$/,
    ],
    [
      'a record changed where nothing is searched by it',
      `UPDATE payments SET body = replace(body::text, '"checks":', '"Checks":')::json WHERE ${refused}`,
      /^payment \w+: it was changed after it was written$/,
    ],
    [
      'a deleted payment',
      `DELETE FROM payments WHERE ${refused}`,
      /^payment \w+: it is not stored$/,
    ],
  ])('finds %s, should somebody take the guards away', async (_name, sql, where) => {
    await aTrail();
    await tamper(sql);
    expect((await verify()).places.join('\n')).toMatch(where);
  });

  it.each(NO_PAYMENTS_IN_JSON)(
    'names a payment whose body is %s',
    { tags: ['F80'] },
    async (body) => {
      const { ids } = await aTrail();
      const last = [...ids].sort().at(-1);
      await tamper(`UPDATE payments SET body = '${body}' WHERE ${refused}`);
      expect((await verify()).places).toEqual([`payment ${last}: its body is no payment`]);
      const said = await runCommand('audit', ['verify'], { DATABASE_URL: postgres.url() });
      expect(said).toMatchObject({
        code: 1,
        output: expect.stringContaining(`payment ${last}: its body is no payment`),
      });
    },
  );

  it('names a record that is no payment and cannot be read', { tags: ['F80'] }, async () => {
    await aTrail();
    await tamper(
      `INSERT INTO records (kind, id, version, body) VALUES ('setting', 'x', 1, 'null')`,
    );
    expect((await verify()).places).toEqual(['setting x: its body is no setting']);
  });

  it('names a row whose entry is no JSON', { tags: ['F80'] }, async () => {
    await aTrail();
    await tamper(`UPDATE audit SET entry = '{"kind":' WHERE ${refused} AND seq = 3`);
    expect((await verify()).places.join('\n')).toMatch(
      /^payment \w+, row 3: it was changed after it was written$/m,
    );
  });

  it('has sums by state that differ once a state does', async () => {
    await aTrail();
    await tamper(`UPDATE payments SET state = 'completed' WHERE ${refused}`);
    const { stored, audited } = await verify();
    expect(stored.lines).toMatchObject([
      { what: 'payment completed', count: 2, amountMinor: 4000 },
      { what: 'payment pending' },
    ]);
    expect(audited.lines).toMatchObject([
      { what: 'payment completed', count: 1, amountMinor: 1000 },
      { what: 'payment pending' },
      { what: 'payment refused', count: 1, amountMinor: 3000 },
    ]);
  });

  it('finds rows that were all sealed anew by a noted head alone', async () => {
    const { store, clock } = await aTrail();
    const { head } = await verify();
    clock.jump(2 * HEAD_AGE_MS);
    // What came since changes nothing of what was before.
    await booksOf(store, clock).confirmed(700);
    expect(await verify(clock.now(), head)).toMatchObject({ broken: 0, hasNoted: true });
    await tamper(`
      UPDATE audit SET entry = replace(entry, '"who"', '"whom"');
      DO $$ DECLARE r record; last bytea; BEGIN
        FOR r IN SELECT * FROM audit ORDER BY kind, id, seq LOOP
          IF r.seq = 1 THEN last := NULL; END IF;
          last := audit_hash(last, r.seq, r.entry);
          UPDATE audit SET hash = last WHERE kind = r.kind AND id = r.id AND seq = r.seq;
        END LOOP;
      END $$`);
    expect(await verify(clock.now(), head)).toMatchObject({ broken: 0, hasNoted: false });
  });

  it('counts nothing for a head that may still come in with an earlier time', async () => {
    const { store, clock } = await aTrail();
    const young = await verify(clock.now());
    const later = await verify(clock.now() + 1);
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
