import { describe, expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { merchantsFile, serviceOfMerchants } from '../support/merchants-file.ts';
import { runApp } from '../support/run-app.ts';
import { openSlack } from '../support/slack-shop.ts';
import { openTelegram } from '../support/telegram-shop.ts';
import { together } from '../support/together.ts';

const it = together();

describe('several merchants', () => {
  it.each(['http', 'socket'] as const)(
    'are paid by conversation, in Slack over %s and in Telegram at the same time',
    async (transport) => {
      const { slack, ama, ...inSlack } = await openSlack({
        transport,
        people: ['ama'],
        channels: ['osu', 'kasoa'],
      });
      const { kofi, group, clock, ...inTelegram } = await openTelegram({
        people: { kofi: 'Kofi Mensah' },
        chats: ({ telegram, kofi }) => ({ group: telegram.group('Tema', [kofi]) }),
      });
      const ids = new Map([...inSlack.ids, ...inTelegram.ids]);
      const { service, settings } = await serviceOfMerchants();
      await runApp(
        {
          ...inSlack.settings,
          ...inTelegram.settings,
          ...settings,
          MERCHANTS_FILE: await merchantsFile({ osu: '<#osu>', tema: '<#group>' }, ids),
        },
        {
          clock,
          ids,
          access: `
roles: {all: {commands: '*'}}
members: {all: [<@ama>, <@kofi>]}
`,
        },
      );
      const question = await ama.ask('osu', '/charge 0244123456 50', /Merchant[\s\S]*osu/);
      await ama.press(question, 'Charge GHS 50.00');
      await slack.message('osu', /: completed/);
      kofi.type(group, '/charge 0244123456 60');
      kofi.press(await group.waitFor(/Charge GHS 60\.00\?[\s\S]*tema/), 'Charge GHS 60.00');
      await group.waitFor(/: completed/);
      expect(service.taken.map(({ amount, by }) => [amount, by])).toEqual([
        [50, 'osu/7'],
        [60, 'tema/8'],
      ]);
      expect(new Set(service.checkedBy)).toEqual(new Set(['osu/7', 'tema/8']));
      await ama.ask('kasoa', '/charge 0244123456 50', /This conversation belongs to no merchant/);
      expect(service.taken).toHaveLength(2);
    },
  );

  it('are paid in the terminal, and a payment outlives the merchant that left the file', async () => {
    const { service, settings } = await serviceOfMerchants();
    const file = await merchantsFile({ tema: 'telegram:-100', osu: 'terminal:local' });
    const shop = await runApp({ ...settings, MERCHANTS_FILE: file });
    await shop.charge('0244123456 50');
    await eventually(() => expect(service.taken.map(({ by }) => by)).toEqual(['osu/8']));
    await shop.shows(': completed');
    const { payments } = await shop.app.store.listPayments({}, { limit: 1 });
    expect(payments).toMatchObject([{ terms: { merchant: 'osu' } }]);
    const later = await shop.restart({
      MERCHANTS_FILE: await merchantsFile({ tema: 'terminal:local' }),
    });
    await later.ask(`/status ${payments[0]?.id}`, /MERCHANTS_FILE has no merchant "osu" any more/);
  });
});
