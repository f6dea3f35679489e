import { beforeEach, describe, expect, it } from 'vitest';
import type { Button, Card } from '../../../src/commands/cards/card.ts';
import { readButtonId } from '../../../src/core/records/draft.ts';
import type { Merchant } from '../../../src/core/records/merchants.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { cardText, textOf } from '../../support/card-text.ts';
import { type Desk, openDesk } from '../../support/desk.ts';
import { allGrants } from '../../support/grants.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openStore } from '../../support/open-store.ts';
import { smsSettings } from '../../support/sms-templates.ts';

const place = (channel: string) => ({ platform: 'slack', channel });
const [inOsu, inTema, elsewhere] = ['C0OSU', 'C0TEMA', 'C0OFFICE'].map(place) as [
  Place,
  Place,
  Place,
];
type Place = ReturnType<typeof place>;
const person = (id: string) => ({ platform: 'slack', id, name: id });
/** One of each merchant, one of both, one whom neither names. */
const [kojo, yaw, esi, boss] = ['U0KOJO', 'U0YAW', 'U0ESI', 'U0BOSS'].map(person) as [P, P, P, P];
type P = ReturnType<typeof person>;
const merchant = (name: string, members: readonly P[]): Merchant => ({
  name,
  nickname: name,
  senderIds: [name],
  conversations: [`slack:C0${name.toUpperCase()}`],
  members: members.map(({ id }) => `slack:${id}`),
});
const merchants = [merchant('osu', [kojo, esi]), merchant('tema', [yaw, esi])];

const idOf = (button: Button | undefined): string => (button?.kind === 'press' ? button.id : '');

/** A card with one button, which is called like its verb. */
const cardWith = (verb: string, id: string): Card => ({
  ...{ title: '', parts: [] },
  buttons: [{ kind: 'press', label: verb, verb, id }],
});

let store: Store;
let desk: Desk;
/** Of osu, by what the id of a button is of. */
let ids: Record<'payment' | 'bulk' | 'sms', string>;

beforeEach(async () => {
  store = await openStore();
  const settings = {
    ...{ currency: 'GHS', country: 'GH', timeZone: 'Africa/Accra' },
    ...{ ...smsSettings(), merchants },
  };
  const grants = () => allGrants({ reveal: false });
  desk = openDesk(store, new ManualClock(), grants, undefined, undefined, { settings });
  /** Confirms a question, and returns the id of what came of it. */
  const confirm = async ([question]: readonly Card[], label: string): Promise<string> => {
    await desk.press(kojo, question, label, inOsu);
    const [button] = question?.buttons ?? [];
    return (await store.get('draft', readButtonId(idOf(button)).id))?.resultId ?? '';
  };
  const file = { name: 'dues.csv', bytes: 'number,amount\n0244123457,70\n' };
  ids = {
    payment: await confirm(await desk.type(kojo, 'charge', '0244123456 50', 'e1', inOsu), 'Charge'),
    sms: await confirm(await desk.type(kojo, 'sms', '0244123456 Ready', 'e2', inOsu), 'Send'),
    bulk: await confirm(await desk.send(kojo, file, { where: inOsu }), 'Charge'),
  };
  expect(Object.values(ids)).not.toContain('');
});

/** Every verb whose buttons carry the id of such a record. */
const VERBS = {
  payment: [
    ...['retry', 'again', 'change', 'receipt', 'remind', 'link', 'details', 'reveal', 'check'],
    ...['given-back', 'note'],
    ...['qr', 'whatsapp'],
  ],
  bulk: [
    ...['bulk-pause', 'bulk-resume', 'bulk-stop', 'bulk-result', 'bulk-again'],
    ...['bulk-round', 'sms-pause', 'sms-resume', 'sms-stop', 'sms-result', 'sms-remind'],
  ],
  sms: ['recipients'],
} as const;
/** The verbs of all other buttons, by what their ids are; a new verb has to be put into one of these lists. */
const OTHERS = {
  // Pressed by its requester or an approver, where it was typed or asked; merchants are compared when it is confirmed.
  question: [
    ...['charge', 'cancel', 'approve', 'refuse', 'why', 'renew', 'reading'],
    ...['bulk-charge', 'bulk-zero', 'send', 'sms-file', 'sms-zero'],
  ],
  // Read as if they were typed where they are pressed.
  words: [
    ...['charge-found', 'customer', 'find', 'help', 'older', 'earlier', 'report', 'csv'],
    'older-exports',
    ...['close', 'close-day', 'new-charge', 'new-sms', 'notify', 'all-commands'],
    ...['today', 'keep-here', 'stop-keeping'],
  ],
  person: [
    ...['ask-access', 'give-role', 'no-access', 'take-back', 'older-access', 'older-stopped'],
    ...['suspend', 'reinstate'],
  ],
};
const BUTTONS = Object.entries(VERBS).flatMap(([of, verbs]) =>
  verbs.map((verb) => ({ verb, of: of as keyof typeof VERBS })),
);

const REFUSED = /^(This belongs to another merchant|You are not one of osu) \| Nothing was done/;

it('every button of a payment, a file or an SMS says so, and is pressed below', {
  tags: ['T69', 'I20'],
}, () => {
  const presses = desk.engine.commands.flatMap(({ presses = {} }) => Object.entries(presses));
  const of = (kind?: string) => presses.flatMap(([verb, press]) => (press.of === kind ? verb : []));
  for (const [kind, verbs] of Object.entries(VERBS))
    expect(of(kind).toSorted()).toEqual([...verbs].toSorted());
  expect(of().toSorted()).toEqual(Object.values(OTHERS).flat().toSorted());
});

describe.each(BUTTONS)('the button $verb', { tags: ['T69', 'I20'] }, ({ verb, of }) => {
  /** What a press is answered, and whether it changed the record or asked for anything. */
  const pressed = async (who: P, where: Place): Promise<string> => {
    const id = ids[of];
    const before = JSON.stringify(await store.get(of, id));
    const shown = await desk.press(who, cardWith(verb, id), verb, where);
    const text = shown.map(cardText).join('\n');
    if (REFUSED.test(text)) {
      expect(JSON.stringify(await store.get(of, id))).toBe(before);
      expect([desk.asked, desk.files, shown.length]).toEqual([[], [], 1]);
    }
    return text;
  };

  it('does nothing with a record of one merchant in a conversation of another, or for its staff', async () => {
    for (const [who, where] of [
      [yaw, inTema],
      [esi, inTema],
      [kojo, inTema],
      [boss, inTema],
      [yaw, elsewhere],
      [yaw, inOsu],
      [boss, inOsu],
    ] as const)
      expect(await pressed(who, where), `${who.id} ${where.channel}`).toMatch(REFUSED);
  });

  it('works for the merchant, and elsewhere for its staff and for people of no merchant', async () => {
    for (const [who, where] of [
      [boss, elsewhere],
      [esi, elsewhere],
      [kojo, elsewhere],
      [esi, inOsu],
      [kojo, inOsu],
    ] as const)
      expect(await pressed(who, where), `${who.id} ${where.channel}`).not.toMatch(REFUSED);
  });
});

describe('what belongs to one merchant', { tags: ['T69', 'I20'] }, () => {
  const said = async (who: P, where: Place, command: string, words: string): Promise<string> =>
    (await desk.type(who, command, words, `event of ${where.channel} ${command} ${words}`, where))
      .map(cardText)
      .join('\n');

  it('is in no list, search, sum or file of another, and in those of conversations of none', async () => {
    for (const [command, words] of [
      ['payments', ''],
      ['payments', ids.payment],
      ['payments', 'today'],
      ['customer', '0244123456'],
      ['report', 'today'],
    ] as const) {
      const [there, here, all] = [
        await said(esi, inTema, command, words),
        await said(esi, inOsu, command, words),
        await said(boss, elsewhere, command, words),
      ];
      const what = `${command} ${words}`;
      expect(here, what).toMatch(/50\.00|1 payment|Payments: 1|Waiting: 1/);
      expect(all, what).toMatch(/50\.00|1 payment|Payments: 1|Waiting: 1/);
      expect(there, what).not.toMatch(/50\.00|3456:|1 payment|Payments: 1|Waiting: 1/);
    }
    expect(await said(esi, inTema, 'export', 'today')).toMatch(/nothing to export/);
    expect(await said(esi, inOsu, 'export', 'today')).toMatch(/in our private chat/);
  });

  it('has its own line in the sums of a conversation of none, and none where all are of one', async () => {
    const [question] = await desk.type(yaw, 'charge', '0244123456 70', 'e7', inTema);
    await desk.press(yaw, question, 'Charge', inTema);
    for (const [command, words] of [
      ['payments', ''],
      ['payments', 'today'],
      ['customer', '0244123456'],
      ['report', 'today'],
      ['report', 'today by network'],
    ] as const) {
      const all = await said(boss, elsewhere, command, words);
      const here = await said(esi, inOsu, command, words);
      const isByMerchant = words !== 'today by network';
      expect(/osu · /.test(all) && /tema · /.test(all), all).toBe(isByMerchant);
      expect(here, command).not.toMatch(/(osu|tema) · /);
    }
  });

  it('is not asked about by its id in a conversation of another', async () => {
    expect(await said(esi, inTema, 'status', ids.payment)).toMatch(REFUSED);
    expect(await said(esi, inOsu, 'status', ids.payment)).toMatch(/50\.00/);
  });

  it('has its history and its exports told in conversations of it, and of none', async () => {
    const [question] = await desk.type(kojo, 'charge', '0244123459 90', 'e8', inOsu);
    const [button] = question?.buttons ?? [];
    const draft = await store.get('draft', readButtonId(idOf(button)).id);
    const unpaid = draft?.kind === 'charge' ? draft.paymentId : '';
    await said(esi, inOsu, 'export', 'today');
    for (const [words, told] of [
      [ids.payment, /Transaction/],
      [unpaid, /Transaction/],
      ['exports', /U0ESI · 1 payment/],
    ] as const) {
      expect(await said(esi, inOsu, 'audit', words), words).toMatch(told);
      expect(await said(boss, elsewhere, 'audit', words), words).toMatch(told);
      expect(await said(esi, inTema, 'audit', words), words).not.toMatch(told);
      expect(await said(yaw, elsewhere, 'audit', words), words).not.toMatch(told);
    }
  });

  it('has its days closed in conversations of it, and of none', async () => {
    const [card] = await desk.type(esi, 'close', '', 'e8', inOsu);
    expect(textOf(await desk.press(esi, card, 'Close', inTema))).not.toMatch(/osu/);
    expect(textOf(await desk.type(esi, 'close', '', 'e9', inOsu))).not.toMatch(/closed/);
    expect(textOf(await desk.press(esi, card, 'Close', inOsu))).toMatch(/osu.*\(closed\)/);
  });

  it('does not fill in a form of another, whatever id the form brings back', async () => {
    await desk.press(esi, cardWith('again', ids.payment), 'again', inOsu);
    const shown = await desk.submit(esi, { amount: '60' }, inTema);
    expect(shown.map(cardText).join()).toMatch(REFUSED);
    expect((await store.listPayments({}, { limit: 9 })).payments).toHaveLength(1);
  });

  it('leaves a question that was late to the conversation where it was typed', async () => {
    const [question] = await desk.type(esi, 'charge', '0244123459 90', 'e9', inOsu);
    const [button] = question?.buttons ?? [];
    const answer = await desk.press(esi, cardWith('renew', idOf(button)), 'renew', inTema);
    expect(textOf(answer)).toMatch(/^You asked this in another conversation/);
  });
});
