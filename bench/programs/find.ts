import { ExportFiles } from '../../src/commands/export/export-files.ts';
import { exportLines } from '../../src/commands/export/export-lines.ts';
import type { Payment, PaymentFilter, SearchTerm } from '../../src/core/records/payment.ts';
import type { Store } from '../../src/core/store/store.ts';
import { silentLog } from '../silent-log.ts';

/** Fills a data folder with the code of a checkout, and asks its store for payments, in a process of its own. */
const CHECKOUT = process.env['CHECKOUT'] ?? new URL('../../', import.meta.url).href;
const { openSqliteStore } = (await import(
  new URL('src/core/store/sqlite/open-sqlite-store.ts', CHECKOUT).href
)) as typeof import('../../src/core/store/sqlite/open-sqlite-store.ts');
const { newTransactionId } = (await import(
  new URL('src/core/values/transaction-id.ts', CHECKOUT).href
)) as typeof import('../../src/core/values/transaction-id.ts');

export type FindTask =
  | { readonly fill: string; readonly payments: number }
  /** Pages of eight, and totals if they are wanted; the answer is in milliseconds for one. */
  | { readonly filter: PaymentFilter; readonly hasTotals: boolean; readonly times: number }
  /** All payments as `/export` writes them; the answer is in milliseconds. */
  | { readonly exported: true };

const IN_ONE_COMMIT = 500;
const YEARS_MS = 2 * 365 * 24 * 3_600_000;
const FIRST_NAMES = 'Kofi Ama Yaw Esi Kwame Adwoa Kojo Abena Akosua Kwabena'.split(' ');
const LAST_NAMES = 'Mensah Owusu Asante Boateng Osei Sarpong Appiah Darko'.split(' ');
const nowMs = Date.now();

/** Spread over two years; every tenth failed, one in a thousand is pending. */
const paymentOf = (at: number, all: number): Payment => {
  const confirmedAtMs = Math.floor(nowMs - ((all - at) * YEARS_MS) / all);
  const id = newTransactionId(confirmedAtMs);
  const conversation = { platform: 'slack', workspace: 'T0BENCH', channel: `C0B${at % 50}` };
  // Surnames of ten customers each, so that a name is rare and a first name is common.
  const surname = `${LAST_NAMES[at % 8]}${String.fromCharCode(97 + (at % 26), 97 + ((at * 7) % 26))}`;
  return {
    id,
    version: 1,
    terms: {
      amount: { amountMinor: 5_000 + (at % 400) * 50, currency: 'GHS' },
      customerNumber: `+23320${String(1_000_000 + ((at * 37) % 20_000))}`,
      customerName: `${FIRST_NAMES[at % 10]} ${surname}`,
      network: 'VOD',
      option: 'MOM',
      reference: at % 3 === 0 ? `Invoice ${at}` : id,
    },
    requester: { platform: 'slack', id: `U0B${at % 50}`, name: 'ama' },
    conversation,
    card: { conversation, message: `17000${at}.0001` },
    state: at % 1_000 === 7 ? 'pending' : at % 10 === 3 ? 'failed' : 'completed',
    confirmedAtMs,
    settledAtMs: confirmedAtMs + 20_000,
    submitByMs: confirmedAtMs + 120_000,
    submittedAtMs: confirmedAtMs,
    rateLimits: 0,
    checks: 1,
    hints: 1,
    hintChecks: 1,
    answer: { code: '202', message: 'received' },
  };
};

let store: Store | undefined;

const fill = async (dir: string, payments: number): Promise<number> => {
  const opened = await openSqliteStore({
    dir,
    log: silentLog,
    onFatal: (error) => {
      throw error;
    },
  });
  store = opened.store;
  const startedAtMs = performance.now();
  for (let from = 0; from < payments; from += IN_ONE_COMMIT) {
    const length = Math.min(IN_ONE_COMMIT, payments - from);
    const put = () =>
      Array.from({ length }, (_, at) => ({
        kind: 'payment' as const,
        record: paymentOf(from + at, payments),
      }));
    // Two of one millisecond may get the same id.
    while (!(await store.commit({ put: put() })));
  }
  return performance.now() - startedAtMs;
};

const ask = async (filter: PaymentFilter, hasTotals: boolean, times: number): Promise<number> => {
  const startedAtMs = performance.now();
  for (let at = 0; at < times; at++) {
    await store?.listPayments(filter, { limit: 8 });
    if (hasTotals) await store?.totalPayments(filter);
  }
  return (performance.now() - startedAtMs) / times;
};

const exported = async (): Promise<number> => {
  if (store === undefined) throw new Error('nothing was filled');
  const startedAtMs = performance.now();
  const files = new ExportFiles(Number.POSITIVE_INFINITY);
  const reading = {
    isWhole: false,
    branches: [],
    merchants: [],
    shop: 'Ama Ventures',
    timeZone: 'Africa/Accra',
  };
  for await (const lines of exportLines(store, {}, reading)) await files.add(lines);
  await files.close();
  return performance.now() - startedAtMs;
};

/** What the filters of the figures search for; the words are of the fill above. */
export const SEARCHES: Readonly<Record<string, readonly SearchTerm[]>> = {
  'a name': [{ word: 'mensahab' }],
  'a common first name': [{ word: 'adwoa' }],
  'a name in two words': [{ word: 'kofi' }, { word: 'mensah' }],
  'an amount': [{ word: '70', amount: { amountMinor: 7_000, currency: 'GHS' } }],
  'a reference': [{ word: 'invoice' }, { word: '999' }],
  'last four digits': [{ word: '1234', lastDigits: '1234' }],
};

if (process.send !== undefined) {
  process.on('message', (task: FindTask) => {
    const done =
      'fill' in task
        ? fill(task.fill, task.payments)
        : 'exported' in task
          ? exported()
          : ask(task.filter, task.hasTotals, task.times);
    done.then(
      (result) => process.send?.({ result }),
      (error: Error) => process.send?.({ error: error.message }),
    );
  });
  process.on('disconnect', () => process.exit(0));
  process.on('SIGTERM', () => process.exit(0));
  process.send({ ready: true });
}
