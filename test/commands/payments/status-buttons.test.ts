import { expect, it } from 'vitest';
import { ama, aPayment } from '../../support/a-payment.ts';
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
