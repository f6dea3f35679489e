import { expect, it } from 'vitest';
import { ama, shop } from '../../support/a-payment.ts';
import { isTooWide, linesWithoutSign, saidTwice } from '../../support/card-rules.ts';
import { cardText } from '../../support/card-text.ts';
import { openDesk } from '../../support/desk.ts';
import { allGrants } from '../../support/grants.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openStore } from '../../support/open-store.ts';
import { storePayments } from '../../support/stored-payments.ts';

it('help says that a part can be left out only of a command that asks for it', async () => {
  const helpOf = async (...granted: string[]) => {
    const may = (command: string) => granted.includes(command) || command === 'help';
    const desk = openDesk(await openStore(), new ManualClock(), () => allGrants({ may }));
    const [card] = await desk.type(ama, 'help', '');
    return cardText((await desk.press(ama, card, 'More'))[0]);
  };
  expect(await helpOf('balance')).not.toContain('Leave a part out');
  expect(await helpOf('charge')).toContain('Leave a part out, and I ask for it.');
});

it('the home offers an SMS only where there is a sender for it', async () => {
  const homeOf = async (senderIds: readonly string[]) => {
    const settings = { currency: 'GHS', country: 'GH', timeZone: 'Africa/Accra', senderIds };
    const { engine } = openDesk(
      await openStore(),
      new ManualClock(),
      undefined,
      undefined,
      undefined,
      {
        settings: { ...settings, country: 'GH' },
      },
    );
    const { cards } = await engine.home({ ...ama, conversation: shop }, async () => true);
    return cards.flatMap(({ buttons = [] }) => buttons.map(({ label }) => label));
  };
  expect(await homeOf(['Shop'])).toContain('Send SMS');
  expect(await homeOf([])).not.toContain('Send SMS');
});

it('the home as one message has each payment once, with the number of its line, under the rules of every card', async () => {
  const [store, clock] = [await openStore(), new ManualClock()];
  const confirmedAtMs = clock.now();
  const states = ['pending', 'completed', 'pending', 'failed'] as const;
  await storePayments(
    store,
    states.map((state, at) => ({ id: `01JD2M4X9QK7T3V${at}`, state, confirmedAtMs })),
  );
  const desk = openDesk(store, clock);
  const own = { ...shop, channel: ama.id };
  const [card] = await desk.type(ama, 'help', 'start', undefined, own);
  if (card === undefined) throw new Error('there is no answer');
  const lists = card.parts.flatMap((part) => (part.kind === 'list' ? [part] : []));
  expect(lists.map(({ numbered, items }) => [numbered, items.length])).toEqual([
    [1, 2],
    [3, 2],
  ]);
  const labels = card.buttons?.map(({ label }) => label);
  expect(labels?.slice(0, 6)).toEqual(['1', '2', '3', '4', 'Check now 1', 'Check now 2']);
  expect(labels?.at(-1)).toBe('Help');
  expect([...saidTwice(card), ...linesWithoutSign(card)]).toEqual([]);
  expect(isTooWide(card)).toBe(false);
  const [help] = await desk.press(ama, card, 'Help', own);
  expect(help?.title).toBe('Paythread');
});
