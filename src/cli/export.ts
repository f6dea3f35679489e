import { createHash } from 'node:crypto';
import { exportLines } from '../commands/export/export-lines.ts';
import { readExport } from '../commands/export/read-export.ts';
import { exportRow } from '../commands/export/told-exports.ts';
import type { Config } from '../config/config.ts';
import type { AuditRow } from '../core/records/records.ts';
import { systemClock } from '../core/runtime/clock.ts';
import { createLog } from '../core/runtime/log.ts';
import { lockHolder } from '../core/store/sqlite/folder-lock.ts';
import { inFolder } from '../core/store/sqlite/open-sqlite-store.ts';
import { readAccess } from './doctor/access.ts';
import { readStore } from './read-store.ts';
import {
  exampleText,
  type Printed,
  personAtShell,
  type ShellCommand,
  type ShellSession,
  wrongUsage,
} from './shell-command.ts';
import { countText } from './shown-text.ts';

/** `paythread export [when]`: the payments as a file on standard output, beside a Paythread that runs, or without one. */
export const exportPayments: ShellCommand = (command, run) => {
  command
    .description(
      'Writes payments to standard output as CSV, newest first, with whole numbers and names. The audit trail has who, what and the digest, unless a Paythread keeps the store to itself.',
    )
    .argument('[when...]', 'the days, such as today, last month or 28 Oct to 3 Nov; all without')
    .option('--state <state>', 'only this state, such as completed (or paid)')
    .addHelpText('after', exampleText('export last month --state completed'))
    .action((when: string[], { state = '' }: { state?: string }) =>
      run((session) => write([...when, state].join(' '), session)),
    );
};

const write = async (typed: string, { config, output, errors }: ShellSession): Promise<Printed> => {
  const settings = config();
  const { timeZone, country, currency, merchants, sms } = settings;
  const moment = { timeZone, nowMs: systemClock.now() };
  const wish = readExport(typed, moment, { country, currency });
  if (!wish.ok)
    throw wrongUsage(`${wish.problem.message} Example: npm run paythread -- export 1-15 Nov`);
  const { filter, words } = wish.value;
  // No branches where the file is missing or wrong, which `paythread access` tells.
  const { branches } = await readAccess(settings);
  const reading = { isWhole: true, branches, merchants, shop: sms.shop, timeZone };
  const hash = createHash('sha256');
  let rows = 0;
  await readStore(settings, async (store) => {
    for await (const piece of exportLines(store, filter, reading)) {
      hash.update(piece.text);
      rows += piece.rows;
      await output(piece.text);
    }
  });
  const sha256 = hash.digest('hex');
  await errors(`${countText(rows, 'payment')}\n`);
  const by = { atMs: systemClock.now(), who: personAtShell() };
  if (!(await isAudited(settings, exportRow(by, { words, isWhole: true, rows, sha256 }))))
    await errors(NOT_AUDITED);
  return {};
};

/** False: a Paythread that runs keeps the embedded store to itself. */
const isAudited = async (
  { dataDir: dir, databaseUrl, secrets }: Pick<Config, 'dataDir' | 'databaseUrl' | 'secrets'>,
  row: AuditRow,
): Promise<boolean> => {
  const change = { audit: [row] };
  if (databaseUrl === undefined) {
    if (lockHolder(dir) !== undefined) return false;
    return inFolder({ dir, log: createLog({ level: 'warn', secrets }) }, (store) =>
      store.commit(change),
    );
  }
  const [{ inDatabase }, { commitOn }] = await Promise.all([
    import('../core/store/postgres/in-database.ts'),
    import('../core/store/postgres/change-statement.ts'),
  ]);
  return inDatabase(databaseUrl, (client) => commitOn(client, change, row.atMs));
};

const NOT_AUDITED =
  'This export is not in the audit trail: Paythread runs and keeps the store. /export in the chat is.\n';
