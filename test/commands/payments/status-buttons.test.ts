import { expect, it } from 'vitest';
import { paymentCard } from '../../../src/commands/cards/payment-card.ts';
import { ama, aPayment } from '../../support/a-payment.ts';
import { cardText } from '../../support/card-text.ts';
import { openDesk } from '../../support/desk.ts';
import { allGrants } from '../../support/grants.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openStore } from '../../support/open-store.ts';
import { smsSettings } from '../../support/sms-templates.ts';

const esi = { platform: ama.platform, id: 'U0ESI', name: 'Esi' };

it.each([
  [['status'], ['Check now']],
  [
    ['status', 'payments'],
    ['Check now', 'Details'],
  ],
  [
    ['status', 'sms'],
    ['Check now', 'Reminder'],
  ],
  [
    ['status', 'sms', 'payments', 'charge'],
    ['Check now', 'Reminder', 'Details'],
  ],
])('with %j the card of /status has %j', async (may, buttons) => {
  const store = await openStore();
  const grants = allGrants({ may: (name) => may.includes(name) });
  const desk = openDesk(store, new ManualClock(), () => grants, undefined, undefined, {
    settings: {
      currency: 'GHS',
      country: 'GH',
      timeZone: 'Africa/Accra',
      ...smsSettings(),
    },
  });
  const { due: _, ...payment } = aPayment({ state: 'pending' });
  await store.commit({ put: [{ kind: 'payment', record: payment }] });
  const [card] = await desk.type(esi, 'status', payment.id);
  expect(card?.buttons?.map(({ label }) => label)).toEqual(buttons);
});

it('the requester sees Details without the right to payments', async () => {
  const store = await openStore();
  const grants = allGrants({ may: (name) => name === 'status' });
  const desk = openDesk(store, new ManualClock(), () => grants);
  const { due: _, ...payment } = aPayment({ state: 'completed', settledAtMs: 1 });
  await store.commit({ put: [{ kind: 'payment', record: payment }] });
  const [card] = await desk.type(ama, 'status', payment.id);
  expect(card?.buttons?.map(({ label }) => label)).toEqual(['Details']);
});

it('a code without words is in the Details alone: it says nothing to people who sell', async () => {
  const store = await openStore();
  const desk = openDesk(store, new ManualClock(), () => allGrants());
  const refused = { state: 'refused', settledAtMs: 1, answer: { code: '100' } } as const;
  const { due: _, ...payment } = aPayment(refused);
  await store.commit({ put: [{ kind: 'payment', record: payment }] });
  expect(cardText(paymentCard(payment, 'UTC'))).not.toContain('100');
  const [list] = await desk.type(ama, 'payments', payment.id);
  const [details] = await desk.press(ama, list, '1');
  expect(cardText(details)).toContain('code 100');
});
