import { beforeEach, describe, expect, it } from 'vitest';
import type { Card } from '../../../src/commands/cards/card.ts';
import type { Payment } from '../../../src/core/records/payment.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { ama, aPayment } from '../../support/a-payment.ts';
import { cardText } from '../../support/card-text.ts';
import { type Desk, openDesk } from '../../support/desk.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openStore } from '../../support/open-store.ts';

const clock = new ManualClock(Date.parse('2026-11-22T16:00:00Z'));
let store: Store;
let desk: Desk;

beforeEach(async () => {
  store = await openStore();
  desk = openDesk(store, clock);
});

const stored = async (changes: Partial<Payment>): Promise<void> => {
  const record = aPayment({ state: 'completed', confirmedAtMs: clock.now(), ...changes });
  await store.commit({ put: [{ kind: 'payment', record }] });
};

const list = async (words = ''): Promise<Card> => {
  const [card] = await desk.type(ama, 'payments', words);
  if (card === undefined) throw new Error('nothing was shown');
  return card;
};

describe('a list of payments', () => {
  it('leaves the day out of the lines of a list whose title names it, and has the year of another one', async () => {
    await stored({ id: 'OLD', confirmedAtMs: Date.parse('2025-11-20T09:15:00Z') });
    await stored({ id: 'FRI', confirmedAtMs: Date.parse('2026-11-20T09:15:00Z') });
    expect(cardText(await list('20 Nov'))).toContain('✅ GHS 50.00 · Kofi M. · 09:15 · ama');
    expect(cardText(await list('Kofi'))).toContain('✅ GHS 50.00 · Kofi M. · 20 Nov 2025 · ama');
  });

  it('names the number where no name was found, and makes loud what a person may have to look into', async () => {
    const { customerName: _, ...nameless } = aPayment().terms;
    for (const [id, changes] of [
      ['A', { terms: nameless, state: 'pending' }],
      ['B', { state: 'unknown' }],
      ['C', { state: 'unknown', flag: 'needs a person' }],
      ['D', { state: 'failed', flag: 'conflict' }],
      ['E', { state: 'refused' }],
    ] as const)
      await stored({ id, ...changes });
    const [, rows] = (await list()).parts;
    const line = (sign: string, who = 'Kofi M.') => `${sign} GHS 50.00 · ${who} · 16:00 · ama`;
    expect(rows).toMatchObject({
      items: [
        line('❌'),
        { text: line('⚠️'), loud: true },
        { text: line('❓'), loud: true },
        { text: line('❓'), loud: true },
        line('⏳', '024 *** 3456'),
      ],
    });
  });
});
