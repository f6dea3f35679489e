import { expect, it } from 'vitest';
import type { Card } from '../../../src/commands/cards/card.ts';
import { pressButton } from '../../../src/commands/cards/card.ts';
import type { Person } from '../../../src/core/values/conversation.ts';
import { ama, aPayment, efua, kojo } from '../../support/a-payment.ts';
import { capturedLog } from '../../support/captured-log.ts';
import { openDesk } from '../../support/desk.ts';
import { allGrants } from '../../support/grants.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openStore } from '../../support/open-store.ts';

it('whoever is refused stands in the log with what they tried and where, and nothing that they typed', async () => {
  const { log, entries } = capturedLog();
  const clock = new ManualClock();
  const store = await openStore();
  const { due: _, ...record } = aPayment({ state: 'completed', version: 1 });
  await store.commit({ put: [{ kind: 'payment', record }] });
  let mayStill = true;
  const limit = { amountMinor: 100, currency: 'GHS' };
  const desk = openDesk(
    store,
    clock,
    ({ id }) =>
      allGrants({
        may: (name) => (id === ama.id ? mayStill : name !== 'lookup'),
        approve: id !== kojo.id,
        reveal: false,
        maxCharge: limit,
      }),
    log,
  );
  const tried = async (attempt: Promise<Card[]>) => {
    const before = entries.length;
    await attempt;
    return entries.slice(before);
  };
  const refused = (what: string, who: Person, event = expect.any(String)) => [
    {
      level: 'warn',
      message: 'refused: not granted',
      fields: { event, what, who: `slack:${who.id}`, where: 'slack:C0SALES' },
    },
  ];

  expect(await tried(desk.type(kojo, 'lookup', '0244123456', 'e1'))).toEqual(
    refused('lookup', kojo, 'e1'),
  );
  const [question] = await desk.type(ama, 'charge', '0244123456 50');
  expect(await tried(desk.press(kojo, question, 'Charge'))).toEqual(
    refused('a button of somebody else', kojo),
  );
  await desk.press(ama, question, 'Charge');
  await desk.runUntil(() => expect(desk.posted).toHaveLength(1));
  for (const who of [kojo, ama])
    expect(await tried(desk.press(who, desk.posted[0]?.card, 'Approve'))).toEqual(
      refused('approve', who),
    );
  mayStill = false;
  expect(await tried(desk.press(efua, desk.posted[0]?.card, 'Approve'))).toEqual(
    refused('charge for somebody who may not any more', efua),
  );
  const card = { title: '', parts: [], buttons: [pressButton('Show', 'reveal', aPayment().id)] };
  expect(await tried(desk.press(kojo, card, 'Show'))).toEqual(refused('reveal', kojo));
});
