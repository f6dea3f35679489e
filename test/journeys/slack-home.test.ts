import { describe, expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { chargeInSlack } from '../support/slack/charge.ts';
import { openSlackShop } from '../support/slack-shop.ts';
import { together } from '../support/together.ts';

/** A shop on Slack: ama sells, esi sells where #sales gives her access, efua approves and sees the money, yaw may nothing. */
const ACCESS = `
roles:
  sales: {commands: [charge, status, sms], maxCharge: 500 GHS, dailyLimit: 2000 GHS}
  counter: {commands: [charge], maxCharge: 500 GHS}
  finance: {commands: [balance, payments], approve: true}
  owner: {commands: "*", admin: true}
members: { sales: [<@ama>], counter: [<#sales>], finance: [<@efua>, <!bosses>], owner: [<@boss>] }
`;

const openShop = async () => {
  const shop = await openSlackShop({
    people: ['ama', 'esi', 'efua', 'yaw', 'boss'],
    channels: [{ name: 'sales', members: ['ama', 'esi', 'efua', 'boss'] }],
    groups: [{ handle: 'bosses', members: [] }],
    env: { SMS_SENDER_ID: 'SHOP', OPERATORS: '<#sales>' },
    access: ACCESS,
  });
  return { ...shop, sales: await shop.slack.channelId('sales') };
};

describe('the home in Slack', () => {
  const it = together();

  it('says what a seller may, starts a charge and follows it', async () => {
    const { slack, ama, sales } = await openShop();
    await ama.openHome();
    const home = await ama.home(/Today/);
    const [first = ''] = ama.homes();
    expect(first).toMatch(/^TEST · Your day/);
    expect(first).toContain(
      'Up to GHS 500.00 a charge. GHS 2,000.00 of GHS 2,000.00 is left today.',
    );
    expect(first).toContain('[Charge a customer] [Send SMS]');
    expect(first).not.toMatch(/Find|Balances/);
    await ama.pressHome(home, 'Charge a customer');
    const answers = { Channel: sales, 'Customer number': '0244123406', Amount: '50' };
    await ama.submit(await ama.modal(), answers);
    await ama.press(await ama.ephemeral(/Charge GHS 50\.00\?/), 'Charge GHS 50.00');
    // Its number ends in 06: it stays pending.
    const waiting = await ama.home(/Waiting\n- ⏳ GHS 50\.00 · .*\n\[Check now\]/);
    await ama.pressHome(waiting, 'Check now');
    await slack.message('@ama', /pending/);
    expect(ama.homes().at(-1)).toContain('GHS 1,950.00 of GHS 2,000.00 is left');
  });

  it('shows an approver what waits, and one press there decides it', async () => {
    const { slack, ama, efua, payments } = await openShop();
    await efua.openHome();
    await efua.home(/You approve charges of other people/);
    // They are asked at the start, which may take longer than the first look.
    await eventually(async () => {
      await efua.openHome();
      expect(efua.homes().at(-1)).toMatch(
        /Balances\nSMS: .*\nPayout: .*\nCollection: .*\nAs of \d\d/,
      );
    });
    await chargeInSlack(ama, 'sales', '0244123456 700');
    const asked = await efua.home(/ama asks to charge GHS 700\.00/);
    expect(JSON.stringify(asked)).not.toContain('"type":"usergroup"');
    // She sells nothing: what she decides is above all else.
    expect(efua.homes().at(-1)).toMatch(/asks to charge[\s\S]*Your day/);
    await ama.openHome();
    await efua.pressHome(asked, 'Approve');
    await slack.message('sales', /: completed/);
    await efua.home(
      /Today\n1 completed · GHS 700\.00 · 0 pending · 0 failed\n- ✅ GHS 700\.00 · .*ama\n\[1\]/,
    );
    await efua.pressHome(asked, 'Approve');
    expect(payments()).toHaveLength(1);
    // Her own charge is nothing that she may approve.
    expect(ama.homes().join()).not.toContain('Approve');
  });

  it('shows nothing any more to a person who is stopped or left the file, from that moment on', {
    tags: ['T12'],
  }, async () => {
    const { ama, efua, boss, writeAccess } = await openShop();
    await efua.openHome();
    await efua.home(/You approve charges of other people\.[\s\S]*As of \d\d:\d\d\./);
    await chargeInSlack(ama, 'sales', '0244123456 700');
    await efua.home(/ama asks to charge GHS 700\.00/);
    await boss.slash('sales', '/suspend', `slack:${efua.id} account stolen`);
    await efua.home(/You are stopped/);
    expect(efua.homes().at(-1)).not.toMatch(/Balances|GHS 700/);
    await boss.slash('sales', '/reinstate', `slack:${efua.id}`);
    await efua.home(/ama asks to charge GHS 700\.00/);
    await writeAccess(ACCESS.replace('finance: [<@efua>, ', 'finance: ['));
    await eventually(() => expect(efua.homes().at(-1)).toMatch(/Up to GHS 500\.00 a charge/));
    expect(efua.homes().at(-1)).not.toMatch(/Balances|GHS 700/);
  });

  it('is drawn anew for a person who is stopped, also where it was opened before a restart, and for people of a group', {
    tags: ['T12'],
  }, async () => {
    const { slack, esi, efua, boss } = await openShop();
    await boss.slash('sales', '/suspend', `slack:${efua.id} account stolen`);
    await efua.home(/You are stopped/);
    await boss.slash('sales', '/reinstate', `slack:${efua.id}`);
    await efua.home(/You approve charges of other people/);
    await slack.tells.group('bosses', ['esi']);
    await esi.openHome();
    await esi.home(/You approve charges of other people/);
    await slack.tells.group('bosses', []);
    await eventually(() => expect(esi.homes().at(-1)).toMatch(/Up to GHS 500\.00 a charge/));
  });

  it('says where rights count, and to a person without any how to get them', {
    tags: ['T6'],
  }, async () => {
    const { slack, ama, esi, yaw, sales, payments } = await openShop();
    await esi.openHome();
    await esi.home(/Up to GHS 500.00 a charge\./);
    expect(esi.homes()[0]).toContain(`This works in #${sales}.`);
    await yaw.openHome();
    await yaw.home(/You have no access yet/);
    expect(yaw.homes()[0]).toContain(`slack:${yaw.id}`);
    await yaw.pressHome(await yaw.home(/Ask for access/), 'Ask for access');
    await slack.message('sales', /yaw/);
    // A button of another person's home gives nothing away and does nothing.
    await ama.openHome();
    const hers = await ama.home(/Charge a customer/);
    await yaw.pressHome(hers, 'Charge a customer');
    const modal = await yaw.modal();
    const wanted = { 'Customer number': '0244123456', Amount: '50' };
    const picked = await yaw.submit(modal, { ...wanted, Channel: sales });
    expect(JSON.stringify(picked)).toMatch(/You are not in that channel/);
    await yaw.submit(modal, wanted);
    await slack.message('@yaw', /You cannot charge yet/);
    expect(payments()).toEqual([]);
  });
});
