import { expect, it } from 'vitest';
import { ama, shop } from '../../support/a-payment.ts';
import { cardText } from '../../support/card-text.ts';
import { openDesk } from '../../support/desk.ts';
import { allGrants } from '../../support/grants.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openStore } from '../../support/open-store.ts';

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
