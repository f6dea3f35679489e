import { expect, it } from 'vitest';
import type { Person } from '../../../src/core/values/conversation.ts';
import { openDesk } from '../../support/desk.ts';
import { allGrants } from '../../support/grants.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openInstance, startPostgres } from '../../support/postgres.ts';

const PRESSES = 50;
/** Room for one: then the first two of them already may not both see that there is. */
const LIMIT = { amountMinor: 1_500, currency: 'GHS' };

const postgres = await startPostgres();

it.each([
  ['the daily limit of a person', 1, { dailyLimit: LIMIT }],
  ['the daily total of a role', PRESSES, { charging: [{ role: 'sales', dailyTotal: LIMIT }] }],
])(
  '%s is not exceeded by 50 presses at one moment, on two instances of one database',
  async (_limit, sellers, limits) => {
    await postgres.emptyTables();
    const clock = new ManualClock(Date.now());
    const open = async () => {
      const { store } = await openInstance(postgres.url());
      return { store, desk: openDesk(store, clock, () => allGrants(limits)) };
    };
    const [one, other] = [await open(), await open()];
    const presses = Array.from({ length: PRESSES }, (_, at) => ({
      desk: (at % 2 === 0 ? one : other).desk,
      person: {
        platform: 'slack',
        id: `U${1000 + (at % sellers)}`,
        name: 'Seller',
      } satisfies Person,
      words: `024412${1000 + at} 10`,
    }));
    const questions = await Promise.all(
      presses.map(async ({ person, words }) => (await one.desk.type(person, 'charge', words))[0]),
    );
    await Promise.all(
      presses.map(({ desk, person }, at) => desk.press(person, questions[at], 'Charge')),
    );
    const { payments } = await other.store.listPayments({}, { limit: PRESSES });
    expect(payments).toHaveLength(1);
  },
);
