import { describe, expect, it } from 'vitest';
import { ama } from '../support/a-payment.ts';
import { cardText } from '../support/card-text.ts';
import { openDesk } from '../support/desk.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { openStore } from '../support/open-store.ts';

describe('what is not set up', () => {
  it('/sms without a sender id tells whom to ask, and names no variable', async () => {
    const settings = {
      currency: 'GHS',
      country: 'GH',
      timeZone: 'Africa/Accra',
      senderIds: [],
    };
    const desk = openDesk(await openStore(), new ManualClock(), undefined, undefined, undefined, {
      settings,
    });
    for (const words of ['', '0244123456 We open at 8.'])
      expect((await desk.type(ama, 'sms', words)).map(cardText)).toEqual([
        'SMS is not set up | Nothing was sent. Ask the owner to set up SMS.',
      ]);
  });

  it('/access without anything given says how a person gets it', async () => {
    const desk = openDesk(await openStore(), new ManualClock());
    const [said] = (await desk.type(ama, 'access', '')).map(cardText);
    expect(said).toContain('types /help and presses Ask for access');
  });
});
