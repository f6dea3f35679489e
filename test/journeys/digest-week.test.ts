import { expect } from 'vitest';
import { mondayOf, startOfDay } from '../../src/core/values/calendar-day.ts';
import { EDGES, openEdge } from '../support/edges.ts';
import { storePayments } from '../support/stored-payments.ts';
import { together } from '../support/together.ts';

const it = together();

const DAY_MS = 24 * 3_600_000;

const WEEK = new RegExp(
  [
    'Day so far, Mon ',
    'Last week, [\\w ]+:?\\S* ?2 completed · GHS 100\\.00 · 1 failed',
    'The week before:?\\S* ?0 completed · GHS 0\\.00',
  ].join('[\\s\\S]*'),
);

it.each(EDGES.filter((name) => name !== 'the terminal'))(
  '%s is told on Monday what the week came to, with its picture',
  async (name) => {
    const efua = await openEdge(name, (DIGEST) => ({ DIGEST, DIGEST_AT: '18:00' }));
    const today = Math.floor(efua.shop.clock.now() / DAY_MS);
    const mondayMs = startOfDay(mondayOf(today) + 7, 'Africa/Accra');
    const states = ['completed', 'completed', 'failed'] as const;
    await storePayments(
      efua.shop.app.store,
      states.map((state, at) => ({ id: `P${at}`, state, confirmedAtMs: mondayMs - DAY_MS })),
    );
    await efua.restart(mondayMs + 18 * 3_600_000 + 1_000);
    await efua.sees(WEEK);
    const picture = await efua.file(/^test-report-last-week-.*\.png$/);
    expect(picture.subarray(1, 4).toString()).toBe('PNG');
  },
);
