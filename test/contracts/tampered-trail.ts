import { expect, it } from 'vitest';
import { auditedPayments } from '../support/audited-payments.ts';
import type { KeptStore } from '../support/kept-store.ts';
import { runCommand } from '../support/run-command.ts';

/** A store with three payments and their stories. */
export const aTrail = async <Kept extends KeptStore>(open: () => Promise<Kept>) => {
  const kept = await open();
  const ids = await kept.within((store) => auditedPayments(store, kept.clock));
  return { kept, ids };
};

/** The payment that was refused, and its rows of the trail. */
const REFUSED = 'id = (SELECT max(id) FROM payments)';
const ITS_ROWS = `kind = 'payment' AND ${REFUSED}`;

type Hand = readonly [what: string, sql: string | ((kept: KeptStore) => string), found: RegExp];

const HANDS: readonly Hand[] = [
  [
    'a changed row',
    `UPDATE audit SET entry = replace(entry, '"atMs":1', '"atMs":2') WHERE ${ITS_ROWS} AND seq = 3`,
    /^payment \w+, row 3: it was changed after it was written$/,
  ],
  [
    'a changed detail',
    `UPDATE audit_details SET detail = replace(detail, 'No.', 'Yes.') WHERE position = (SELECT position FROM audit WHERE ${ITS_ROWS} AND seq = 3)`,
    /^payment \w+, row 3: its detail was changed after it was written$/,
  ],
  [
    'a deleted detail',
    `DELETE FROM audit_details WHERE position = (SELECT position FROM audit WHERE ${ITS_ROWS} AND seq = 3)`,
    /^payment \w+, row 3: its detail is gone, and no customer was forgotten since$/,
  ],
  [
    'a deleted row',
    `DELETE FROM audit WHERE ${ITS_ROWS} AND seq = 2`,
    /^payment \w+, row 3: row 2 is missing before it\npayment \w+, row 3: before version 3/,
  ],
  [
    'the last row deleted',
    `DELETE FROM audit WHERE ${ITS_ROWS} AND seq = 3`,
    /^payment \w+: it is stored as version 3, in the trail 2$/,
  ],
  [
    'all rows of a payment deleted',
    `DELETE FROM audit WHERE ${ITS_ROWS}`,
    /^payment \w+: it is stored, and has no audit row$/,
  ],
  [
    'a row put in',
    `INSERT INTO audit (kind, id, seq, entry, hash) SELECT kind, id, 4, entry, hash FROM audit WHERE ${ITS_ROWS} AND seq = 3`,
    /^payment \w+, row 4: it was changed after it was written/,
  ],
  [
    'rows sealed for another record',
    `INSERT INTO audit (kind, id, seq, entry, hash) SELECT kind, 'X', seq, entry, hash FROM audit WHERE ${ITS_ROWS}`,
    /^payment X, row 1: it was written for another record/,
  ],
  [
    'a changed state',
    ({ bodyWith }) =>
      `UPDATE payments SET state = 'completed', body = ${bodyWith('"state":"refused"', '"state":"completed"')} WHERE ${REFUSED}`,
    /^payment \w+: it is stored as completed, in the trail refused$/,
  ],
  [
    'a state that the record itself has otherwise',
    `UPDATE payments SET state = 'completed' WHERE ${REFUSED}`,
    /^payment \w+: what it is searched by differs from the record itself$/,
  ],
  [
    'a payment that is found under another number',
    `UPDATE payments SET customer_number = '+1' WHERE ${REFUSED}`,
    /^payment \w+: what it is searched by differs from the record itself$/,
  ],
  [
    'a changed amount',
    ({ bodyWith }) =>
      `UPDATE payments SET amount_minor = 1, body = ${bodyWith('"amountMinor":3000', '"amountMinor":1')} WHERE ${REFUSED}`,
    /^payment \w+: it is stored as GHS 1 \(in minor units\), in the trail GHS 3000$/,
  ],
  [
    'a flag taken away',
    ({ bodyWith }) =>
      `UPDATE payments SET flag = NULL, body = ${bodyWith('"flag":"conflict"', '"x":1')} WHERE state = 'pending'`,
    /^payment \w+: it is stored as without a flag, in the trail with the flag "conflict"$/,
  ],
  [
    'a record changed where nothing is searched by it',
    ({ bodyWith }) =>
      `UPDATE payments SET body = ${bodyWith('"checks":', '"Checks":')} WHERE ${REFUSED}`,
    /^payment \w+: it was changed after it was written$/,
  ],
  ['a deleted payment', `DELETE FROM payments WHERE ${REFUSED}`, /^payment \w+: it is not stored$/],
];

/**
 * What `npm run audit -- verify` finds in every store after a hand in its tables. `bodies`: what the column of a body
 * takes and no record is.
 */
export const tamperedTrailCases = (
  open: () => Promise<KeptStore>,
  bodies: { readonly payments: readonly string[]; readonly setting: string },
): void => {
  const placesAfter = async ({ tamper, verify }: KeptStore, sql: string): Promise<string> => {
    await tamper(sql);
    return (await verify()).places.join('\n');
  };

  it.each(HANDS)('finds %s, should somebody take the guards away', async (_what, sql, found) => {
    const { kept } = await aTrail(open);
    const places = await placesAfter(kept, typeof sql === 'string' ? sql : sql(kept));
    expect(places).toMatch(found);
  });

  it.each(bodies.payments)('names a payment whose body is %s', async (body) => {
    const { kept, ids } = await aTrail(open);
    const named = `payment ${ids.toSorted().at(-1)}: its body is no payment`;
    expect(await placesAfter(kept, `UPDATE payments SET body = '${body}' WHERE ${REFUSED}`)).toBe(
      named,
    );
    const said = await runCommand('audit', ['verify'], kept.env);
    expect(said).toMatchObject({ code: 1, output: expect.stringContaining(`  ${named}`) });
  });

  it('names a record that is no payment and cannot be read', async () => {
    const { kept } = await aTrail(open);
    const sql = `INSERT INTO records (kind, id, version, body) VALUES ('setting', 'moved:slack:C1', 1, '${bodies.setting}')`;
    expect(await placesAfter(kept, sql)).toBe('setting moved:slack:C1: its body is no setting');
  });

  it('names a row whose entry is no JSON', async () => {
    const { kept } = await aTrail(open);
    const sql = `UPDATE audit SET entry = '{"kind":' WHERE ${ITS_ROWS} AND seq = 3`;
    expect(await placesAfter(kept, sql)).toMatch(
      /^payment \w+, row 3: it was changed after it was written$/m,
    );
  });

  it('has sums by state that differ once a state does', async () => {
    const { kept } = await aTrail(open);
    await kept.tamper(`UPDATE payments SET state = 'completed' WHERE ${REFUSED}`);
    const { stored, audited } = await kept.verify();
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
};
