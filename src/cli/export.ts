import { createHash } from 'node:crypto';
import { platforms } from '../bots/all-platforms.ts';
import { readAccessFile } from '../commands/access/access-file.ts';
import { RIGHTS } from '../commands/all-commands.ts';
import { exportLines } from '../commands/export/export-lines.ts';
import { readExport } from '../commands/export/read-export.ts';
import type { Config } from '../config/config.ts';
import type { Branch } from '../core/records/branches.ts';
import type { Payment } from '../core/records/payment.ts';
import { systemClock } from '../core/runtime/clock.ts';
import { readFileText } from '../core/runtime/poll-file.ts';
import { FOR_POSTGRES, pageOf, paymentPageQuery } from '../core/store/sql/payment-query.ts';
import { readBeside } from '../core/store/sqlite/read-beside.ts';
import type { Store } from '../core/store/store.ts';
import {
  exampleText,
  type Said,
  type Session,
  type ShellCommand,
  wrongUsage,
} from './shell-command.ts';

type Payments = Pick<Store, 'listPayments'>;

/** `paythread export [when]`: the payments as a file on standard output, beside a Paythread that runs, or without one. */
export const exportPayments: ShellCommand = (command, run) => {
  command
    .description(
      'Writes payments to standard output as CSV, newest first, with whole numbers and names. It changes nothing.',
    )
    .argument('[when...]', 'the days, such as today, month, 2026-11-15 or 1-15 Nov; all without')
    .option('--state <state>', 'only this state, such as completed')
    .addHelpText('after', exampleText('export month --state completed'))
    .action((when: string[], { state = '' }: { state?: string }) =>
      run((session) => write([...when, state].join(' '), session)),
    );
};

const write = async (words: string, { config, output, errors }: Session): Promise<Said> => {
  const { timeZone, country, currency, ...settings } = config();
  const moment = { timeZone, nowMs: systemClock.now() };
  const wish = readExport(words, moment, { country, currency });
  if (!wish.ok)
    throw wrongUsage(`${wish.problem.message} Example: npm run paythread -- export 1-15 Nov`);
  const { filter } = wish.value;
  const reading = {
    isWhole: true,
    branches: await branchesIn({ ...settings, currency }),
    merchant: settings.sms.shop,
  };
  const hash = createHash('sha256');
  let count = 0;
  await withPayments(settings, async (store) => {
    for await (const { text, rows } of exportLines(store, filter, reading)) {
      hash.update(text);
      count = rows;
      await output(text);
    }
  });
  await errors(`${count.toLocaleString('en')} payments, SHA-256 ${hash.digest('hex')}\n`);
  return {};
};

/** None where the file is missing or wrong, which `paythread access` tells. */
const branchesIn = async ({
  accessFile,
  currency,
}: Pick<Config, 'accessFile' | 'currency'>): Promise<readonly Branch[]> => {
  const found = await readFileText(accessFile);
  if (found.kind !== 'text') return [];
  const rules = readAccessFile(found.text, { currency, platforms, rights: RIGHTS });
  return rules.ok ? rules.branches : [];
};

const withPayments = async (
  { dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>,
  work: (store: Payments) => Promise<void>,
): Promise<void> => {
  if (databaseUrl === undefined)
    return readBeside(dataDir, (database) =>
      work({
        listPayments: async (filter, page) => {
          const query = paymentPageQuery({ filter, terms: [] }, page);
          const rows = query === undefined ? [] : database.prepare(query.text).all(...query.values);
          return pageOf(
            rows.map(({ body }) => JSON.parse(String(body))),
            page,
          );
        },
      }),
    );
  const [{ inDatabase }, { numbered }] = await Promise.all([
    import('../core/store/postgres/in-database.ts'),
    import('../core/store/postgres/audit-rows.ts'),
  ]);
  return inDatabase(databaseUrl, (client) =>
    work({
      listPayments: async (filter, page) => {
        const query = paymentPageQuery({ filter, terms: [] }, page, FOR_POSTGRES);
        const { rows } =
          query === undefined
            ? { rows: [] }
            : await client.query<{ body: Payment }>(numbered(query));
        return pageOf(
          rows.map(({ body }) => body),
          page,
        );
      },
    }),
  );
};
