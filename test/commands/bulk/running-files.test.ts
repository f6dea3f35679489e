import { beforeEach, describe, expect, it } from 'vitest';
import type { EngineOptions } from '../../../src/app/engine-options.ts';
import type { Grants } from '../../../src/commands/access/grants.ts';
import type { Card } from '../../../src/commands/cards/card.ts';
import type { Caller } from '../../../src/commands/inbound.ts';
import type { SmsOutcome } from '../../../src/core/gateway/gateway.ts';
import { ama, shop } from '../../support/a-payment.ts';
import { cardText } from '../../support/card-text.ts';
import type { DeskInHand } from '../../support/desk.ts';
import { allGrants } from '../../support/grants.ts';
import { smsSettings } from '../../support/sms-templates.ts';
import { statusOf } from '../../support/stub-gateway.ts';
import {
  fileOf,
  kofi,
  openFileDesk,
  passInSteps,
  SMS_ACCEPTED,
  sundayMorning,
} from './file-desk.ts';

const operators = [
  { platform: 'slack', channel: 'C0OPS' },
  { platform: 'slack', channel: 'C0OWNER' },
];

let { clock, store, desk } = {} as DeskInHand;
let grants: (caller: { readonly id: string; readonly channel: string }) => Partial<Grants>;

const open = async (more: Partial<EngineOptions> = {}): Promise<void> => {
  const grantsOf = ({ id, conversation: { channel } }: Caller) =>
    allGrants(grants({ id, channel }));
  const settings = smsSettings();
  desk = await openFileDesk(store, clock, grantsOf, { operators, ...more, settings });
};

beforeEach(async () => {
  grants = () => ({});
  ({ clock, store } = await sundayMorning());
});

const pass = (seconds: number, stepMs?: number) => passInSteps(clock, seconds, stepMs);

/** All but Ama may do everything. */
const amaHas = (rights: Partial<Grants>) => {
  grants = ({ id }) => (id === ama.id ? rights : {});
};

const begin = async (rows: number): Promise<void> => {
  const shown = await desk.send(ama, { name: 'dues.csv', bytes: fileOf(rows) });
  await desk.press(ama, shown.at(-1), `Charge ${rows}`);
};

const beginSms = async (rows: number): Promise<void> => {
  const bytes = fileOf(rows);
  const [question] = await desk.send(ama, { name: 'a.csv', bytes }, { words: 'sms @ready' });
  await desk.press(ama, question, `Send ${rows}`);
};

/** The card of the run, as it is now. */
const card = (): Card | undefined =>
  desk.edited.at(-1) ??
  desk.posted.find(({ conversation: { channel } }) => channel === shop.channel)?.card;
const text = (of = card()): string => cardText(of);

describe('the rights of a file', { tags: ['T62'] }, () => {
  const without = (right: string) => ({ may: (command: string) => command !== right });

  it('are asked before each row: without its right the requester charges nothing more', async () => {
    await open();
    await begin(30);
    await pass(2);
    amaHas(without('bulk'));
    const before = desk.gateway.sent.length;
    await pass(60);
    expect(before).toBeGreaterThan(0);
    expect(desk.gateway.sent.length - before).toBeLessThanOrEqual(1);
    expect(text()).toContain('Paused: 30 customers');
    expect(text()).toContain('ama may not charge by file here any more.');
  });

  it('are asked again when it is resumed', async () => {
    await open();
    await begin(10);
    await pass(1);
    amaHas(without('bulk'));
    await pass(5);
    const paused = desk.gateway.sent.length;
    await desk.press(kofi, card(), 'Resume');
    await pass(5);
    expect(desk.gateway.sent).toHaveLength(paused);
    expect(text()).toContain('Paused');
    grants = () => ({});
    await desk.press(kofi, card(), 'Resume');
    await pass(60);
    expect(desk.gateway.sent).toHaveLength(10);
  });

  it('of a file of SMS are those of SMS', async () => {
    await open();
    await beginSms(30);
    await pass(2);
    amaHas(without('bulk'));
    await pass(2);
    const before = desk.gateway.texted.length;
    amaHas(without('sms'));
    await pass(60);
    expect(before).toBeGreaterThan(4);
    expect(desk.gateway.texted.length - before).toBeLessThanOrEqual(1);
    expect(text()).toContain('ama may not send SMS here any more.');
  });

  it('include the one to approve, where the approver pressed', async () => {
    const limited = { maxCharge: { amountMinor: 1_000, currency: 'GHS' }, approve: false };
    const finance = { platform: 'slack', channel: 'C0FINANCE' };
    // Kofi approves in finance alone.
    grants = ({ id, channel }) =>
      id === ama.id
        ? { ...limited, approvalsIn: 'C0FINANCE' }
        : { approve: channel === finance.channel };
    await open();
    await begin(30);
    await pass(1);
    const asked = desk.posted.find(({ conversation: { channel } }) => channel === 'C0FINANCE');
    await desk.press(kofi, asked?.card, 'Approve', finance);
    await pass(3);
    const before = desk.gateway.sent.length;
    expect(before).toBeGreaterThan(2);
    grants = ({ id }) => (id === ama.id ? limited : { approve: false });
    await pass(60);
    expect(desk.gateway.sent.length - before).toBeLessThanOrEqual(1);
    expect(text()).toContain('kofi may not approve charges any more.');
  });

  it('that the chat platform cannot tell of now are waited for', async () => {
    await open();
    await begin(10);
    await pass(1);
    amaHas({ ...without('bulk'), withheld: 'not known' });
    await pass(20);
    const waiting = desk.gateway.sent.length;
    expect(waiting).toBeLessThan(10);
    grants = () => ({});
    await pass(120);
    expect(desk.gateway.sent).toHaveLength(10);
  });
});

describe('the operators', () => {
  /** So few that a day is over soon: a check after a quarter of an hour, then when an outcome is overdue. */
  const checks = { scheduleMs: [1_000_000, 80_000_000], giveUpMs: 72 * 3_600_000 };
  const alerts = (channel = 'C0OPS') =>
    desk.posted.filter(({ conversation }) => conversation.channel === channel);
  const edited = (channel = 'C0OPS') =>
    desk.edits.filter(({ ref: { conversation } }) => conversation.channel === channel);

  it('get one message for all payments of a file without an outcome, edited as they become more', {
    tags: ['F72'],
  }, async () => {
    await open({ checks });
    desk.gateway.onStatus = (id) => statusOf(id, 'pending');
    await begin(30);
    await pass(20);
    clock.jump(1_000_000);
    await pass(5);
    clock.jump(770_000);
    await pass(90, 1_000);
    for (const { channel } of operators) {
      expect(alerts(channel)).toHaveLength(1);
      expect(edited(channel).length).toBeLessThanOrEqual(5);
    }
    expect(text(edited().at(-1)?.card)).toContain('30 payments of dues.csv have no outcome');
    clock.jump(86_400_000);
    await pass(60, 1_000);
    expect(alerts()).toHaveLength(1);
  });

  it('are told of the first of them at once, and how many there are is true at the end', async () => {
    await open({ checks });
    desk.gateway.onStatus = (id) =>
      statusOf(id, desk.gateway.sent.at(0)?.transactionId === id ? 'pending' : 'completed');
    await begin(3);
    await pass(20);
    clock.jump(1_000_000);
    await pass(5);
    clock.jump(770_000);
    await pass(60, 1_000);
    expect(alerts().map(({ card: { title } }) => title)).toEqual([
      '1 payment of dues.csv has no outcome',
    ]);
    expect(edited()).toEqual([]);
  });
});

describe('the card of a file', () => {
  it('is edited every 2 s at most, also where an edit takes long and when people press', {
    tags: ['F72'],
  }, async () => {
    const times: number[] = [];
    let posted = 0;
    await open({
      chats: new Map([
        [
          shop.platform,
          {
            post: async ({ conversation }) => {
              const ref = { conversation, message: `1.${posted++}` };
              return { kind: 'delivered', ref } as const;
            },
            edit: async (ref, shown) => {
              times.push(clock.now());
              last = shown;
              await clock.sleep(700);
              return { kind: 'delivered', ref } as const;
            },
            linkTo: async () => 'https://x/1',
          },
        ],
      ]),
    });
    let last: Card | undefined;
    await begin(40);
    await pass(15, 20);
    await desk.press(ama, last, 'Pause');
    await pass(5, 20);
    await desk.press(ama, last, 'Resume');
    await pass(40, 20);
    expect(times.length).toBeGreaterThan(10);
    const gaps = times.slice(1).map((ms, at) => ms - (times[at] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(2_000);
    expect(text(last)).toContain('40 of 40 paid');
  });

  it('says at the end how many paid and how much that is', async () => {
    await open();
    desk.gateway.onStatus = (id) =>
      statusOf(id, desk.gateway.sent[1]?.transactionId === id ? 'failed' : 'completed');
    await begin(3);
    await pass(60);
    const ends = [card()?.title, desk.posted.at(-1)?.card.title];
    expect(ends).toEqual(Array(2).fill('2 of 3 paid · GHS 100.00'));
    expect(text(desk.posted.at(-1)?.card)).not.toContain('150.00');
  });

  it('of SMS says at the end how many were accepted', async () => {
    await open();
    desk.gateway.onSms = ({ recipients: [number = ''] }) =>
      number.endsWith('1') ? { kind: 'refused', answer: {}, reason: 'No.' } : SMS_ACCEPTED;
    await beginSms(3);
    await pass(30);
    expect(card()?.title).toBe('2 of 3 sent');
  });

  it('that was sent while the clock was ahead says its end, and is not looked at all day until then', {
    tags: ['F77'],
  }, async () => {
    const dayMs = 24 * 3_600_000;
    await open({ checks: { scheduleMs: [5_000, 3_600_000], giveUpMs: 72 * 3_600_000 } });
    desk.gateway.onStatus = (id) => statusOf(id, 'pending');
    clock.set(60 * dayMs);
    await begin(2);
    await pass(20);
    clock.set(-60 * dayMs);
    for (let hour = 0; hour < 80; hour++) {
      clock.jump(3_600_000);
      await clock.advance(30_000);
    }
    await pass(5);
    expect(card()?.title).toBe('0 of 2 paid · GHS 0.00');
  });

  it('of SMS has no end before its rows are answered, whatever the clock says meanwhile', {
    tags: ['F77'],
  }, async () => {
    await open();
    const answer = Promise.withResolvers<SmsOutcome>();
    desk.gateway.onSms = () => answer.promise;
    await beginSms(2);
    await pass(2);
    clock.set(5 * 24 * 3_600_000);
    await pass(10);
    clock.set(-5 * 24 * 3_600_000);
    answer.resolve(SMS_ACCEPTED);
    await pass(400, 1_000);
    expect(card()?.title).toBe('2 of 2 sent');
  });

  it('that ended without some outcomes counts those that come later', async () => {
    await open({ checks: { scheduleMs: [10_000], giveUpMs: 3_600_000 } });
    desk.gateway.onStatus = (id) => statusOf(id, 'pending');
    await begin(2);
    await pass(10);
    clock.jump(3_600_000);
    await pass(10);
    clock.jump(3_600_000);
    await pass(600, 10_000);
    expect(card()?.title).toBe('0 of 2 paid · GHS 0.00');
    expect(text()).toContain('2 waiting');
    const [one = '', two = ''] = desk.gateway.sent.map(({ transactionId }) => transactionId);
    desk.gateway.onStatus = (id) => statusOf(id, id === one ? 'completed' : 'failed');
    for (const id of [one, two]) await desk.type(ama, 'status', id);
    await pass(10);
    expect(card()?.title).toBe('1 of 2 paid · GHS 50.00');
    expect(text()).toContain('1 failed');
    expect(card()?.buttons?.map(({ label }) => label)).toContain('Ask again');
    const [same] = await desk.send(ama, { name: 'dues.csv', bytes: fileOf(2) });
    expect(text(same)).toContain('1 paid');
  });

  it('that was stopped says what was paid until then, once that is known', async () => {
    await open();
    await begin(20);
    await pass(1);
    await desk.press(ama, card(), 'Stop');
    await pass(60);
    const sent = desk.gateway.sent.length;
    expect(card()?.title).toBe(`Stopped: ${sent} of 20 paid · GHS ${sent * 50}.00`);
  });
});
