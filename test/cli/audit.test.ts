import type { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { auditReport } from '../../src/cli/audit.ts';
import { systemClock } from '../../src/core/runtime/clock.ts';
import { chainHash } from '../../src/core/store/sql/audit-entry.ts';
import { readHead } from '../../src/core/store/sql/audit-head.ts';
import { verifyFolder } from '../../src/core/store/sqlite/verify-folder.ts';
import { tamperedTrailCases } from '../contracts/tampered-trail.ts';
import { auditedPayments } from '../support/audited-payments.ts';
import { runScript } from '../support/child-script.ts';
import { eventually } from '../support/eventually.ts';
import { keptFolder, tamperInFolder } from '../support/kept-store.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { NO_PAYMENTS } from '../support/no-payments.ts';
import { runCommand } from '../support/run-command.ts';
import { openStoreIn, storedIn } from '../support/store-folder.ts';
import { tempFolder } from '../support/temp-folder.ts';

const DAY_MS = 24 * 3_600_000;

/** A closed store with the same three payments in each of two months. */
const aTrail = async () => {
  const dir = await tempFolder();
  const clock = new ManualClock();
  const store = await openStoreIn(dir, { clock });
  const old = await auditedPayments(store, clock);
  clock.jump(31 * DAY_MS);
  const ids = await auditedPayments(store, clock);
  await store.close();
  const [first = ''] = old;
  return { dir, clock, old, ids, first };
};

const broken = async (dir: string): Promise<string> => (await verifyFolder(dir)).places.join('\n');

type Row = { position: number; seq: number; entry: string; hash: Uint8Array };

/** Hashes the rows of a record again from its first on, as somebody does who knows how. */
const rehashed = (database: DatabaseSync, id: string, change: (entry: string) => string): void => {
  const rows = database
    .prepare("SELECT * FROM audit WHERE id = ? AND kind = 'payment' ORDER BY seq")
    .all(id) as unknown as Row[];
  let before: Buffer | undefined;
  for (const { position, seq, entry } of rows) {
    const anew = change(entry);
    before = chainHash(before, seq, anew);
    database
      .prepare('UPDATE audit SET entry = ?, hash = ? WHERE position = ?')
      .run(anew, before, position);
  }
};

describe('npm run audit -- verify, on a data folder', () => {
  it('finds a whole trail whole, and changes nothing', { tags: ['I10'] }, async () => {
    const { dir } = await aTrail();
    const before = await storedIn(dir);
    const { code, output } = await runCommand('audit', ['verify'], { DATA_DIR: dir });
    expect(output).toMatch(/^The audit trail in .* is whole\. Rows: \d+\. It agrees/);
    expect(output).toContain(
      '6 payments: 2 completed (GHS 20.00), 2 pending (GHS 40.00), 2 refused (GHS 60.00)',
    );
    expect(code).toBe(0);
    expect(await storedIn(dir)).toEqual(before);
    const [, head = ''] = /head is (\d+\.[0-9a-f]{64})/.exec(output) ?? [];
    const again = await runCommand('audit', ['verify', '--from', head], { DATA_DIR: dir });
    expect(again).toMatchObject({ code: 0, output: expect.stringContaining('is part of it') });
  });

  describe('after a hand in its tables', { tags: ['I10', 'T16', 'F80'] }, () =>
    tamperedTrailCases(keptFolder, { payments: NO_PAYMENTS, setting: '{"id":"moved:sl' }),
  );

  it.each<[string, (database: DatabaseSync, id: string) => void, RegExp]>([
    [
      'a row that was hashed again and does not fit the record',
      (database, id) =>
        rehashed(database, id, (entry) => entry.replace('"after":"completed"', '"after":"failed"')),
      /^payment \w+: it is stored as completed, in the trail failed$/,
    ],
    [
      'rows that were hashed again and do not follow one another',
      (database, id) =>
        rehashed(database, id, (entry) =>
          entry.replace('"before":"submitting"', '"before":"confirmed"'),
        ),
      /row 3: version 3 \(accepted\) begins with confirmed, and the one before ends with submitting$/m,
    ],
    [
      'a row of a payment that was hashed again without its version',
      (database, id) => rehashed(database, id, (entry) => entry.replace(/"version":3,?/, '')),
      /row 3: a row \(accepted\) without a version is where version 3 belongs$/m,
    ],
  ])('finds %s', { tags: ['I10', 'T16'] }, async (_name, change, where) => {
    const { dir, first } = await aTrail();
    tamperInFolder(dir, (database) => change(database, first));
    expect(await broken(dir)).toMatch(where);
  });

  it.each(['', 'null', '{}', '[]', '{"kind":"payment","id":7}'])(
    'names a row whose entry is %j and whose detail is no JSON, also hashed again',
    { tags: ['F80'] },
    async (entry) => {
      const { dir, first } = await aTrail();
      tamperInFolder(dir, (database) => {
        rehashed(database, first, (was) => (was.includes('"accepted"') ? entry : was));
        database.exec(`UPDATE audit_details SET detail = '{"cut":' WHERE position IN
          (SELECT position FROM audit WHERE id = '${first}' AND kind = 'payment' AND seq = 1)`);
      });
      const places = await broken(dir);
      expect(places).toContain(`payment ${first}, row 3: it is no row of an audit trail`);
      expect(places).toContain(`payment ${first}, row 1: its detail was changed`);
    },
  );

  it('finds a page that was damaged', async () => {
    const { dir } = await aTrail();
    tamperInFolder(dir, (database) =>
      database.exec(`PRAGMA writable_schema = ON;
        DELETE FROM sqlite_schema WHERE name = 'payments_by_state'`),
    );
    expect(await broken(dir)).toMatch(/^paythread\.db: [\s\S]*never used$/im);
  });

  it('finds a record whose trail was made again by a noted head alone, and says that', async () => {
    const { dir, first } = await aTrail();
    const { head } = await verifyFolder(dir);
    tamperInFolder(dir, (database) =>
      rehashed(database, first, (entry) => entry.replace('"ama"', '"kojo"')),
    );
    const faked = await verifyFolder(dir, readHead(head));
    expect([faked.places, faked.hasNoted]).toEqual([[], false]);
    const said = await runCommand('audit', ['verify', '--from', head], { DATA_DIR: dir });
    expect(said.output).toMatch(/The head that was noted earlier is not part of it/);
    expect(said.code).toBe(1);
  });

  it('keeps a head part of a trail that has grown since', async () => {
    const { dir, clock } = await aTrail();
    const { head } = await verifyFolder(dir);
    const store = await openStoreIn(dir, { clock });
    // A clock that was set back changes nothing: a head counts rows.
    clock.jump(-10 * DAY_MS);
    await auditedPayments(store, clock);
    await store.close();
    expect(await verifyFolder(dir, readHead(head))).toMatchObject({ broken: 0, hasNoted: true });
  });

  it('works while a process writes', async () => {
    const dir = await tempFolder();
    const child = await runScript('commit-until-killed.ts', [dir]);
    await eventually(async () => expect((await child.lines()).length).toBeGreaterThan(20));
    for (let round = 0; round < 8; round++) {
      expect((await verifyFolder(dir)).places).toEqual([]);
    }
    await child.kill('SIGKILL');
  });

  it('names twenty places, and counts the others', async () => {
    const { dir } = await aTrail();
    tamperInFolder(dir, (database) => database.exec("UPDATE audit SET hash = x'00'"));
    const verdict = await verifyFolder(dir);
    const text = auditReport(verdict, dir);
    expect(text.split('\n').filter((line) => line.startsWith('  '))).toHaveLength(21);
    expect(text).toContain(`and ${verdict.broken - 20} more`);
    expect(text).toMatch(/Stored: 6 payments.*\nIn the trail: /);
  });

  it('says what it needs', async () => {
    const dir = await tempFolder();
    const env = { DATA_DIR: dir };
    for (const args of [[], ['check'], ['verify', '--from'], ['verify', 'x'], ['show']])
      expect(await runCommand('audit', args, env), args.join(' ')).toMatchObject({
        code: 64,
        output: expect.stringMatching(
          /Usage: paythread audit .*[\s\S]*paythread -- audit (verify|show 01)/,
        ),
      });
    expect(await runCommand('audit', ['verify', '--from', 'x'], env)).toMatchObject({
      code: 64,
      output: expect.stringContaining('"x" is not the head of an audit trail'),
    });
    expect(await runCommand('audit', ['verify'], env)).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^There is no embedded store in/),
    });
  });
});

describe('npm run audit -- show', () => {
  it('tells the story beside a store in use, and knows nothing of others', async () => {
    const { dir, ids } = await aTrail();
    const store = await openStoreIn(dir, { clock: systemClock });
    const { code, output } = await runCommand('audit', ['show', `${ids[0]?.toLowerCase()}`], {
      DATA_DIR: dir,
    });
    expect(output).toContain(`Transaction ${ids[0]} · GHS 10.00 · completed`);
    expect(output).toContain('confirmed GHS 10.00 with the button Charge in slack:C0SALES');
    expect(output).toContain('the payment service answered 202 Accepted');
    expect(output).not.toContain('0244123456');
    expect(code).toBe(0);
    await store.close();
    const other = '01JD2M4X9QK7T3VB';
    expect(await runCommand('audit', ['show', other], { DATA_DIR: dir })).toEqual({
      code: 1,
      output: `There is no payment ${other} here.\n`,
    });
    expect(await runCommand('audit', ['show', 'x'], { DATA_DIR: dir })).toMatchObject({ code: 64 });
  });
});
