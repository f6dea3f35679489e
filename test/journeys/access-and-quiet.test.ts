import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { FastClock } from '../support/fast-clock.ts';
import { runApp } from '../support/run-app.ts';
import { startSlackWorkspace } from '../support/slack/workspace.ts';
import { slackSettings } from '../support/slack-shop.ts';
import { refusalOf } from '../support/telegram/refusal-of.ts';
import { TelegramSimulator } from '../support/telegram-simulator.ts';

type Transport = { readonly slack: 'http' | 'socket'; readonly telegram: 'polling' | 'webhook' };

/** One shop on both platforms: the operators read in Slack and in Telegram, and so does who hears of payments. */
const openShop = async (
  transport: Transport,
  notify: (ids: Readonly<Record<string, string>>) => string = () => '',
) => {
  const clock = new FastClock();
  const telegram = await TelegramSimulator.start({ now: () => clock.now() });
  onTestFinished(() => telegram.stop());
  const slack = await startSlackWorkspace({
    transport: transport.slack,
    people: ['ama', 'kojo', 'boss'],
    channels: [{ name: 'sales' }, { name: 'ops' }],
  });
  onTestFinished(() => slack.stop());
  const [ama, kojo, boss] = [slack.person('ama'), slack.person('kojo'), slack.person('boss')];
  const esi = telegram.person('Esi', 1001);
  const owner = telegram.person('Owner', 1002);
  const operators = telegram.supergroup('Operators', [owner, esi]);
  const counter = telegram.supergroup('Counter', [esi, owner], { privacy: false });
  const ids = {
    sales: `slack:${await slack.channelId('sales')}`,
    ops: `slack:${await slack.channelId('ops')}`,
    operators: `telegram:${operators.id}`,
    counter: `telegram:${counter.id}`,
  };
  const settings = await slackSettings(slack, transport.slack);
  const webhook = {
    TELEGRAM_WEBHOOK_SECRET: 'secret_of-the-webhook',
    PUBLIC_URL: `http://127.0.0.1:${settings['PORT']}`,
  };
  const { app } = await runApp(
    {
      ...settings,
      ...(transport.telegram === 'webhook' ? webhook : {}),
      TELEGRAM_BOT_TOKEN: telegram.token,
      TELEGRAM_API_ROOT: telegram.apiRoot,
      OPERATORS: `${ids.ops},${ids.operators}`,
    },
    {
      clock,
      access: `
roles:
  sales: { commands: [charge, lookup] }
  owner: { commands: "*", admin: true }
members:
  sales: ["slack:${ama.id}"]
  owner: ["slack:${boss.id}", "telegram:1002"]
${notify(ids)}
`,
    },
  );
  const payments = () => app.sandbox?.payments() ?? [];
  return { slack, telegram, ama, kojo, boss, esi, owner, operators, counter, ids, payments };
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
    await kojo.press(inSlack, 'Give sales');
    await kojo.ephemeral(/You cannot give access yet/);

    owner.press(question, 'Give sales: charge, lookup');
    await operators.waitFor(/kojo has sales now[\s\S]*Given by: Owner/);
    await slack.message('ops', /kojo has sales now/);
    await slack.message('sales', /Owner gave you sales/);
    // Slack still shows an old copy of the question: the first answer counts.
    await boss.press(inSlack, 'No');
    await boss.ephemeral(/kojo has sales now/);

    await kojo.slash('sales', '/charge', '0244123456 50');
    await kojo.press(await kojo.ephemeral(/Charge GHS 50\.00\?/), 'Charge GHS 50.00');
    await slack.message('sales', /: completed/);
    expect(payments()).toHaveLength(1);

    await boss.slash('ops', '/access');
    await boss.press(await boss.ephemeral(/kojo: sales/), 'Take back');
    await boss.ephemeral(/kojo has sales no more/);
    await kojo.slash('sales', '/charge', '0244123456 50');
    await kojo.ephemeral(/You cannot charge yet/);
  });

  it('a person refused in a Telegram group asks for access, an administrator gives it in Slack, and the person charges', async () => {
    const { slack, boss, esi, counter, payments } = await openShop(transport);
    esi.type(counter, '/charge 0244123456 50');
    const asked = esi.press(await counter.waitFor(/You cannot charge yet/), 'Ask for access');
    await eventually(() => expect(asked.answer).toMatch(/Asked for access/));
    await boss.press(await slack.message('ops', /Esi asks for access/), 'Give sales');
    await slack.message('ops', /Esi has sales now/);
    const news = await counter.waitFor(/boss gave you sales/);
    expect(news.mentions).toEqual([1001]);
    esi.type(counter, '/charge 0244123456 50');
    esi.press(await counter.waitFor(/Charge GHS 50\.00\?/), 'Charge GHS 50.00');
    await counter.waitFor(/: completed/);
    expect(payments()).toHaveLength(1);
  });

  it('a payment in Slack is one message in Telegram, edited as it goes on, and Slack is told problems alone', async () => {
    const { slack, ama, counter } = await openShop(
      transport,
      ({ sales, counter: there }) =>
        `notify: { "${sales}": problems, "${there}": { pending: all, failed: all } }`,
    );
    const charge = async (number: string) => {
      await ama.slash('sales', '/charge', `${number} 50`);
      await ama.press(await ama.ephemeral(/Charge GHS 50\.00\?/), 'Charge GHS 50.00');
    };
    await charge('0244123456');
    await counter.waitFor(/completed · GHS 50\.00/);
    await slack.message('sales', /completed · GHS 50\.00/);
    await charge('0244123401');
    const failed = await slack.message('sales', /: failed/);
    await counter.waitFor(/failed · GHS 50\.00/);
    expect(counter.fromBot).toHaveLength(2);
    expect(counter.transcript()).not.toMatch(/0244 ?123 ?4/);
    // Of two payments, two cards and the one outcome that is a problem.
    expect(failed.text).toBeDefined();
    expect(await slack.messages('sales')).toHaveLength(3);
  });

  it('/notify in Telegram takes the outcome away, and the card shows it', async () => {
    const { slack, ama, owner, counter } = await openShop(transport);
    owner.type(counter, '/notify none');
    await counter.waitFor(/Told here: none/);
    owner.type(counter, '/charge 0244123456 50');
    owner.press(await counter.waitFor(/Charge GHS 50\.00\?/), 'Charge GHS 50.00');
    await counter.waitFor(/completed · GHS 50\.00/);
    await ama.slash('sales', '/notify', 'none');
    await ama.ephemeral(/You cannot choose what is told here yet/);
    // The answer to the command, the card, and what comes after them: no outcome.
    owner.type(counter, '/whoami');
    await counter.waitFor(/Who you are here/);
    expect(counter.fromBot).toHaveLength(3);
    expect(await slack.messages('sales')).toEqual([]);
  });
});
