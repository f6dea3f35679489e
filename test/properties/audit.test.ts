import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { storyCard, storyOf } from '../../src/commands/audit/audit-story.ts';
import { PaymentReplay } from '../../src/core/store/payment-replay.ts';
import { booksOf } from '../support/audited-payments.ts';
import { check } from '../support/check.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { openStore } from '../support/open-store.ts';
import { life } from '../support/payment-lives.ts';

describe('the audit trail of a payment, whatever happens to it', () => {
  it('leads to exactly what is stored, and tells a story that names no full number', async () => {
    const clock = new ManualClock();
    const store = await openStore();
    const { payments, confirmed } = booksOf(store, clock);
    await check(
      fc.asyncProperty(life, async (steps) => {
        const id = await confirmed(5_000);
        for (const { event } of steps) {
          clock.jump(1_000);
          await payments.record(id, event);
        }
        const stored = await payments.get(id);
        expect(stored).toBeDefined();
        const rows = await store.auditOf(id);
        const replay = new PaymentReplay();
        for (const row of rows)
          if (row.kind === 'payment') expect(replay.take(row)).toBeUndefined();
        expect(stored && replay.differenceTo(stored)).toBeUndefined();
        expect(replay.amount).toEqual(stored?.terms.amount);
        const moment = { timeZone: 'Africa/Accra', nowMs: clock.now() };
        const card = storyCard(storyOf(id, rows, moment), moment.timeZone);
        expect(JSON.stringify(card).length).toBeLessThan(8_000);
        // Behind other digits it is the end of something that was made up, and nobody's number.
        expect(JSON.stringify(card)).not.toMatch(/(?<![\d.])(\+?233|0)?244123456(?!\d)/);
      }),
      150,
    );
  });
});
