import { describe, expect, it } from 'vitest';
import { closedDayCard, openDayCard } from '../../../src/commands/close/close-card.ts';
import type { ClosedDay, Correction, DayFigures } from '../../../src/core/records/closed-day.ts';
import { calendarDay } from '../../../src/core/values/calendar-day.ts';
import { ama } from '../../support/a-payment.ts';
import { cardText } from '../../support/card-text.ts';

const nowMs = Date.parse('2026-11-22T18:00:00Z');
const day = calendarDay(2026, 11, 21) ?? 0;
const shown = { of: { day }, currency: 'GHS', moment: { timeZone: 'Africa/Accra', nowMs } };

const figures: DayFigures = {
  opening: { amountMinor: 10_000, atMs: nowMs - 42 * 3_600_000 },
  closing: { amountMinor: 16_000, atMs: nowMs - 19 * 3_600_000 },
  collected: [
    { currency: 'GHS', count: 2, amountMinor: 7_000 },
    { currency: 'USD', count: 1, amountMinor: 500 },
  ],
  earlyMinor: 0,
  lateMinor: 0,
  doubts: [{ doubt: 'perhaps reversed', currency: 'GHS', count: 1, amountMinor: 1_000 }],
  unexplained: { amountMinor: 0 },
  strays: 2,
};

describe('a day that is not closed', () => {
  it('has each currency, compares the default one alone, and takes a reversed payment for what is missing', () => {
    const text = cardText(openDayCard({ figures, doubtful: [] }, shown));
    expect(text).toContain('Collected: GHS 70.00, USD 5.00 (3 payments)');
    expect(text).toContain('Difference: GHS -10.00');
    expect(text).toContain('The lines below can explain the difference.');
    expect(text).toContain('1 perhaps reversed · GHS 10.00');
    expect(text).toContain('2 payments that the payment service reported are missing here');
  });

  it('names to the pesewa what a reversed payment cannot explain', () => {
    const closing = { amountMinor: 15_999, atMs: nowMs };
    const left = { closing, unexplained: { amountMinor: -1 } };
    const text = cardText(openDayCard({ figures: { ...figures, ...left }, doubtful: [] }, shown));
    expect(text).toContain('The balance is GHS 0.01 too low.');
  });
});

describe('a closed day', () => {
  const closed: ClosedDay = { figures, by: ama, atMs: nowMs - 3_600_000 };
  const corrections = (count: number): Correction[] =>
    Array.from({ length: count }, (_, at) => {
      const amount = { amountMinor: 100 * at, currency: 'GHS' };
      return { paymentId: `P${at}`, amount, before: 'pending', after: 'failed', atMs: nowMs };
    });

  it('lists the eight newest corrections, each with Details, and counts the others', () => {
    const card = closedDayCard(
      closed,
      { corrections: corrections(10), now: figures, later: [] },
      shown,
    );
    expect(cardText(card)).toContain('❌ GHS 9.00 was pending, is failed');
    expect(cardText(card)).not.toContain('GHS 1.00 was');
    expect(cardText(card)).toContain('2 earlier.');
    expect(card.buttons?.map((button) => button.kind === 'press' && button.id)).toEqual(
      [9, 8, 7, 6, 5, 4, 3, 2].map((at) => `P${at}`),
    );
    expect(cardText(card)).not.toContain('Collected by now');
  });
});
