import { describe, expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { runApp } from '../support/run-app.ts';
import { chargeInSlack } from '../support/slack/charge.ts';
import { openSlack } from '../support/slack-shop.ts';
import { chargeInTelegram } from '../support/telegram/charge.ts';
import { refusalOf } from '../support/telegram/refusal-of.ts';
import { openTelegram } from '../support/telegram-shop.ts';
import { together } from '../support/together.ts';

const it = together();

type Transport = { readonly slack: 'http' | 'socket'; readonly telegram: 'polling' | 'webhook' };

/** One shop on both platforms: the operators read in Slack and in Telegram, and so does who hears of payments. */
const openShop = async (transport: Transport, notify = '') => {
  const { settings, ...slack } = await openSlack({
    transport: transport.slack,
    people: ['ama', 'kojo', 'boss'],
    channels: ['sales', 'ops'],
  });
  const telegram = await openTelegram({
    transport: transport.telegram,
    port: settings['PORT'],
    people: { esi: 'Esi', owner: 'Owner' },
    chats: ({ telegram, esi, owner }) => ({
      operators: telegram.supergroup('Operators', [owner, esi]),
      counter: telegram.supergroup('Counter', [esi, owner], { privacy: false }),
    }),
  });
  const { payments } = await runApp(
    { ...settings, ...telegram.settings, OPERATORS: '<#ops>,<#operators>' },
    {
      clock: telegram.clock,
      ids: new Map([...slack.ids, ...telegram.ids]),
      access: `
roles: { sales: { commands: [charge, lookup] }, owner: { commands: "*", admin: true } }
members: { sales: [<@ama>], owner: [<@boss>, <@owner>] }
${notify}
`,
    },
  );
  return { ...slack, ...telegram, payments };
};

describe.each<Transport>([
  { slack: 'http', telegram: 'polling' },
  { slack: 'socket', telegram: 'webhook' },
])('with Slack by $slack and Telegram by $telegram', (transport) => {
  it('a person refused in Slack asks for access, an administrator gives it in Telegram, and the person charges', {
    tags: ['T41'],
  }, async () => {
    const { slack, telegram, kojo, boss, esi, owner, operators, payments } =
      await openShop(transport);
    await kojo.slash('sales', '/charge', '0244123456 50');
    await kojo.press(await kojo.ephemeral(/You cannot charge yet/), 'Ask for access');
    await kojo.ephemeral(/Asked for access/);

    const question = await operators.waitFor(/kojo asks for access[\s\S]*Tried: \/charge/);
    expect(question.buttons.flat()).toEqual(['Give sales: charge, lookup', 'No']);
    const inSlack = await slack.message('ops', /kojo asks for access/);
    const refused = esi.press(question, 'Give sales: charge, lookup');
    expect(await refusalOf(refused, telegram.privateChat(esi))).toMatch(
      /You cannot give access yet[\s\S]*Send \/help to ask for access/,
    );
    await kojo.choose(inSlack, 'Give sales', /You cannot give access yet/);

    owner.press(question, 'Give sales: charge, lookup');
    await operators.waitFor(/kojo has access now \(sales\)[\s\S]*Given by: Owner/);
    await slack.message('ops', /kojo has access now \(sales\)/);
    await slack.message('sales', /Owner gave you access \(sales\)/);
    // Slack still shows an old copy of the question: the first answer counts.
    await boss.choose(inSlack, 'No', /kojo has access now \(sales\)/);

    await chargeInSlack(kojo, 'sales', '0244123456 50');
    await slack.message('sales', /: completed/);
    expect(payments()).toHaveLength(1);

    await boss.press(await boss.ask('ops', '/access', /kojo: sales/), 'Take back');
    await boss.ephemeral(/kojo no longer has access \(sales\)/);
    await kojo.ask('sales', '/charge 0244123456 50', /You cannot charge yet/);
  });

  it('a person refused in a Telegram group asks for access, an administrator gives it in Slack, and the person charges', async () => {
    const { slack, boss, esi, counter, payments } = await openShop(transport);
    esi.type(counter, '/charge 0244123456 50');
    const asked = esi.press(await counter.waitFor(/You cannot charge yet/), 'Ask for access');
    await eventually(() => expect(asked.answer).toMatch(/Asked for access/));
    await boss.press(await slack.message('ops', /Esi asks for access/), 'Give sales');
    await slack.message('ops', /Esi has access now \(sales\)/);
    const news = await counter.waitFor(/boss gave you access \(sales\)/);
    expect(news.mentions).toEqual([1001]);
    await chargeInTelegram(esi, counter, '0244123456 50');
    await counter.waitFor(/: completed/);
    expect(payments()).toHaveLength(1);
  });

  it('a payment in Slack is one message in Telegram, edited as it goes on, and Slack is told problems alone', async () => {
    const { slack, ama, counter } = await openShop(
      transport,
      'notify: { "<#sales>": problems, "<#counter>": { pending: all, failed: all } }',
    );
    await chargeInSlack(ama, 'sales', '0244123456 50');
    await counter.waitFor(/GHS 50\.00 completed/);
    await slack.message('sales', /GHS 50\.00 completed/);
    await chargeInSlack(ama, 'sales', '0244123401 50');
    const failed = await slack.message('sales', /: failed/);
    await counter.waitFor(/GHS 50\.00 failed/);
    expect(counter.fromBot).toHaveLength(2);
    expect(counter.transcript()).not.toMatch(/0244 ?123 ?4/);
    // Of two payments, two cards and the one outcome that is a problem.
    expect(failed.text).toBeDefined();
    expect(await slack.messages('sales')).toHaveLength(3);
  });

  it('/notify in Telegram takes the outcome away, and the card shows it', async () => {
    const { slack, ama, owner, counter } = await openShop(transport);
    await owner.ask(counter, '/notify none', /Messages here: none/);
    await chargeInTelegram(owner, counter, '0244123456 50');
    await counter.waitFor(/GHS 50\.00 completed/);
    await ama.ask('sales', '/notify none', /You cannot choose the messages here yet/);
    // The answer to the command, the card, and what comes after them: no outcome.
    await owner.ask(counter, '/whoami', /You: /);
    expect(counter.fromBot).toHaveLength(3);
    expect(await slack.messages('sales')).toEqual([]);
  });
});
