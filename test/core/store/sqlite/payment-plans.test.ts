import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { OPEN_STATES, type PaymentFilter } from '../../../../src/core/records/payment.ts';
import type { FigureGroup } from '../../../../src/core/records/payment-figures.ts';
import { endedPaymentsText } from '../../../../src/core/store/sql/customer-erasure.ts';
import { paymentFiguresQuery } from '../../../../src/core/store/sql/payment-figures.ts';
import {
  paymentPageQuery,
  paymentTotalsQuery,
} from '../../../../src/core/store/sql/payment-query.ts';
import type { Query } from '../../../../src/core/store/sql/sql.ts';
import { SQLITE } from '../../../../src/core/store/sqlite/sqlite-sql.ts';
import { pathIn } from '../../../../src/core/store/sqlite/store-folder.ts';
import { openStoreIn } from '../../../support/store-folder.ts';
import { tempFolder } from '../../../support/temp-folder.ts';

/** Those of reports. */
const FIGURE_GROUPS: Readonly<{ [Group in Exclude<FigureGroup, 'countedFor' | 'run'>]: Group }> = {
  requester: 'requester',
  place: 'place',
  merchant: 'merchant',
  network: 'network',
  option: 'option',
  quarter: 'quarter',
  secondsToSettle: 'secondsToSettle',
};

/** What SQLite does with a statement, a step a line. */
const planOf = async ({ text, values }: Query): Promise<string[]> => {
  const dir = await tempFolder();
  await (await openStoreIn(dir)).close();
  const database = new DatabaseSync(pathIn(dir, 'paythread.db'), { readOnly: true });
  const steps = database.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...values);
  database.close();
  return steps.map(({ detail }) => String(detail));
};

/** A table read from end to end, but for a walk down an index that ends with the page. */
const reads = (steps: readonly string[]): string[] =>
  steps.filter((step) => /^SCAN payments/.test(step));

describe('the embedded store', () => {
  it.each<[PaymentFilter, string]>([
    [{}, 'SCAN payments USING COVERING INDEX payments_by_time'],
    [{ sinceMs: 1, untilMs: 2 }, 'COVERING INDEX payments_by_time (confirmed_ms>? AND'],
    [{ states: ['failed', 'refused'] }, 'COVERING INDEX payments_by_state (state=?)'],
    [{ states: ['failed'], sinceMs: 1 }, 'COVERING INDEX payments_by_state (state=? AND'],
    [{ customerNumber: '+1', states: ['failed'] }, 'payments_by_customer (customer_number=?)'],
    [
      { customers: ['+1', '+2'], states: ['pending', 'unknown'] },
      'payments_by_customer (customer_number=?)',
    ],
    [
      { customers: ['+1', '+2'], states: ['completed'], endedSinceMs: 1 },
      'payments_by_customer (customer_number=?)',
    ],
    [{ requester: 'a', sinceMs: 1 }, 'payments_by_requester (requester=? AND confirmed_ms>?)'],
    [{ search: [{ word: 'kofi' }] }, 'SCAN payments USING COVERING INDEX payments_by_search'],
    [
      { sinceMs: 1, states: ['failed'], search: [{ word: 'kofi' }, { lastDigits: '1234' }] },
      'SEARCH payments USING COVERING INDEX payments_by_search (confirmed_ms>?)',
    ],
    [{ bulk: 'r1' }, 'SEARCH payments USING COVERING INDEX payments_by_run (run=?)'],
    [{ bulk: ['r1', 'r2'] }, 'SEARCH payments USING COVERING INDEX payments_by_run (run=?)'],
  ])('has an index for the totals and the pages of %o', async (filter, step) => {
    const totals = paymentTotalsQuery(filter, 100, SQLITE);
    const page = paymentPageQuery(filter, { limit: 8, after: 'P1' }, SQLITE);
    const steps = await planOf(totals);
    expect(steps.join('\n')).toContain(step);
    expect(reads(steps).filter((read) => !read.includes('COVERING'))).toEqual([]);
    expect(reads(await planOf(page))).toEqual([]);
  });

  it.each<PaymentFilter>([
    { search: [{ word: 'kofi' }] },
    { search: [{ word: 'kofi' }], states: ['failed'], sinceMs: 1, untilMs: 2 },
  ])(
    'looks for the payments of a page in the index that has what they are searched by: %o',
    async (filter) => {
      const page = paymentPageQuery(filter, { limit: 8 }, SQLITE);
      const steps = await planOf(page);
      expect(steps.join('\n')).toContain('payments USING COVERING INDEX payments_by_search');
      expect(steps.join('\n')).toContain(
        'SEARCH payments USING INDEX sqlite_autoindex_payments_1 (id=?)',
      );
    },
  );

  it('finds flagged payments by their flag, however many are open', { tags: ['F84'] }, async () => {
    const filter = { flag: 'conflict', states: OPEN_STATES } as const;
    const totals = paymentTotalsQuery(filter, 100, SQLITE);
    expect((await planOf(totals)).join('\n')).toMatch(
      /SEARCH payments USING INDEX payments_flagged \(flag=\?\)/,
    );
  });

  it('finds what RETAIN takes out by an index that has no payment that was taken out', {
    tags: ['F84'],
  }, async () => {
    const steps = await planOf({ text: endedPaymentsText(SQLITE), values: [0, 'P', 9, 50] });
    expect(steps).toEqual([expect.stringContaining('USING INDEX payments_to_forget (')]);
  });

  it('goes by the person, or by the time, to what counts against a limit', async () => {
    const asked = { time: 'confirmed', fromMs: 1, untilMs: 2 } as const;
    for (const [whose, step] of [
      [{ requester: 'a' }, 'payments_by_requester (requester=? AND confirmed_ms>? AND'],
      [{ by: ['countedFor'] }, 'payments_by_time (confirmed_ms>? AND confirmed_ms<?)'],
    ] as const)
      expect((await planOf(paymentFiguresQuery({ ...asked, ...whose }))).join('\n')).toContain(
        step,
      );
  });

  it.each([
    ['confirmed', 'COVERING INDEX payments_by_time (confirmed_ms>? AND confirmed_ms<?)'],
    ['settled', 'COVERING INDEX payments_settled (settled_ms>? AND settled_ms<?)'],
  ] as const)('reads an index alone for the figures of what was %s', async (time, step) => {
    const by = time === 'settled' ? [] : Object.values(FIGURE_GROUPS);
    const query = paymentFiguresQuery({ time, fromMs: 1, untilMs: 2, by });
    expect((await planOf(query)).join('\n')).toContain(step);
  });
});
