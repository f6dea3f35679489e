import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { EDGES, openEdge } from '../support/edges.ts';
import { openSlackShop } from '../support/slack-shop.ts';
import { openTelegramShop } from '../support/telegram-shop.ts';
import { together } from '../support/together.ts';

const it = together();

/** The sandbox begins with 1,000 SMS and a payout balance of GHS 2,500.00. */
const LIMITS = { ALERT_SMS_BELOW: '1001', ALERT_PAYOUT_BELOW: '3,000' };
const ACCESS = `
roles: { finance: { commands: [balance] } }
members: { finance: [<@ama>] }
`;
const FIGURES =
  /SMS:\s*1000[\s\S]*Payout:\s*GHS 2,500\.00[\s\S]*Collection:\s*GHS 10,000\.00[\s\S]*As of \d\d:\d\d/;

it.each(['socket', 'http'] as const)(
  'Slack by %s tells operators of both low balances, and finance in private when they were asked',
  async (transport) => {
    const { slack, ama } = await openSlackShop({
      transport,
      people: ['ama'],
      channels: ['sales', 'finance'],
      env: { OPERATORS: '<#finance>', ...LIMITS },
      access: ACCESS,
    });
    await slack.message('finance', /The SMS balance is low: 1000[\s\S]*It is below 1001\./);
    await slack.message('finance', /The payout balance is low: GHS 2,500\.00/);
    await ama.ask('sales', '/balance', FIGURES);
    expect(await slack.messages('sales')).toEqual([]);
  },
);

it('Telegram tells operators of both low balances, and finance when they were asked', async () => {
  const { telegram, ama } = await openTelegramShop({
    people: { ama: 'Ama Mensah' },
    env: { OPERATORS: '<@ama>', ...LIMITS },
    access: ACCESS,
  });
  const own = telegram.privateChat(ama);
  await own.waitFor(/The SMS balance is low: 1000/);
  await own.waitFor(/The payout balance is low: GHS 2,500\.00/);
  await ama.ask(own, '/balance', FIGURES);
});

it.each(EDGES)(
  'in %s a balance has yesterday beside it, and operators of a chat are told when it is low and has recovered',
  async (name) => {
    // A terminal is no conversation of operators.
    const hasOperators = name !== 'the terminal';
    const efua = await openEdge(name, (place) => ({
      ...(hasOperators && { OPERATORS: place }),
      ALERT_SMS_BELOW: '1001',
    }));
    if (hasOperators) await efua.sees(/The SMS balance is low: 1000/);
    efua.type('/balance');
    await efua.sees(FIGURES);
    // In the night somebody buys 500 SMS.
    const books = join(efua.shop.dir, 'data', 'sandbox.json');
    await efua.restart(efua.shop.clock.now() + 24 * 3_600_000, () =>
      writeFile(books, JSON.stringify({ payments: [], rateLimits: [], smsUsed: -500 })),
    );
    if (hasOperators)
      await efua.sees(/The SMS balance has recovered: 1500[\s\S]*It is no longer below 1001\./);
    efua.type('/balance');
    await efua.sees(
      /SMS:\s*1500 \(yesterday 1000\)[\s\S]*Payout:\s*GHS 2,500\.00 \(yesterday GHS 2,500\.00\)[\s\S]*As of \d\d:\d\d\. Yesterday at 12:\d\d\./,
    );
  },
);
