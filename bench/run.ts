import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Bench, FULL, QUICK } from './bench.ts';
import type { Figure } from './figure.ts';
import { callbackIngest } from './figures/callback-ingest.ts';
import { dueChecks } from './figures/due-checks.ts';
import { growth } from './figures/growth.ts';
import { installSize } from './figures/install-size.ts';
import { memoryAfter } from './figures/memory-after.ts';
import { postgresDueChecks, postgresGrowth, postgresIngest } from './figures/postgres.ts';
import { settledPayments } from './figures/settled-payments.ts';
import { slashCommand } from './figures/slash-command.ts';
import { startAndMemory } from './figures/start-and-memory.ts';
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
  'memory-after': memoryAfter,
  'due-checks': dueChecks,
  'postgres-ingest': postgresIngest,
  'postgres-growth': postgresGrowth,
  'postgres-due-checks': postgresDueChecks,
  'install-size': installSize,
};

const say = (line: string): void => void process.stdout.write(`${line}\n`);

/** `npm run bench [-- --quick] [-- callback-ingest growth …]` */
const main = async (): Promise<void> => {
  const { values, positionals } = parseArgs({
    options: { quick: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const unknown = positionals.filter((name) => !Object.hasOwn(FIGURES, name));
  if (unknown.length > 0)
    throw new Error(`There is no ${unknown.join(', ')}, only ${Object.keys(FIGURES).join(', ')}.`);
  const bench: Bench = { ...(values.quick ? QUICK : FULL), log: say };
  for (const [name, measure] of Object.entries(FIGURES)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    const startedAtMs = performance.now();
    const figures = await measure(bench);
    say(`\n${name} (${Math.round((performance.now() - startedAtMs) / 1000)} s)`);
    say(tableOf(figures));
    // A smoke run leaves no results to keep.
    if (!values.quick) await keep(name, figures);
  }
};

/** Each with its own circumstances, so that one can be measured again without the others. */
const keep = async (name: string, figures: readonly Figure[]): Promise<void> => {
  const before = JSON.parse(await readFile(RESULTS, 'utf8').catch(() => '{}')) as object;
  const results = { ...before, [name]: { ...circumstances(), figures } };
  await writeFile(RESULTS, `${JSON.stringify(results, null, 2)}\n`);
};

await main();
