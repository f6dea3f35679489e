import { beforeEach, describe, expect, it } from 'vitest';
import { cardToMessage } from '../../../src/bots/slack/card-to-blocks.ts';
import { limits } from '../../../src/bots/slack/limits.ts';
import { cardToHtml } from '../../../src/bots/telegram/card-to-html.ts';
import { LIMITS } from '../../../src/bots/telegram/limits.ts';
import { cardToText } from '../../../src/bots/terminal/card-to-text.ts';
import type { Grants } from '../../../src/commands/access/grants.ts';
import { storyCard, storyOf } from '../../../src/commands/audit/audit-story.ts';
import type { Card } from '../../../src/commands/cards/card.ts';
import { checkAnswers } from '../../../src/commands/forms/form.ts';
import { buttonId, type Draft } from '../../../src/core/records/draft.ts';
import { isOwed } from '../../../src/core/records/notice.ts';
import type { AuditRow } from '../../../src/core/records/records.ts';
import type { Person } from '../../../src/core/values/conversation.ts';
import { shortIdFrom } from '../../../src/core/values/transaction-id.ts';
import { ama, aPayment, kojo, shop } from '../../support/a-payment.ts';
import { type DeskInHand, deskInHand } from '../../support/desk.ts';
import { allGrants } from '../../support/grants.ts';
import { statusOf } from '../../support/stub-gateway.ts';

const auditor = { platform: 'slack', id: 'U0AUDIT', name: 'Efua' };
const ID = '01JD2M4X9QK7T3VB';
const MINUTE_MS = 60_000;

const grantsOf = ({ id }: Person): Grants =>
  allGrants({
    may: (command) => (id === auditor.id ? command === 'audit' : command !== 'audit'),
    approve: id === kojo.id,
    ...(id === ama.id ? { maxCharge: { amountMinor: 10_000, currency: 'GHS' } } : {}),
  });

let { clock, store, desk } = {} as DeskInHand;

beforeEach(async () => {
  ({ clock, store, desk } = await deskInHand(grantsOf));
});

const newest = async () => (await store.listPayments({}, { limit: 1 })).payments[0];
const textOf = (card: Card | undefined): string => (card === undefined ? '' : cardToText(card));
const audit = async (words: string, by: Person = auditor): Promise<string> =>
  textOf((await desk.type(by, 'audit', words))[0]);

/** Moves time on until something holds: what is written to the disk comes when it comes. */
const until = async (holds: () => Promise<boolean>): Promise<void> => {
  for (let tries = 0; tries < 200; tries++) {
    if (await holds()) return;
    await clock.advance(1_000);
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error('it never came to that');
};

/** A charge with its press, sent, called back, and completed. */
const completed = async (): Promise<string> => {
  const [question] = await desk.type(ama, 'charge', '0244123456 50');
  await desk.engine.start();
  await desk.press(ama, question, 'Charge');
  await until(async () => (await newest())?.state === 'pending');
  const id = (await newest())?.id ?? '';
  // A callback that came first would overtake this edit; of two rows of one moment either may be told first.
  await until(async () => !isOwed(await store.get('notice', `${id}.card`)));
  await clock.advance(1_000);
  desk.gateway.onStatus = (asked) => statusOf(asked, 'completed');
  const body = '{"secret":"raw body","customer":"0244123456"}';
  expect(await desk.engine.callbacks.receive(id, body, 'application/json')).toBe(200);
  await until(async () => (await newest())?.state === 'completed');
  for (const kind of ['card', 'outcome'])
    await until(async () => !isOwed(await store.get('notice', `${id}.${kind}`)));
  await desk.engine.stop();
  return id;
};

describe('/audit', () => {
  it('tells who did what, when and where, and what the service said', async () => {
    const id = await completed();
    const told = await audit(id.toLowerCase());
    const lines = told.replace(/\d\d:\d\d:\d\d/g, 'TIME').split('\n');
    expect(lines.slice(0, -2)).toEqual([
      `Transaction ${id} · GHS 50.00 · completed`,
      '  15 Jan 2026',
      '  - TIME ama (slack:U0AMA) asked for GHS 50.00 in slack:C0SALES',
      '  - TIME warned: This number has no MTN MoMo account. The customer may have moved to another network.',
      '  - TIME ama (slack:U0AMA) confirmed GHS 50.00 with the button Charge in slack:C0SALES',
      '  - TIME on its way to the payment service',
      '  - TIME the payment service answered 202 received',
      '  - TIME card brought up to date',
      '  - TIME the payment service called back',
      '  - TIME asked: completed',
    ]);
    // Which of them comes first is nobody's promise.
    expect(lines.slice(-2).sort()).toEqual([
      '  - TIME card brought up to date',
      '  - TIME outcome completed posted in slack:C0SALES',
    ]);
    expect(told).toMatch(/- 09:00:\d\d on its way/);
    expect(told).not.toMatch(/raw body|0244123456|\+233/);
  });

  it('tells approvals and refusals', async () => {
    const [question] = await desk.type(ama, 'charge', '0244123456 250');
    await desk.press(ama, question, 'Charge');
    await pressed('approve', shortIdFrom('event 0'));
    const payment = await newest();
    const told = await audit(payment?.id ?? '');
    expect(told).toContain('confirmed with the button Charge; it is above the limit');
    expect(told).toContain(
      'Kojo (slack:U0KOJO) approved GHS 250.00 that ama (slack:U0AMA) asked for with the button Approve in slack:C0SALES',
    );
    const [other] = await desk.type(ama, 'charge', '0244123456 260');
    await desk.press(ama, other, 'Charge');
    const second = shortIdFrom('event 3');
    await pressed('refuse', second);
    expect(await audit(paymentIdOf(await store.get('draft', second)))).toMatch(
      / · GHS 260\.00 · not approved\n(.*\n)*.*Kojo \(slack:U0KOJO\) refused it with the button Refuse in/,
    );
  });

  it('tells who asked the service', async () => {
    const id = await completed();
    desk.gateway.onStatus = (asked) => statusOf(asked, 'failed');
    await desk.type(kojo, 'status', id);
    expect(await audit(id)).toMatch(
      /· conflict\n(.*\n)*.*Kojo \(slack:U0KOJO\) asked in slack:C0SALES: failed: .*\n.*flagged: conflict/,
    );
  });

  it('tells of duplicates that were confirmed knowingly', async () => {
    const [first] = await desk.type(ama, 'charge', '0244123456 50');
    await desk.press(ama, first, 'Charge');
    const earlier = (await newest())?.id ?? '';
    clock.jump(1_000);
    const [second] = await desk.type(ama, 'charge', '0244123456 50');
    await desk.press(ama, second, 'Charge GHS 50.00 again');
    const told = await audit((await newest())?.id ?? '');
    expect(told).toContain(`with the button Charge in slack:C0SALES, knowing of ${earlier}`);
    expect(told).toContain('warned: Already asked: GHS 50.00 today 09:00.');
  });

  it('tells of drafts that were cancelled, expired or still stand', async () => {
    const [question] = await desk.type(ama, 'charge', '0244123456 50');
    await desk.press(ama, question, 'Cancel');
    const cancelled = paymentIdOf(await store.get('draft', shortIdFrom('event 0')));
    expect(await audit(cancelled)).toMatch(
      /^Transaction \w+ · GHS 50\.00 · cancelled\n(.*\n)*.*ama \(slack:U0AMA\) cancelled it with the button Cancel in/,
    );
    await desk.type(ama, 'charge', '0244123456 60', 'one more');
    const open = paymentIdOf(await store.get('draft', shortIdFrom('one more')));
    expect(await audit(open)).toMatch(/ · open\n/);
    clock.jump(11 * MINUTE_MS);
    expect(await audit(open)).toMatch(
      / · expired\n(.*\n)*.*09:10:00 expired without a confirmation/,
    );
  });

  it('tells words about the customer as Details do: the name shortened, and the amount of the payment', {}, async () => {
    const { due: _, ...paid } = aPayment({ id: ID, state: 'completed', settledAtMs: 2_000 });
    const said = 'Kofi Mensah came, 0244123456';
    const back = { amount: { amountMinor: 700, currency: 'GHS' }, by: ama };
    // The details from before an erasure are gone.
    await store.commit({
      put: [{ kind: 'payment', record: paid }],
      audit: [
        row('confirmed', { before: null, after: 'confirmed' }),
        row('given back', { who: ama, detail: { ...back, reason: said } }),
        row('noted', { who: ama, detail: { note: said } }),
        row('lost', { detail: { reason: said } }),
        { ...row('refusal explained', { detail: { reason: said } }), kind: 'draft' },
      ],
    });
    const told = await audit(ID);
    expect(told).toMatch(/^Transaction \w+ · GHS 50\.00 · /);
    expect(told).toContain('gave back GHS 7.00 by hand: Kofi M. came');
    expect(told.match(/Kofi M\./g)).toHaveLength(4);
    expect(told).not.toMatch(/mensah|244123456/i);
  });

  it('is told to nobody whose role does not grant it', async () => {
    const id = await completed();
    const [card] = await desk.type(ama, 'audit', id);
    expect(card?.title).toBe('You cannot see payment histories yet');
    expect(JSON.stringify(card)).not.toContain('completed');
  });

  it('asks for the id that is missing, and says what is wrong with one that is none of ours', async () => {
    expect(await desk.type(auditor, 'audit', '')).toEqual([]);
    expect(desk.engine.router.formOf('audit')?.fields.map(({ name }) => name)).toEqual(['id']);
    expect(await audit('hello')).toMatch(/That is not a transaction id\./);
    expect(await audit(ID)).toMatch(
      new RegExp(`I have no payment with this id\n.*ask the payment service.*\n.*/status ${ID}`),
    );
  });

  it('takes exports as the answer to its question, as it does behind its name', async () => {
    const form = desk.engine.router.formOf('audit');
    expect(form && checkAnswers(form, { id: 'Exports' })).toEqual({});
    await desk.type(auditor, 'audit', '');
    const [told] = await desk.submit(auditor, { id: ' Exports ' });
    expect(textOf(told)).toBe(await audit('exports'));
  });
});

const paymentIdOf = (draft: Draft | undefined): string => {
  if (draft?.kind !== 'charge') throw new Error('no charge');
  return draft.paymentId;
};

/** An approver's press on the question of that draft in the conversation. */
const pressed = async (verb: string, draftId: string): Promise<void> => {
  const show = async () => {};
  const draft = await store.get('draft', draftId);
  const id = draft === undefined ? draftId : buttonId(draft);
  await desk.engine.router.press(
    {
      caller: { ...kojo, conversation: shop },
      eventId: `press ${verb} ${id}`,
      surface: {
        say: show,
        whisper: show,
        replace: show,
        publish: async () => {},
        sayProgress: async () => {},
        sendFile: async () => ({ ok: true }),
        answerPress: show,
        ask: show,
      },
    },
    verb,
    id,
  );
};

const row = (what: string, changes: Partial<AuditRow> = {}): AuditRow => ({
  atMs: Date.UTC(2026, 0, 15, 9, 0, 0),
  kind: 'payment',
  id: ID,
  what,
  before: 'pending',
  after: 'pending',
  ...changes,
});

const cardOf = (rows: readonly AuditRow[], isWhole = false): Card => {
  const moment = { timeZone: 'Africa/Nairobi', nowMs: Date.UTC(2027, 0, 1) };
  return storyCard(storyOf(ID, rows, moment), moment.timeZone, { isWhole });
};

const checks = (count: number, stepMs = MINUTE_MS): AuditRow[] =>
  Array.from({ length: count }, (_, n) =>
    row('checked', {
      atMs: Date.UTC(2026, 0, 15, 9, 0, 0) + n * stepMs,
      detail: { finding: { kind: 'pending', answer: { code: '001' } } },
    }),
  );

describe('a story', () => {
  it('folds what repeats, with its last time, over days as well', () => {
    expect(textOf(cardOf(checks(12)))).toContain(
      '12:00:00 asked 12 times: pending (until 12:11:00)',
    );
    expect(textOf(cardOf(checks(3, 20 * 60 * MINUTE_MS)))).toContain(
      '12:00:00 asked 3 times: pending (until 17 Jan 2026, 04:00:00)',
    );
  });

  it('tells of flags, raised and taken away, and of rows that it does not know what they say', () => {
    const told = textOf(
      cardOf([
        row('confirmed', { before: null, after: 'confirmed', who: ama, where: shop }),
        row('checked', { version: 2, flag: 'conflict', detail: { finding: { kind: 'nothing' } } }),
        row('checked', { version: 3, detail: { finding: { kind: 'completed' } } }),
        row('odd', { version: 4, detail: { reason: 'why' } }),
        { ...row('delivered'), kind: 'notice', before: 'alert' },
        { ...row('undeliverable: gone'), kind: 'notice', before: 'outcome completed' },
        { ...row('nothing'), kind: 'notice', before: 'card' },
      ]),
    );
    for (const words of [
      'ama (slack:U0AMA) confirmed it in slack:C0SALES',
      'asked: no usable answer',
      'flagged: conflict',
      'nothing to look into any more',
      'odd: why',
      'alert to the operators posted',
      'outcome completed undeliverable: gone',
    ])
      expect(told).toContain(words);
    expect(told).not.toContain('card');
  });

  it('masks numbers in whatever the service or a person wrote', () => {
    const said = 'Call 0244123456 or +233 24 412 3456';
    const card = cardOf([
      row('accepted', { detail: { answer: { code: '202', message: said } } }),
      row('lost', { detail: { reason: said, answer: {} } }),
      row('confirmed', { who: { ...ama, name: said } }),
      row('callback', { detail: { body: said, message: said } }),
    ]);
    expect(JSON.stringify(card)).not.toMatch(/244123456|412 3456/);
    expect(JSON.stringify(card)).toContain('•••••3456');
  });

  it('that is long is shortened in its middle, and fits into one message everywhere', () => {
    const hostile = `<!channel> <b>&amp; *x* \u202e ${'w'.repeat(400)}`;
    const rows = Array.from({ length: 300 }, (_, n) =>
      row(n % 2 === 0 ? 'lost' : 'not sent', {
        atMs: Date.UTC(2026, 0, 15, 9, 0, 0) + n * 3 * 60 * MINUTE_MS,
        detail: { reason: `${n} ${hostile}` },
      }),
    );
    const card = cardOf(rows);
    const { blocks, text } = cardToMessage(card);
    expect(blocks.length).toBeLessThanOrEqual(limits.blocksPerMessage);
    expect(text.length).toBeLessThanOrEqual(limits.fallbackText);
    expect(JSON.stringify(blocks)).not.toContain('There is more than fits');
    expect(text).not.toMatch(/<!channel>/);
    const { html, plain } = cardToHtml(card);
    expect(plain.length).toBeLessThanOrEqual(LIMITS.textLength);
    expect(plain).not.toContain('did not fit');
    expect(html).not.toMatch(/<b>&amp; /);
    const [, leftOut] = /… (\d+) more left out here …/.exec(plain) ?? [];
    const told = plain.match(/received it|not sent/g)?.length ?? 0;
    expect(Number(leftOut) + told).toBe(300);
    expect(plain).toContain('received it: 0 ');
    expect(plain).toContain('not sent: 299 ');
    expect(textOf(cardOf(rows, true))).not.toContain('left out');
  });

  it('keeps a long step whole among many short ones', () => {
    const reason = `it was ${'very '.repeat(30)}odd`;
    const rows = Array.from({ length: 35 }, (_, n) => row(`step ${n}`));
    const card = cardOf([...rows, row('lost', { detail: { reason } })]);
    expect(JSON.stringify(cardToMessage(card).blocks)).toContain(reason);
  });

  it('of forty short steps is told with 36 of them, in lists that no platform cuts', () => {
    const rows = Array.from({ length: 40 }, (_, n) => row(`step ${n}`));
    const { blocks } = cardToMessage(cardOf(rows));
    expect(JSON.stringify(blocks)).toContain('… 4 more left out here …');
    for (const n of [0, 17, 22, 39]) expect(JSON.stringify(blocks)).toContain(`step ${n}"`);
  });
});
