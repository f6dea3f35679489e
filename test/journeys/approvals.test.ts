import { describe, expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { chargeInSlack } from '../support/slack/charge.ts';
import { openSlackShop } from '../support/slack-shop.ts';
import { chargeInTelegram } from '../support/telegram/charge.ts';
import { openTelegramShop } from '../support/telegram-shop.ts';
import { together } from '../support/together.ts';

const it = together();

/** What is charged in #sales is approved in #finance, by the user group finance. */
const askedInSlack = async () => {
  const shop = await openSlackShop({
    people: ['ama', 'efua'],
    channels: ['sales', 'finance'],
    groups: [{ handle: 'finance', members: ['efua'] }],
    access: `
roles:
  sales: {commands: [charge], maxCharge: 500 GHS, approvals: '<#finance>'}
  finance: {commands: [balance], approve: true}
members: { sales: [<@ama>], finance: [<!finance>] }
`,
  });
  const { slack, ama } = shop;
  await chargeInSlack(ama, 'sales', '0244123456 600');
  const approval = await slack.message('finance', /asks to charge GHS 600\.00/);
  return { ...shop, approval };
};

const askedInTelegram = async (env: Record<string, string> = {}) => {
  const shop = await openTelegramShop({
    people: { ama: 'Ama', efua: 'Efua' },
    chats: ({ telegram, ama, efua }) => ({ group: telegram.group('Sales', [ama, efua]) }),
    env,
    access: `
roles:
  sales: {commands: [charge], maxCharge: 500 GHS}
  finance: {commands: [balance], approve: true}
members: { sales: [<@ama>], finance: [<@efua>] }
`,
  });
  const { ama, group } = shop;
  const question = await chargeInTelegram(ama, group, '0244123456 600');
  const approval = await group.waitFor(/asks to charge GHS 600\.00/);
  return { ...shop, question, approval };
};

describe('an approval in Slack, in another channel', () => {
  it('calls upon the user group, links to where it was asked, and tells the requester where it went', async () => {
    const { slack, ama, approval } = await askedInSlack();
    expect(approval.text).toContain(`<!subteam^${slack.groupId('finance')}>`);
    expect(approval.text).toMatch(
      /Above their limit of GHS 500\.00\. Approve or refuse until (?:\w+ \d+ \w+ )?\d\d:\d\d\./,
    );
    expect(JSON.stringify(approval.blocks)).toContain(await slack.channelId('sales'));
    const waiting = await ama.ephemeral(
      /I asked efua in .*\. Time to approve: until .*\. I will tell you here\./,
    );
    expect(JSON.stringify(waiting.blocks)).toContain(await slack.channelId('finance'));
  });

  it('that is refused edits the question and the requester’s own, and mentions the requester where they asked', async () => {
    const { slack, ama, efua, approval, payments } = await askedInSlack();
    await efua.press(approval, 'Refuse');
    const news = await slack.message('sales', /Refused: GHS 600\.00/);
    expect(news.text).toContain(`<@${ama.id}>`);
    expect(news.text).toMatch(/efua refused it\. Nothing was charged\./i);
    const [question] = await slack.messages('finance');
    expect(question?.text).toMatch(/Refused for ama: GHS 600\.00/);
    expect(JSON.stringify(question?.blocks)).not.toMatch(/Approve|"Refuse"/);
    const own = await ama.ephemeral(/Refused: GHS 600\.00/);
    expect(own.text).not.toMatch(/refused it|Nothing was charged/i);
    expect(payments()).toEqual([]);
  });

  it('that is refused can be explained in a form that only the approver sees, and the requester is told', async () => {
    const { slack, ama, efua, approval } = await askedInSlack();
    await efua.press(approval, 'Refuse');
    const refused = await slack.message('finance', /Refused for ama: GHS 600\.00/);
    await efua.press(refused, 'Say why');
    const modal = await efua.modal();
    const card = await efua.submit(modal, { Reason: 'Pay with 4111 1111 1111 1111' });
    expect(card.kind).toBe('errors');
    await efua.submit(modal, { Reason: 'Over the <!channel> budget.' });
    await efua.ephemeral(/reads your reason/);
    const news = await slack.message('sales', /Over the .* budget\./);
    expect(news.text).toContain(`<@${ama.id}>`);
    expect(news.text).not.toContain('<!channel>');
    expect((await ama.ephemeral(/Refused: GHS 600\.00/)).text).not.toContain('budget');
    await eventually(async () =>
      expect((await slack.messages('finance'))[0]?.text).toMatch(/budget\./),
    );
    expect(await slack.messages('finance')).toHaveLength(1);
  });
});

describe('an approval in Telegram', () => {
  it('mentions who may approve, and becomes the payment card when it is given', async () => {
    const { efua, group, question, approval } = await askedInTelegram();
    expect(approval.mentions).toContain(1002);
    const outcome = await efua.choose(group, approval, 'Approve GHS 600.00', /: completed/);
    expect(outcome.replyTo?.id).toBe(question.id);
    await eventually(() => expect(approval.text).toMatch(/Approved for Ama: GHS 600\.00/));
  });

  it('that is refused can be explained by a reply, by the approver alone, and the requester is told', async () => {
    const { ama, efua, group, question, approval } = await askedInTelegram();
    efua.press(approval, 'Refuse');
    await eventually(() => expect(approval.buttons).toEqual([['Say why']]));
    await eventually(() => expect(question.text).toMatch(/Refused: GHS 600\.00/));
    const press = ama.press(approval, 'Say why');
    await eventually(() => expect(press.answer).toMatch(/Only Efua can press this\n/));
    const asked = await efua.choose(group, approval, 'Say why', /Why did you refuse\?/);
    efua.type(group, 'Over the budget.', { replyTo: asked });
    const news = await group.waitFor(/^Ama ❌ .*Refused: GHS 600\.00/);
    for (const message of [approval, news])
      await eventually(() => expect(message.text).toMatch(/Over the budget\./));
    expect(question.text).not.toContain('budget');
  });

  it('that is not given in time edits both messages and mentions the requester', async () => {
    const { group, question, approval, payments } = await askedInTelegram({ CONFIRM_WITHIN: '1m' });
    const news = await group.waitFor(/Too late/, { after: approval });
    expect(news.text).toMatch(/^Ama ❌/);
    expect(news.text).toMatch(/No approver answered by/);
    await eventually(() => expect(approval.text).toMatch(/No approver answered by/));
    await eventually(() => expect(question.text).toMatch(/^❌ .*Too late: GHS 600\.00[^\n]*$/));
    expect(approval.buttons ?? []).toEqual([]);
    expect(payments()).toEqual([]);
  });
});
