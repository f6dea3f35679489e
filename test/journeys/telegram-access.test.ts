import { expect } from 'vitest';
import { capturedLog } from '../support/captured-log.ts';
import { eventually } from '../support/eventually.ts';
import { chargeInTelegram } from '../support/telegram/charge.ts';
import type { SimMessage } from '../support/telegram/message.ts';
import type { Person } from '../support/telegram/person.ts';
import { refusalOf } from '../support/telegram/refusal-of.ts';
import { ROBOT } from '../support/telegram/stand-ins.ts';
import { openTelegramShop } from '../support/telegram-shop.ts';
import type { TelegramSimulator } from '../support/telegram-simulator.ts';
import { together } from '../support/together.ts';

const it = together();

/** Everyone who types in the group may charge, efua approves, and a stranger bears her name. */
const openShop = async () => {
  const access = (place: string) => `
roles:
  sales: {commands: [charge, lookup], maxCharge: 500 GHS}
  finance: {commands: [balance], approve: true}
members: { sales: ["${place}"], finance: [<@efua>] }
`;
  const { log, entries } = capturedLog();
  const shop = await openTelegramShop({
    people: {
      ama: 'Ama Mensah',
      efua: 'Efua Owusu',
      impostor: 'Efua Owusu',
      namesake: 'Ama Mensah',
    },
    chats: ({ telegram, ama, efua, impostor, namesake }) => ({
      group: telegram.supergroup('Sales', [ama, efua, impostor, namesake], { privacy: false }),
    }),
    access: access('<#group>'),
    log,
  });
  const rewriteAccess = async (place: string) => {
    await shop.writeAccess(access(place));
    await eventually(() =>
      expect(entries.map(({ message }) => message)).toContain(
        'the access file has changed and is in force',
      ),
    );
  };
  return { ...shop, rewriteAccess };
};

/** What a press on Details shows in the private chat. */
const detailsOf = async (
  telegram: TelegramSimulator,
  person: Person,
  card: SimMessage | undefined,
): Promise<string> => {
  if (card === undefined) throw new Error('no card');
  const own = telegram.privateChat(person);
  await person.ask(own, '/start', /./);
  person.press(card, 'Details');
  return (await own.waitFor(/Transaction:/)).text;
};

it('a confirmation is not pressed by somebody of the same name, and its outcome and its Details name the id', {
  tags: ['T7'],
}, async () => {
  const { telegram, ama, namesake, group, payments } = await openShop();
  const question = await ama.ask(group, '/charge 0244123456 50', /Charge GHS 50\.00\?/);
  const press = namesake.press(question, 'Charge GHS 50.00');
  expect(await refusalOf(press, telegram.privateChat(namesake))).toMatch(/Ama Mensah/);
  expect(group.fromBot).toEqual([question]);
  expect(payments()).toEqual([]);
  const outcome = await ama.choose(group, question, 'Charge GHS 50.00', /: completed/);
  expect(outcome.mentions).toEqual([1001]);
  expect(outcome.replyTo?.text).toContain(' · Ama Mensah');
  expect(await detailsOf(telegram, ama, outcome.replyTo)).toContain('Asked by: Ama Mensah (1001)');
});

it('an approval is given by the id that may, whatever name another one took', async () => {
  const { telegram, ama, efua, impostor, group, payments } = await openShop();
  await chargeInTelegram(ama, group, '0244123456 600');
  const approval = await group.waitFor(/asks to charge GHS 600\.00/);
  expect(approval.text).toContain('Asked by: Ama Mensah (1001)');
  const press = impostor.press(approval, 'Approve GHS 600.00');
  const refusal = await refusalOf(press, telegram.privateChat(impostor));
  expect(refusal).toMatch(/You cannot approve charges yet[\s\S]*Your id: telegram:1003/);
  expect(payments()).toEqual([]);
  const outcome = await efua.choose(group, approval, 'Approve GHS 600.00', /: completed/);
  // The outcome goes before the edit of the card.
  await eventually(() => expect(outcome.replyTo?.text).toContain('approved by Efua Owusu'));
  expect(await detailsOf(telegram, ama, outcome.replyTo)).toContain(
    'Approved by: Efua Owusu (1002)',
  );
  expect(payments()).toHaveLength(1);
});

it('a group that was taken out of the file charges nothing at the next press', async () => {
  const { telegram, ama, group, rewriteAccess, payments } = await openShop();
  const question = await ama.ask(group, '/charge 0244123456 50', /Charge GHS 50\.00\?/);
  await rewriteAccess('telegram:-1009999999999');
  const press = ama.press(question, 'Charge GHS 50.00');
  const refusal = await refusalOf(press, telegram.privateChat(ama));
  expect(refusal).toMatch(/You cannot charge yet/);
  expect(group.fromBot).toEqual([question]);
  expect(payments()).toEqual([]);
});

it('a balance and a look-up are answered in private, and the group reads no figure', {
  tags: ['T26'],
}, async () => {
  const { telegram, ama, efua, group } = await openShop();
  const [amas, efuas] = [telegram.privateChat(ama), telegram.privateChat(efua, { started: false })];
  const command = ama.type(group, '/lookup 0244123456');
  await amas.waitFor(/Name: ?\w+/);
  expect((await group.waitFor(/^Sent to you privately\.$/)).replyTo?.id).toBe(command.id);
  await efua.ask(group, '/balance', /I cannot write to you privately yet\.[\s\S]*press Start/);
  efua.type(efuas, '/start');
  efua.type(group, '/balance');
  await efuas.waitFor(/Collection: ?GHS/);
  expect(group.transcript()).not.toMatch(/GHS|MTN|Name:/);
});

it('a group that may charge grants it to nobody without an id of their own', async () => {
  const { telegram, ama, group } = await openShop();
  const channel = telegram.channel('News');
  const typed = '/charge 0244123456 50';
  group.bringPost(channel, typed);
  group.write(ROBOT, typed, {});
  group.typeAnonymously(typed);
  await group.waitFor(/who you are/);
  group.typeAsChannel(channel, typed);
  ama.forward(group, typed);
  await group.waitFor(/forwarded/);
  ama.typeVia(group, typed, 'gif');
  await group.waitFor(/another bot/);
  ama.type(group, '/lookup 0244123456');
  await telegram.privateChat(ama).waitFor(/MTN MoMo/);
  await group.waitFor(/Sent to you privately/);
  const said = group.fromBot.map(({ text }) => text.split(/[.:\n]/)[0]);
  expect(said).toEqual([
    // Said once a minute, whoever it is.
    'I cannot see who you are',
    'I do not act on forwarded messages',
    'I do not act on messages from another bot',
    'Sent to you privately',
  ]);
  expect(group.transcript()).not.toContain('Charge GHS 50.00?');
});

it('a broadcast channel in the access file gives its readers nothing', {
  tags: ['T72'],
}, async () => {
  const { telegram, ama, reader, efua, news, payments } = await openTelegramShop({
    people: { ama: 'Ama', reader: 'Reader', efua: 'Efua' },
    chats: ({ telegram }) => ({ news: telegram.channel('Shop news') }),
    access: `
roles:
  sales: {commands: [charge], maxCharge: 500 GHS, approvals: "<#news>"}
  finance: {commands: [balance], approve: true}
members: { sales: [<@ama>], finance: ["<#news>", <@efua>] }
`,
  });
  const own = telegram.privateChat(ama);
  await chargeInTelegram(ama, own, '0244123456 600');
  const question = await news.waitFor(/asks to charge GHS 600\.00/);
  const press = reader.press(question, 'Approve GHS 600.00');
  expect(await refusalOf(press, telegram.privateChat(reader))).toMatch(/You cannot approve/);
  expect(payments()).toEqual([]);
  efua.press(question, 'Approve GHS 600.00');
  await own.waitFor(/: completed/);
});

it('a reply names the person to stop, and a topic of a forum is none', async () => {
  const { ama, boss, forum } = await openTelegramShop({
    people: { ama: 'Ama', boss: 'Boss' },
    chats: ({ telegram, ama, boss }) => ({ forum: telegram.forum('Shop', [ama, boss]) }),
    access: `
roles: { sales: { commands: [charge] }, owner: { commands: [balance], admin: true } }
members: { sales: [<@ama>], owner: [<@boss>] }
`,
  });
  const topic = forum.topic('Sales');
  boss.type(forum, '/suspend', { topic });
  await forum.waitFor(/No one is stopped/);
  const said = ama.type(forum, '2 phones are gone', { topic });
  boss.type(forum, '/suspend 2 phones lost', { replyTo: said, topic });
  await forum.waitFor(/telegram:1001[\s\S]*Why: 2 phones lost/);
  ama.type(forum, '/charge 0244123456 50', { topic });
  await forum.waitFor(/You are stopped/);
});
