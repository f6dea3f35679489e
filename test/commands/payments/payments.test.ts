import { beforeEach, describe, expect, it } from 'vitest';
import type { Grants } from '../../../src/commands/access/access.ts';
import type { Card } from '../../../src/commands/cards/card.ts';
import type { Store } from '../../../src/core/store/store.ts';
import type { Person } from '../../../src/core/values/conversation.ts';
import { ama, aPayment } from '../../support/a-payment.ts';
import { cardText } from '../../support/card-text.ts';
import { type Desk, openDesk } from '../../support/desk.ts';
import { allGrants } from '../../support/grants.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openStore } from '../../support/open-store.ts';

const kojo = { platform: 'slack', id: 'U0KOJO', name: 'Kojo' };
const NOW = '2026-11-22T16:00:00Z';

let store: Store;
let desk: Desk;
let grants: (person: Person) => Grants;

beforeEach(async () => {
  grants = () => allGrants();
  const clock = new ManualClock(Date.parse(NOW));
  store = await openStore();
  desk = openDesk(store, clock, (person) => grants(person));
});

const stored = async (id: string, confirmedAt: string): Promise<void> => {
  const record = {
    ...aPayment({ state: 'completed' }),
    id,
    confirmedAtMs: Date.parse(confirmedAt),
  };
  await store.commit({ put: [{ kind: 'payment', record }] });
};

const list = async (words = ''): Promise<Card> => {
  const [card] = await desk.type(ama, 'payments', words);
  if (card === undefined) throw new Error('nothing was shown');
  return card;
};

describe('/payments', () => {
  it('says the money first, then whose it is, when it was asked, by whom, and the id last, to copy', async () => {
    await stored('01JD2M4X9QK7T3VA', '2026-11-20T09:15:00Z');
    await stored('01JD2M4X9QK7T3VB', '2026-11-21T23:59:00Z');
    await stored('01JD2M4X9QK7T3VC', '2026-11-22T14:02:00Z');
    const { parts } = await list();
    expect(parts).toEqual([
      {
        kind: 'list',
        numbered: true,
        items: [
          ['today 14:02', '01JD2M4X9QK7T3VC'],
          ['yesterday 23:59', '01JD2M4X9QK7T3VB'],
          ['Fri 20 Nov 09:15', '01JD2M4X9QK7T3VA'],
        ].map(([when, code]) => ({
          text: `GHS 50.00 completed · 024 *** 3456 Kofi M. · ${when} · by ama ·`,
          code,
        })),
      },
    ]);
  });

  it('has a Details button for each line, which shows that payment without asking the service', async () => {
    await stored('01JD2M4X9QK7T3VA', '2026-11-20T09:15:00Z');
    await stored('01JD2M4X9QK7T3VB', '2026-11-21T23:59:00Z');
    const card = await list();
    expect(card.buttons?.map(({ label }) => label)).toEqual(['Details 1', 'Details 2']);
    const [details] = await desk.press(ama, card, 'Details 2');
    expect(details?.title).toBe('GHS 50.00 · completed');
    expect(details && cardText(details)).toContain('01JD2M4X9QK7T3VA');
    expect(desk.gateway.checked).toEqual([]);
  });

  it('shows details to the one who asked for the payment, and else to those who may list payments', async () => {
    await stored('01JD2M4X9QK7T3VA', '2026-11-20T09:15:00Z');
    const card = await list();
    grants = () => ({ ...allGrants(), may: () => false });
    expect((await desk.press(ama, card, 'Details 1'))[0]?.title).toBe('GHS 50.00 · completed');
    expect((await desk.press(kojo, card, 'Details 1'))[0]?.title).toBe(
      'You cannot see payments yet',
    );
  });

  it.each([
    ['', 'There are no payments yet.'],
    ['today', 'There are no payments today.'],
    ['pending', 'Every payment has an outcome.'],
    ['failed', 'No payment has failed.'],
    ['024 412 3456', 'I found no payment for "024 412 3456".'],
  ])('without any says so, after %o', async (words, sentence) => {
    expect(cardText(await list(words))).toContain(sentence);
  });

  it('repeats what it does not find as it was typed', async () => {
    expect(cardText(await list('Adwoa'))).toContain('I found no payment for "Adwoa".');
  });
});
