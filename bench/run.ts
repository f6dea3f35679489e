import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { type Bench, FULL, QUICK } from './bench.ts';
import { compared, type Prepare } from './comparison.ts';
import type { Figure } from './figure.ts';
import { besideAFile } from './figures/beside-a-file.ts';
import { besideReports } from './figures/beside-reports.ts';
import { callbackIngest, ingestMeasures } from './figures/callback-ingest.ts';
import { dueChecks } from './figures/due-checks.ts';
import { exported } from './figures/export.ts';
import { finding, listMeasures } from './figures/finding.ts';
import { growth } from './figures/growth.ts';
import { hostileFiles } from './figures/hostile-files.ts';
import { installSize } from './figures/install-size.ts';
import { memoryAfter } from './figures/memory-after.ts';
import { postgresDueChecks, postgresGrowth, postgresIngest } from './figures/postgres.ts';
import { questions } from './figures/questions.ts';
import { reportMonth } from './figures/report-month.ts';
import { settledPayments, settlingMeasures } from './figures/settled-payments.ts';
import { slashCommand } from './figures/slash-command.ts';
import { startAndMemory, startMeasures } from './figures/start-and-memory.ts';
import { steadyCallbacks, steadyMeasures } from './figures/steady-callbacks.ts';
import { telegramUpdate } from './figures/telegram-update.ts';
import { circumstances, tableOf } from './report.ts';

const RESULTS = fileURLToPath(new URL('results.json', import.meta.url));

const FIGURES: Readonly<Record<string, (bench: Bench) => Promise<Figure[]>>> = {
  'callback-ingest': callbackIngest,
  'settled-payments': settledPayments,
  'slash-command': slashCommand,
  'telegram-update': telegramUpdate,
  'start-and-memory': startAndMemory,
  growth,
  finding,
  export: exported,
  report: reportMonth,
  questions,
  'beside-a-file': besideAFile,
  'beside-reports': besideReports,
  'hostile-files': hostileFiles,
  'steady-callbacks': steadyCallbacks,
  'memory-after': memoryAfter,
  'due-checks': dueChecks,
  'postgres-ingest': postgresIngest,
  'postgres-growth': postgresGrowth,
  'postgres-due-checks': postgresDueChecks,
  'install-size': installSize,
};

/** Those that can be compared with another checkout. */
const COMPARABLE: Readonly<Record<string, Prepare>> = {
  'callback-ingest': ingestMeasures,
  'settled-payments': settlingMeasures,
  'start-and-memory': startMeasures,
  'steady-callbacks': steadyMeasures,
  finding: listMeasures,
};

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** `npm run bench [-- --quick] [--before <folder of another checkout>] [callback-ingest growth …]` */
const main = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    options: { quick: { type: 'boolean', default: false }, before: { type: 'string' } },
    allowPositionals: true,
  });
  const figures = values.before === undefined ? FIGURES : comparisons(values.before);
  const unknown = positionals.filter((name) => !Object.hasOwn(figures, name));
  if (unknown.length > 0)
    throw new Error(`There is no ${unknown.join(', ')}, only ${Object.keys(figures).join(', ')}.`);
  const bench: Bench = { ...(values.quick ? QUICK : FULL), log: say };
  for (const [name, measure] of Object.entries(figures)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    const startedAtMs = performance.now();
    const measured = await measure(bench);
    say(`\n${name} (${Math.round((performance.now() - startedAtMs) / 1000)} s)`);
    say(tableOf(measured, values.before === undefined ? 'baseline' : 'before'));
    // A smoke run leaves no results to keep, and a comparison belongs to two versions.
    if (!values.quick && values.before === undefined) await keep(name, measured);
  }
};

const comparisons = (folder: string): typeof FIGURES => {
  const before = pathToFileURL(`${resolve(folder)}/`);
  if (!existsSync(new URL('bench/history.ts', before)))
    throw new Error(`${folder} is not a checkout of Paythread.`);
  return Object.fromEntries(
    Object.entries(COMPARABLE).map(([name, prepare]) => [
      name,
      (bench: Bench) => compared(bench, prepare, before),
    ]),
  );
};

/** Each with its own circumstances, so that one can be measured again without the others. */
const keep = async (name: string, figures: readonly Figure[]): Promise<void> => {
  const earlier = JSON.parse(await readFile(RESULTS, 'utf8').catch(() => '{}')) as object;
  const results = { ...earlier, [name]: { ...circumstances(), figures } };
  await writeFile(RESULTS, `${JSON.stringify(results, null, 2)}\n`);
};

await main();
