import { appendFile, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { auditReport } from '../../src/cli/audit-report.ts';
import { systemClock } from '../../src/core/runtime/clock.ts';
import { JOURNAL_START } from '../../src/core/store/journal.ts';
import { seal } from '../../src/core/store/sealed-json.ts';
import { verifyFolder } from '../../src/core/store/verify-folder.ts';
import { auditedPayments } from '../support/audited-payments.ts';
import { runScript } from '../support/child-script.ts';
import { eventually } from '../support/eventually.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { runCommand } from '../support/run-command.ts';
import { contentsOf, filesNamed, linesOf, openStoreIn } from '../support/store-folder.ts';
import { tempFolder } from '../support/temp-folder.ts';

const DAY_MS = 24 * 3_600_000;

/** A closed store with the same three payments in each of two months; those of the first are in the archive. */
const aTrail = async () => {
  const dir = await tempFolder();
  const clock = new ManualClock();
  const store = await openStoreIn(dir, { clock });
  const old = await auditedPayments(store, clock);
  clock.jump(31 * DAY_MS);
  await clock.advance(10 * 60_000);
  await eventually(async () => expect(await filesNamed(dir, 'archive-')).toHaveLength(1));
  const ids = await auditedPayments(store, clock);
  await store.close();
  const [first = '', second = ''] = await filesNamed(dir, 'journal-');
  return { dir, clock, old, ids, first, second };
};

/** Changes the lines of a file. */
const edit = async (dir: string, name: string, change: (lines: string[]) => string[]) => {
  const path = join(dir, name);
  const lines = change(await linesOf(path));
  await writeFile(path, lines.map((line) => `${line}\n`).join(''));
};

/** Seals every line anew, as somebody would who knows how. */
const resealed = (lines: readonly string[]): string[] => {
  let { seq, hash }: { seq: number; hash: string } = JOURNAL_START;
  return lines.map((line) => {
    const { hash: _, ...entry } = JSON.parse(line) as Record<string, unknown>;
    const sealed = seal(JSON.stringify({ ...entry, seq: ++seq, prev: hash }).slice(0, -1));
    hash = sealed.hash;
    return sealed.text;
  });
};

const broken = async (dir: string): Promise<string> => {
  const { places } = await verifyFolder(dir);
  return places.join('\n');
};

describe('npm run audit -- verify, on a data folder', () => {
  it('finds a whole trail whole, and changes nothing', { tags: ['I10'] }, async () => {
    const { dir } = await aTrail();
    const before = await contentsOf(dir);
    const { code, output } = await runCommand('audit', ['verify'], { DATA_DIR: dir });
    expect(output).toMatch(/^The audit trail in .* is whole: \d+ rows follow one another/);
    expect(output).toContain(
      '6 payments: 2 completed (GHS 20.00), 2 pending (GHS 40.00), 2 refused (GHS 60.00)',
    );
    expect(code).toBe(0);
    expect(await contentsOf(dir)).toEqual(before);
    const [, head = ''] = /head is ([0-9a-f]{64})/.exec(output) ?? [];
    const again = await runCommand('audit', ['verify', '--from', head], { DATA_DIR: dir });
    expect(again).toMatchObject({ code: 0, output: expect.stringContaining('is part of it') });
  });

  it.each<[string, (lines: string[]) => string[], RegExp]>([
    [
      'a changed byte',
      (lines) => lines.map((line, n) => (n === 3 ? line.replace('KOFI', 'KOFA') : line)),
      /^journal-2026-01\.ndjson, line 4: it was changed after it was written$/m,
    ],
    [
      'a line taken away',
      (lines) => lines.toSpliced(3, 1),
      /^journal-2026-01\.ndjson, line 4: it is commit 5, and the line before is commit 3: lines were taken away/m,
    ],
    [
      'two lines in each other’s place',
      (lines) => lines.toSpliced(3, 2, lines[4] ?? '', lines[3] ?? ''),
      /line 4: it is commit 5.*\n(.*\n)*.*line 5: it is commit 4/,
    ],
    [
      'a line put in',
      (lines) => lines.toSpliced(3, 0, lines[3] ?? ''),
      /line 5: it is commit 4, and the line before is commit 4/,
    ],
    [
      'a line put in that is sealed',
      (lines) => lines.toSpliced(3, 0, resealed(lines.slice(0, 3).concat(lines[5] ?? ''))[3] ?? ''),
      /line 5: it is commit 4, and the line before is commit 4/,
    ],
    [
      'a line made anew',
      (lines) => [
        ...resealed(lines.slice(0, 4).map((line) => line.replaceAll('KOFI', 'KOFA'))),
        ...lines.slice(4),
      ],
      /^journal-2026-01\.ndjson, line 5: it does not follow the line before/m,
    ],
    [
      'a line of something else',
      (lines) => lines.toSpliced(3, 1, 'hello'),
      /line 4: it is not a line of a Paythread journal/,
    ],
  ])('finds %s', async (_name, change, where) => {
    const { dir, first } = await aTrail();
    await edit(dir, first, change);
    expect(await broken(dir)).toMatch(where);
  });

  it('blames one line for one changed byte', { tags: ['I10'] }, async () => {
    const { dir, first } = await aTrail();
    await edit(dir, first, (lines) =>
      lines.map((line, n) => (n === 2 ? line.replace('"atMs":1', '"atMs":2') : line)),
    );
    expect((await verifyFolder(dir)).broken).toBe(1);
  });

  it('finds the last lines taken away: the snapshot stands for them', async () => {
    const { dir, second } = await aTrail();
    await edit(dir, second, (lines) => lines.slice(0, -3));
    expect(await broken(dir)).toMatch(
      /^snapshot\.json: it stands for commit \d+, and the journal/m,
    );
    expect(await broken(dir)).toMatch(
      /^payment \w+: stored as refused, in the journal submitting$/m,
    );
  });

  it('finds a whole file taken away', async () => {
    const { dir, first } = await aTrail();
    await rm(join(dir, first));
    expect(await broken(dir)).toMatch(/line 1: it is commit \d+, and the line before is commit 0/);
  });

  it('finds what was changed in the archive, which has no seal', async () => {
    const { dir, old } = await aTrail();
    const [archive = ''] = await filesNamed(dir, 'archive-');
    await edit(dir, archive, (lines) =>
      lines.map((line) => line.replace('"state":"refused"', '"state":"completed"')),
    );
    expect(await broken(dir)).toBe(
      `payment ${old[2]}: stored as completed, in the journal refused`,
    );
    await edit(dir, archive, (lines) =>
      lines.map((line) =>
        line
          .replace('"state":"completed"', '"state":"refused"')
          .replace('"amountMinor":3000', '"amountMinor":300'),
      ),
    );
    expect(await broken(dir)).toMatch(/it is stored otherwise than in the journal/);
    await edit(dir, archive, (lines) => lines.slice(0, -1));
    expect(await broken(dir)).not.toBe('');
  });

  it('finds a trail made anew by a noted head alone, and says that', async () => {
    const { dir, first, second } = await aTrail();
    const { head } = await verifyFolder(dir);
    const seals = await linesOf(join(dir, first));
    const anew = resealed([...seals, ...(await linesOf(join(dir, second)))].map(doubled));
    await edit(dir, first, () => anew.slice(0, seals.length));
    await edit(dir, second, () => anew.slice(seals.length));
    for (const name of ['snapshot.json', ...(await filesNamed(dir, 'archive-'))])
      await rm(join(dir, name));
    const faked = await verifyFolder(dir, head);
    expect(faked.places).toEqual([]);
    expect(faked.hasNoted).toBe(false);
    const said = await runCommand('audit', ['verify', '--from', head], { DATA_DIR: dir });
    expect(said.output).toMatch(/The head that was noted earlier is not part of it/);
    expect(said.code).toBe(1);
  });

  it('finds a sealed row that does not fit its change, and a change without its row', async () => {
    const { dir, first, second, old } = await aTrail();
    const all = [...(await linesOf(join(dir, first))), ...(await linesOf(join(dir, second)))];
    const count = (await linesOf(join(dir, first))).length;
    const withLines = async (change: (line: string, n: number) => string) => {
      const anew = resealed(all.map(change));
      await edit(dir, first, () => anew.slice(0, count));
      await edit(dir, second, () => anew.slice(count));
      for (const name of ['snapshot.json', ...(await filesNamed(dir, 'archive-'))])
        await rm(join(dir, name), { force: true });
      return broken(dir);
    };
    expect(
      await withLines((line, n) =>
        n === 2 ? line.replace('"after":"submitting"', '"after":"pending"') : line,
      ),
    ).toMatch(new RegExp(`line 3: payment ${old[0]}: submitting, in the trail pending`));
    expect(
      await withLines((line, n) =>
        n === 3 ? line.replace('"before":"submitting"', '"before":"confirmed"') : line,
      ),
    ).toMatch(
      /line 4: .*version 3 \(accepted\) begins with confirmed, and the one before ends with/,
    );
    expect(
      await withLines((line, n) =>
        n === 2 ? line.replace(/"audit":\[.*?\}\]/, '"audit":[]') : line,
      ),
    ).toMatch(/line 3: payment \w+: a change has 0 audit rows instead of one/);
    expect(await withLines((line) => line.replace(/,"flag":"conflict"(?=,"detail")/, ''))).toMatch(
      /with the flag "conflict", in the trail without a flag/,
    );
    expect(
      await withLines((line) =>
        line.replace('"amount":{"amountMinor":1000', '"amount":{"amountMinor":9999'),
      ),
    ).toMatch(/GHS 9999 \(in minor units\), in the trail GHS 1000/);
  });

  it('finds a trail of version 0.2.0 whole, which tells less', async () => {
    const { dir, first, second } = await aTrail();
    const files = [await linesOf(join(dir, first)), await linesOf(join(dir, second))] as const;
    const anew = resealed(
      files
        .flat()
        .map((line) =>
          line
            .replace(/("after":"[^"]*"),"version":\d+(,"flag":"[^"]*")?/g, '$1')
            .replace(/"draft":"[^"]*","amount":\{[^}]*\},/g, ''),
        ),
    );
    expect(anew.join()).not.toMatch(/"after":"[^"]*","version"|"detail":\{"draft"/);
    await edit(dir, first, () => anew.slice(0, files[0].length));
    await edit(dir, second, () => anew.slice(files[0].length));
    for (const name of ['snapshot.json', ...(await filesNamed(dir, 'archive-'))])
      await rm(join(dir, name));
    const verdict = await verifyFolder(dir);
    expect(verdict.places).toEqual([]);
    expect(verdict.stored.isSameAs(verdict.audited)).toBe(true);
  });

  it('blames a broken archive alone', async () => {
    const { dir } = await aTrail();
    const [archive = ''] = await filesNamed(dir, 'archive-');
    await edit(dir, archive, (lines) => [lines[0] ?? '', '{"id":', ...lines.slice(1)]);
    expect(await broken(dir)).toMatch(/^The archive [^\n]+$/);
  });

  it('goes on behind a broken snapshot, and takes a torn last line for what it is', async () => {
    const { dir, second } = await aTrail();
    await appendFile(join(dir, second), '{"format":1,"seq":99,"atM');
    const torn = await verifyFolder(dir);
    expect([torn.places, torn.note]).toEqual([[], expect.stringMatching(/line \d+ is not whole/)]);
    await truncate(join(dir, 'snapshot.json'), 50);
    expect(await broken(dir)).toMatch(/snapshot\.json is empty or cut short/);
    expect((await verifyFolder(dir)).broken).toBe(1);
  });

  it('works while a process writes', async () => {
    const dir = await tempFolder();
    const child = await runScript('commit-until-killed.ts', [dir]);
    await eventually(async () => expect((await child.lines()).length).toBeGreaterThan(20));
    for (let round = 0; round < 8; round++) {
      const chain = (await verifyFolder(dir)).places.filter(
        (place) => !/^journal.*payment/.test(place),
      );
      expect(chain).toEqual([]);
    }
    await child.kill('SIGKILL');
  });

  it('names twenty places, and counts the others', async () => {
    const { dir, first, second } = await aTrail();
    for (const name of [first, second]) await edit(dir, name, (lines) => lines.toReversed());
    const verdict = await verifyFolder(dir);
    const text = auditReport(verdict, { place: dir });
    expect(text.split('\n').filter((line) => line.startsWith('  journal'))).toHaveLength(20);
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
      output: expect.stringContaining('"x" is not the head of a data folder'),
    });
    expect(await runCommand('audit', ['verify'], env)).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^There is no embedded store in/),
    });
  });
});

/** Every amount twice as high, everywhere. */
const doubled = (line: string): string =>
  line.replace(/"amountMinor":(\d+)/g, (_, minor) => `"amountMinor":${Number(minor) * 2}`);

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

  it('says so when a line of the story was changed', async () => {
    const { dir, ids, second } = await aTrail();
    await edit(dir, second, (lines) => lines.map((line) => line.replace('Accepted', 'accepted')));
    const { code, output } = await runCommand('audit', ['show', `${ids[0]}`], { DATA_DIR: dir });
    expect(output).toContain('was changed or damaged');
    expect(code).toBe(1);
    expect(await readFile(join(dir, second), 'utf8')).toContain('accepted');
  });
});
