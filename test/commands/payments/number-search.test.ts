import { beforeEach, expect, it } from 'vitest';
import type { Card } from '../../../src/commands/cards/card.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { ama } from '../../support/a-payment.ts';
import { type Desk, openDesk } from '../../support/desk.ts';
import { allGrants } from '../../support/grants.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openStore } from '../../support/open-store.ts';

let store: Store;
let desk: Desk;
let reveal = false;

beforeEach(async () => {
  store = await openStore();
  reveal = false;
  desk = openDesk(store, new ManualClock(), () => allGrants({ reveal }));
});

const titleOf = ([card]: readonly Card[]) => card?.title ?? '';
/** One search after the other, by each way there is, until one is refused. */
const searches = async (most: number): Promise<number> => {
  for (let done = 0; done < most; done++) {
    const number = `024412${String(1000 + done)}`;
    const command = done % 2 === 0 ? 'payments' : 'customer';
    const title = titleOf(await desk.type(ama, command, number));
    if (title === 'Too many questions') return done;
  }
  return most;
};

it('counts against the questions of a person who may not reveal numbers, and stands in the audit trail', {
  tags: ['T73'],
}, async () => {
  await desk.type(ama, 'lookup', '0244123456');
  expect(await searches(413)).toBe(29);
  expect(titleOf(await desk.type(ama, 'lookup', '0244123456'))).toBe('Too many questions');
  // What names no number goes on.
  expect(titleOf(await desk.type(ama, 'payments', 'today'))).not.toBe('Too many questions');
  const rows = await store.auditOf('number-searches');
  expect(rows).toHaveLength(29);
  expect(rows[0]).toMatchObject({ what: 'searched', who: ama });
  expect(JSON.stringify(rows)).not.toMatch(/4121\d{3}/);
});

it('is free for a person who may reveal numbers', async () => {
  reveal = true;
  expect(await searches(50)).toBe(50);
  expect(await store.auditOf('number-searches')).toEqual([]);
});
