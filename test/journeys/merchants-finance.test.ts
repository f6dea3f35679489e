import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import type { IdsByName } from '../support/ids-by-name.ts';
import { merchantsFile, serviceOfMerchants } from '../support/merchants-file.ts';
import { runApp } from '../support/run-app.ts';
import { fileWith } from '../support/secret-file.ts';
import { openSlack } from '../support/slack-shop.ts';
import { openTelegram } from '../support/telegram-shop.ts';
import { together } from '../support/together.ts';

const DUES = 'number,name,amount\n0244123450,Ama,50\n0244123451,Kofi,20.50\n';
const OTHER_DUES = 'number,name,amount\n0244123452,Esi,80\n';

/** Both sell; efua alone sees sums. */
const ACCESS = `
roles:
  finance: {commands: [charge, bulk, sms, report, balance]}
  sales: {commands: [charge, bulk, sms]}
members: { finance: [<@efua>], sales: [<@yaw>] }
`;
const DIGEST = { DIGEST: '<#finance>,<#osu>', DIGEST_AT: '00:00' };
/** Two merchants with a conversation each; efua is one of `tema`. */
const MERCHANTS = { osu: '<#osu>', tema: { conversations: ['<#tema>'], members: ['<@efua>'] } };

/** What osu was paid by its file, and tema by another. */
const BY_MERCHANT = /by merchant[\s\S]*tema · GHS 80\.00 · 1 of 1[\s\S]*osu · GHS 70\.50 · 2 of 2/;
const ALL_TOLD =
  /Day so far, [\s\S]*3 completed · GHS 150\.50[\s\S]*Merchants: ?\s*tema GHS 80\.00, osu GHS 70\.50[\s\S]*Balances of osu[\s\S]*700 SMS[\s\S]*Balances of tema[\s\S]*800 SMS/;
const OSU_TOLD =
  /Day so far of osu, [\s\S]*2 completed · GHS 70\.50[\s\S]*GHS 70,000\.00 collection · GHS 7,000\.00 payout · 700 SMS/;
const OSU_BALANCES = /Balances of osu[\s\S]*SMS: ?\s*700[\s\S]*GHS 7,000\.00[\s\S]*GHS 70,000\.00/;
const TEMA_BALANCES = /Balances of tema[\s\S]*SMS: ?\s*800/;
/** Asked in the conversation of osu, then in one of no merchant. */
const BALANCES = /Balances of \w+/g;
const SHOWN = ['Balances of osu', 'Balances of osu', 'Balances of tema'];
const NO_MERCHANT = /This conversation belongs to no merchant/;
const NOT_ONE = /You are not one of tema/;

/** The settings beside those of the chats. */
const shopOf = async (
  merchants: Parameters<typeof merchantsFile>[0],
  ids: IdsByName = new Map(),
) => {
  const { service, settings } = await serviceOfMerchants();
  const template = 'due: { text: "Dear {name}, please bring {amount}. {shop}" }';
  const env = {
    ...settings,
    MERCHANTS_FILE: await merchantsFile(merchants, ids),
    TEMPLATES_FILE: await fileWith(template),
    ALERT_SMS_BELOW: '750',
  };
  const paid = () => service.taken.map(({ amount, by }) => `${by} ${amount}`).sort();
  // Two SMS of a file are on their way at once, and either may arrive first.
  const texted = () => service.texted.toSorted((a, b) => a.text.localeCompare(b.text));
  return { env, paid, texted };
};
const PAID = ['osu/7 20.5', 'osu/7 50', 'tema/8 80'];
const TEXTED = [
  { from: 'tema/8 TEMA', text: 'Dear Ama, please bring GHS 50.00. Adjoa tema' },
  { from: 'tema/8 TEMA', text: 'Dear Kofi, please bring GHS 20.50. Adjoa tema' },
];

describe('with several merchants', () => {
  const it = together();

  it.each(['http', 'socket'])(
    'Slack over %s runs files for that of the conversation, and tells sums and balances apart',
    async (transport) => {
      const { settings, ids, slack, efua, yaw } = await openSlack({
        transport,
        people: ['efua', 'yaw'],
        channels: ['osu', 'tema', 'finance'],
      });
      const { env, paid, texted } = await shopOf(MERCHANTS, ids);
      const shop = await runApp(
        { ...settings, ...env, OPERATORS: '<#finance>' },
        { ids, access: ACCESS },
      );
      await slack.message('finance', /The SMS balance of osu is low: 700/);

      for (const words of ['/bulk', 'sms @due']) {
        await yaw.sendFile('tema', 'dues.csv', DUES, words);
        await yaw.ephemeral(NOT_ONE);
        yaw.reload();
        await efua.sendFile('finance', 'dues.csv', DUES, words);
        await efua.ephemeral(NO_MERCHANT);
        efua.reload();
      }
      await efua.sendFile('osu', 'dues.csv', DUES, '/bulk');
      const question = await efua.ephemeral(
        /Charge 2 customers: GHS 70\.50\?[\s\S]*Merchant: ?\s*osu/,
      );
      await efua.press(question, 'Charge 2: GHS 70.50');
      await slack.message('osu', /2 of 2 paid/);
      await efua.sendFile('tema', 'other.csv', OTHER_DUES, '/bulk');
      const other = await efua.ephemeral(
        /Charge 1 customer: GHS 80\.00\?[\s\S]*Merchant: ?\s*tema/,
      );
      await efua.press(other, 'Charge 1: GHS 80.00');
      await slack.message('tema', /1 of 1 paid/);
      await efua.sendFile('tema', 'dues.csv', DUES, 'sms @due');
      const preview = await efua.ephemeral(/Send 2 SMS\?[\s\S]*Merchant: ?\s*tema/);
      await efua.press(preview, 'Send 2 SMS');
      await slack.message('tema', /2 of 2 sent/);
      expect([paid(), texted()]).toEqual([PAID, TEXTED]);

      await efua.ask('finance', '/report today by merchant', BY_MERCHANT);
      await efua.ask('osu', '/balance', OSU_BALANCES);
      await efua.ask('finance', '/balance', TEMA_BALANCES);
      for (const [command, refusal] of [
        ['/report', /You cannot see reports yet/],
        ['/balance', /You cannot see balances yet/],
      ] as const) {
        await yaw.ask('osu', command, refusal);
      }
      await shop.stop();
      expect(efua.ephemerals().join().match(BALANCES)).toEqual(SHOWN);
      expect(await slack.transcript('finance')).not.toMatch(/of tema|Balances|collection/);

      await shop.restart(DIGEST);
      await slack.message('finance', ALL_TOLD);
      const { text } = await slack.message('osu', OSU_TOLD);
      expect(text).not.toMatch(/tema|80\.00|800/);
    },
  );

  it('Telegram runs files for that of the conversation, and tells sums and balances apart', async () => {
    const { settings, ids, clock, telegram, efua, yaw, osu, tema, finance } = await openTelegram({
      people: { efua: 'Efua Owusu', yaw: 'Yaw Darko' },
      chats: ({ telegram, efua, yaw }) => ({
        osu: telegram.group('Osu', [efua, yaw]),
        tema: telegram.group('Tema', [efua, yaw]),
        finance: telegram.group('Finance', [efua, yaw]),
      }),
    });
    const [own, yaws] = [telegram.privateChat(efua), telegram.privateChat(yaw)];
    const { env, paid, texted } = await shopOf(MERCHANTS, ids);
    const shop = await runApp(
      { ...settings, ...env, OPERATORS: '<#finance>' },
      { clock, ids, access: ACCESS },
    );
    await finance.waitFor(/The SMS balance of osu is low: 700/);

    for (const words of ['/bulk', '/sms @due']) {
      const after = tema.fromBot.at(-1);
      yaw.sendDocument(tema, 'dues.csv', DUES, words);
      await tema.waitFor(NOT_ONE, after === undefined ? {} : { after });
      const last = own.fromBot.at(-1);
      efua.sendDocument(own, 'dues.csv', DUES, words);
      await own.waitFor(NO_MERCHANT, last === undefined ? {} : { after: last });
    }
    efua.sendDocument(osu, 'dues.csv', DUES, '/bulk');
    const question = await osu.waitFor(/Charge 2 customers: GHS 70\.50\?[\s\S]*Merchant: osu/);
    await efua.choose(osu, question, 'Charge 2: GHS 70.50', /2 of 2 paid/);
    efua.sendDocument(tema, 'other.csv', OTHER_DUES, '/bulk');
    const other = await tema.waitFor(/Charge 1 customer: GHS 80\.00\?[\s\S]*Merchant: tema/);
    await efua.choose(tema, other, 'Charge 1: GHS 80.00', /1 of 1 paid/);
    efua.sendDocument(tema, 'dues.csv', DUES, '/sms @due');
    efua.press(await tema.waitFor(/Send 2 SMS\?[\s\S]*Merchant: tema/), 'Send 2 SMS');
    await tema.waitFor(/2 of 2 sent/);
    expect([paid(), texted()]).toEqual([PAID, TEXTED]);

    efua.type(finance, '/report today by merchant');
    await own.waitFor(BY_MERCHANT);
    efua.type(osu, '/balance');
    await own.waitFor(OSU_BALANCES);
    await efua.ask(own, '/balance', TEMA_BALANCES);
    await yaw.ask(yaws, '/report today by merchant', /You cannot see reports yet/);
    await yaw.ask(yaws, '/balance', /You cannot see balances yet/);
    await shop.stop();
    expect(own.transcript().match(BALANCES)).toEqual(SHOWN);
    expect(finance.transcript()).not.toMatch(/of tema|Balances|collection/);

    await shop.restart(DIGEST);
    await finance.waitFor(ALL_TOLD);
    const { text } = await osu.waitFor(OSU_TOLD);
    expect(text).not.toMatch(/tema|80\.00|800/);
  });

  it('the terminal runs files for its own, shows its balances, and refuses who is not one of it', async () => {
    const { env, paid, texted } = await shopOf({ osu: 'telegram:-100', tema: 'terminal:local' });
    const shop = await runApp(env);
    const [charges, texts] = [join(shop.dir, 'charges.csv'), join(shop.dir, 'texts.csv')];
    await writeFile(charges, OTHER_DUES);
    await writeFile(texts, DUES);
    await shop.ask(`/bulk ${charges}`, /Charge 1 customer: GHS 80\.00\?[\s\S]*Merchant: +tema/);
    await shop.press('Charge 1: GHS 80.00');
    await shop.shows('1 of 1 paid');
    await shop.ask(`/sms @due ${texts}`, /Send 2 SMS\?[\s\S]*Merchant: +tema/);
    await shop.press('Send 2 SMS');
    await shop.shows('2 of 2 sent');
    expect([paid(), texted()]).toEqual([PAID.slice(2), TEXTED]);
    await shop.ask('/report today by merchant', 'tema · GHS 80.00 · 1 of 1 completed');
    await shop.ask('/balance', /Balances of tema[\s\S]*SMS: +800/);
    expect(shop.screen()).not.toContain('Balances of osu');

    const members = { conversations: ['terminal:local'], members: ['telegram:1001'] };
    const file = await merchantsFile({ osu: 'telegram:-100', tema: members });
    const later = await shop.restart({ MERCHANTS_FILE: file });
    await writeFile(charges, `${OTHER_DUES}0244123453,Yaw,5\n`);
    for (const words of [`/bulk ${charges}`, `/sms @due ${charges}`]) {
      const shown = later.screen().length;
      later.type(words);
      await eventually(() => expect(later.screen().slice(shown)).toMatch(NOT_ONE));
    }
    expect([paid(), texted()]).toEqual([PAID.slice(2), TEXTED]);
  });
});
