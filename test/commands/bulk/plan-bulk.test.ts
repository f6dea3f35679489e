import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { namesFit, planBulk, totalOf } from '../../../src/commands/bulk/plan-bulk.ts';
import { type ChargeRow, readChargeFile } from '../../../src/commands/bulk/read-charge-rows.ts';
import type { LookupOutcome } from '../../../src/core/gateway/gateway.ts';
import { defined } from '../../../src/core/runtime/defined.ts';
import type { Money } from '../../../src/core/values/money.ts';
import { allGrants } from '../../support/grants.ts';

const ghs = (amountMinor: number) => ({ amountMinor, currency: 'GHS' });
const found = (name: string, status = 'active'): LookupOutcome => ({
  kind: 'found',
  name,
  status,
  type: 'wallet',
  answer: {},
});
const fileOf = async (text: string) => {
  const file = await readChargeFile(Buffer.from(text), { country: 'GH', currency: 'GHS' });
  if (!file.ok) throw new Error(file.problem.message);
  return file.value;
};

const FILE = await fileOf(
  [
    'number,amount,name',
    '0244123456,50,Ama Mensah',
    '0201234567,"1,200.50",Kofi',
    '0244123408,5,',
    '0244123407,5,Esi',
  ].join('\n'),
);
const LOOKUPS = new Map<number, LookupOutcome>([
  [2, found('AMA SERWAA MENSAH')],
  [3, found('YAW BOATENG')],
  [4, { kind: 'notFound', answer: {} }],
  [5, found('ESI OWUSU', 'inactive')],
]);
const plan = (maxCharge?: Money, lookups = LOOKUPS) =>
  planBulk(FILE, lookups, { ...allGrants(), ...defined({ maxCharge }) });

describe('the plan of a file', () => {
  it('lists names that do not fit and doubtful wallets, and keeps their rows', () => {
    expect(plan()).toMatchObject({
      otherNames: [{ row: 3, inFile: 'Kofi', ofWallet: 'YAW BOATENG' }],
      doubtful: [4, 5],
      unasked: [],
      aboveLimit: [],
    });
    expect(plan().charges.map(({ row, customerName }) => [row, customerName])).toEqual([
      [2, 'AMA SERWAA MENSAH'],
      [3, 'YAW BOATENG'],
      [4, undefined],
      [5, 'ESI OWUSU'],
    ]);
  });

  it.each([
    ['below a charge', ghs(100_000), [3]],
    ['a charge', ghs(120_050), []],
    ['in another currency', { amountMinor: 1e9, currency: 'USD' }, [2, 3, 4, 5]],
  ])('lists the rows above a limit that is %s, and keeps them', (_is, limit, rows) => {
    const { aboveLimit, charges } = plan(limit);
    expect(aboveLimit).toEqual(rows);
    expect(totalOf(charges)).toEqual(ghs(126_050));
  });

  it('names the rows whose name could not be asked', () => {
    const away: LookupOutcome = { kind: 'noAnswer', answer: {}, reason: 'timeout' };
    expect(plan(undefined, new Map([...LOOKUPS, [2, away]])).unasked).toEqual([2]);
    expect(plan(undefined, new Map()).unasked).toEqual([2, 3, 4, 5]);
  });

  it('adds up to the pesewa, whatever the rows', () => {
    const charge = fc.integer({ min: 1, max: 99_999_999 }).map(ghs);
    fc.assert(
      fc.property(fc.array(charge, { minLength: 1 }), (amounts) => {
        const good = amounts.map(
          (amount, at): ChargeRow => ({
            row: at + 2,
            amount,
            customerNumber: '+233244123456',
            network: 'MTN',
            doubtful: false,
          }),
        );
        const { charges } = planBulk({ good }, new Map(), allGrants());
        const cents = amounts.map(({ amountMinor }) => BigInt(amountMinor));
        expect(BigInt(totalOf(charges).amountMinor)).toBe(cents.reduce((a, b) => a + b, 0n));
      }),
    );
  });
});

describe('names', () => {
  it.each([
    ['Ama Mensah', 'MENSAH AMA SERWAA', true],
    ['A. Mensah', 'AMA MENSAH', true],
    ['AMA MENSAH', 'A Mensah Osei', true],
    ['Akɔsua', 'AKOSUA BOATENG', true],
    ['Ama Mensah', 'AMA OWUSU', false],
    ['Kofi', 'YAW BOATENG', false],
  ])('"%s" and "%s" fit: %s', (one, other, fits) => {
    expect(namesFit(one, other)).toBe(fits);
    expect(namesFit(other, one)).toBe(fits);
  });
});
