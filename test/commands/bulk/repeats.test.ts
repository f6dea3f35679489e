import { beforeEach, describe, expect, it } from 'vitest';
import type { EngineOptions } from '../../../src/app/engine-options.ts';
import type { Grants } from '../../../src/commands/access/grants.ts';
import type { Card } from '../../../src/commands/cards/card.ts';
import { pageId } from '../../../src/core/records/bulk.ts';
import { ama, shop } from '../../support/a-payment.ts';
import { cardText } from '../../support/card-text.ts';
import type { Desk, DeskInHand } from '../../support/desk.ts';
import { allGrants } from '../../support/grants.ts';
import { statusOf } from '../../support/stub-gateway.ts';
import {
  fileOf,
  kofi,
  lastFile,
  lineOf,
  openFileDesk,
  passInSteps,
  sundayMorning,
} from './file-desk.ts';

const owner = { platform: 'slack', id: 'U0OWNER', name: 'efua' };

let { clock, store, desk } = {} as DeskInHand;
let grants: Record<string, Partial<Grants>>;

const openShop = (more: Partial<EngineOptions> = {}): Promise<Desk> =>
  openFileDesk(store, clock, ({ id }) => allGrants(grants[id]), more);

beforeEach(async () => {
  grants = {};
  ({ clock, store } = await sundayMorning());
  desk = await openShop();
});

const pass = (seconds: number) => passInSteps(clock, seconds);

/** Rows of `fileOf`, the first ones left out. */
const restOf = (from: number, rows: number) => fileOf(rows, (row) => lineOf(from + row));

const send = (bytes: string, person = ama, name = 'dues.csv') => desk.send(person, { name, bytes });

/** Sends a file of so many rows and confirms it. */
const begin = async (rows: number): Promise<void> => {
  const [question] = await send(fileOf(rows));
  await desk.press(ama, question, `Charge ${rows}`);
};

const labels = (card: Card | undefined): string[] =>
  (card?.buttons ?? []).map(({ label }) => label);

const requestsTo = (number: string): number =>
  desk.gateway.sent.filter(({ customerNumber }) => customerNumber === number).length;

const mostRequestsToOne = (): number =>
  Math.max(
    ...[...Map.groupBy(desk.gateway.sent, ({ customerNumber }) => customerNumber).values()].map(
      (each) => each.length,
    ),
  );

const endCard = (): Card | undefined => desk.posted.at(-1)?.card;

describe('a file with customers of an earlier file', { tags: ['F63'] }, () => {
  it('names the rows and the earlier file, and its button says again', async () => {
    await begin(20);
    await clock.advance(2_000);
    const [two] = await send(`${fileOf(20)}\n`, kofi, 'dues again.csv');
    expect(cardText(two)).toMatch(/Rows? 2, 3, .*repeat dues\.csv of ama, today 10:00/i);
    expect(labels(two)[0]).toBe('Charge 20 again: GHS 1,000.00');
    await desk.press(kofi, two, 'Charge 20 again');
    await pass(120);
    // Confirmed knowingly: each customer twice.
    expect(desk.gateway.sent).toHaveLength(40);
  });

  it('is asked about anew when the other was confirmed after it was shown', async () => {
    const [one] = await send(fileOf(20));
    const [two] = await send(`${fileOf(20)}\n`, kofi);
    expect(labels(two)[0]).toBe('Charge 20: GHS 1,000.00');
    await desk.press(ama, one, 'Charge 20');
    const [asked] = await desk.press(kofi, two, 'Charge 20');
    expect(cardText(asked)).toContain('repeat dues.csv of ama, today 10:00');
    expect(labels(asked)[0]).toBe('Charge 20 again: GHS 1,000.00');
    await pass(120);
    expect(desk.gateway.sent).toHaveLength(20);
    // The button of the first showing confirms nothing, and the new one what it says.
    const [still] = await desk.press(kofi, two, 'Charge 20');
    expect(labels(still)[0]).toBe('Charge 20 again: GHS 1,000.00');
    await pass(30);
    expect(desk.gateway.sent).toHaveLength(20);
  });

  it('names in part what repeats in part', async () => {
    await begin(2);
    await pass(30);
    const [two] = await send(restOf(1, 3), kofi, 'more.csv');
    expect(cardText(two)).toContain('Row 2 repeats dues.csv of ama, today 10:00: completed.');
    expect(labels(two)[0]).toBe('Charge 3, 1 again: GHS 150.00');
  });

  it('is warned of what was paid in the last twelve hours, and not of last month', async () => {
    await begin(1);
    await pass(30);
    clock.jump(11 * 3_600_000);
    const [same] = await send(`${fileOf(1)}\n`);
    expect(labels(same)[0]).toContain('again');
    clock.jump(30 * 24 * 3_600_000);
    const [later] = await send(`${fileOf(1)}\n\n`);
    expect(labels(later)[0]).toBe('Charge 1: GHS 50.00');
  });

  it('leaves out a row whose customer was asked while the file was under way, and says so', async () => {
    const [one] = await send(fileOf(30));
    const [question] = await desk.type(kofi, 'charge', '0244123479 50');
    // Both were shown before either was pressed, and the typed one is confirmed behind the back of the file.
    await desk.press(ama, one, 'Charge 30');
    await desk.engine.stop();
    await store.commit(await withoutUnsent());
    await desk.press(kofi, question, 'Charge');
    expect(requestsTo('+233244123479')).toBe(0);
    await desk.engine.start();
    await pass(120);
    expect(requestsTo('+233244123479')).toBe(1);
    expect(cardText(desk.edited.at(-1))).toContain('1 left out');
  });
});

/** As if the file had been confirmed on another instance in the same moment: it is not seen by who looks. */
const withoutUnsent = async () => {
  const record = await store.get('setting', 'unsent-runs');
  if (record === undefined) throw new Error('no run is noted');
  return {
    put: [{ kind: 'setting', record: { ...record, version: record.version + 1, value: '[]' } }],
  } as const;
};

describe('a typed charge', { tags: ['F63'] }, () => {
  it('is warned of a row of a confirmed file that is still to be sent', async () => {
    await begin(30);
    await clock.advance(1_000);
    const [question] = await desk.type(kofi, 'charge', '0244123479 50');
    expect(question?.title).toBe('Charge GHS 50.00 again?');
    expect(cardText(question)).toMatch(/Waiting in a file: GHS 50\.00 today 10:00/);
    const [other] = await desk.type(kofi, 'charge', '0244123478 70');
    expect(cardText(other)).toContain('An earlier charge of GHS 50.00 to this number is still');
    await desk.press(kofi, question, 'Cancel');
    await pass(60);
    expect(requestsTo('+233244123479')).toBe(1);
  });

  it('is asked anew when the file was confirmed after its question', async () => {
    const [question] = await desk.type(kofi, 'charge', '0244123479 50');
    await begin(30);
    expect((await desk.press(kofi, question, 'Charge'))[0]?.title).toBe('Charge GHS 50.00 again?');
    await pass(60);
    expect(requestsTo('+233244123479')).toBe(1);
  });

  it('confirmed after the dry run has the file asked about anew', async () => {
    const [one] = await send(fileOf(1));
    const [question] = await desk.type(kofi, 'charge', '0244123450 50');
    await desk.press(kofi, question, 'Charge');
    const [asked] = await desk.press(ama, one, 'Charge');
    expect(cardText(asked)).toMatch(/Row 2 repeats a charge of kofi, today 10:00/);
    expect(labels(asked)[0]).toBe('Charge 1 again: GHS 50.00');
    await pass(30);
    expect(requestsTo('+233244123450')).toBe(1);
  });
});

describe('Ask again of a file', { tags: ['F63'] }, () => {
  /** A file of twenty that was stopped; how many of it were asked. */
  const stopped = async (): Promise<number> => {
    await begin(20);
    await pass(1.2);
    await desk.press(ama, desk.edited.at(-1) ?? desk.posted[0]?.card, 'Stop');
    await pass(60);
    return desk.gateway.sent.length;
  };

  it('names what was paid by another file since it began', async () => {
    const done = await stopped();
    const end = endCard();
    const [two] = await send(restOf(done, 20 - done), ama, 'rest.csv');
    await desk.press(ama, two, `Charge ${20 - done}`);
    await pass(60);
    clock.jump(14 * 3_600_000);
    const [again] = await desk.press(kofi, end, 'Ask again');
    expect(cardText(again)).toContain('repeat rest.csv of ama, yesterday 10:01');
    expect(labels(again)[0]).toBe(`Charge ${20 - done} again: GHS ${(20 - done) * 50}.00`);
  });

  it('names what was paid by a typed charge since it began', async () => {
    desk.gateway.onStatus = (id) => statusOf(id, 'failed');
    await begin(2);
    await pass(60);
    const end = endCard();
    desk.gateway.onStatus = (id) => statusOf(id, 'completed');
    const [question] = await desk.type(ama, 'charge', '0244123450 50');
    await desk.press(ama, question, 'Charge');
    await pass(60);
    clock.jump(3_600_000);
    const [again] = await desk.press(ama, end, 'Ask again');
    expect(cardText(again)).toMatch(/Row 2 repeats a charge of ama, today 10:01: completed/);
    expect(labels(again)[0]).toBe('Charge 2, 1 again: GHS 100.00');
  });

  const hoursPass = async (hours: number): Promise<void> => {
    for (let hour = 0; hour < hours; hour++) {
      clock.jump(3_600_000);
      await clock.advance(1_000);
    }
  };

  it('knows what was never asked for as long as its button is there', {
    tags: ['F64'],
  }, async () => {
    const done = await stopped();
    const end = endCard();
    const [same] = await send(fileOf(20));
    expect(cardText(same)).toContain('This file was charged in part, then stopped');
    expect(labels(same)).toContain('Ask again');
    await hoursPass(50);
    await desk.press(ama, end, 'Result');
    const result = (await lastFile(desk)).split('\r\n');
    expect(result.filter((line) => line.includes('not asked'))).toHaveLength(20 - done);
    const [again] = await desk.press(ama, end, 'Ask again');
    expect(cardText(again)).toContain(`Charge ${20 - done} customers again`);
    expect(labels(again)[0]).not.toContain('again');
    await desk.press(ama, again, `Charge ${20 - done}`);
    await pass(60);
    expect(desk.gateway.sent).toHaveLength(20);
    expect(mostRequestsToOne()).toBe(1);
    // Asked for by another run now, the rows stay all the same: the next month asks for all of the file.
    await hoursPass(80);
    expect(await store.get('rows', pageId(String(await draftOf(end)), 0))).toBeDefined();
  });

  it('looks as far back as the question of the file itself did', async () => {
    const [typed] = await desk.type(kofi, 'charge', '0244123469 50');
    await desk.press(kofi, typed, 'Charge');
    await pass(60);
    clock.jump(3_600_000);
    const stop = async (question: Card | undefined): Promise<void> => {
      await desk.press(ama, question, 'Charge');
      await pass(1.2);
      const cards = desk.posted.map(({ card }) => card);
      await desk.press(
        ama,
        cards.findLast((each) => labels(each).includes('Stop')),
        'Stop',
      );
      await pass(60);
    };
    await stop((await send(fileOf(20)))[0]);
    clock.jump(24 * 3_600_000);
    const [again] = await desk.press(ama, endCard(), 'Ask again');
    expect(cardText(again)).toMatch(/Row 21 repeats a charge of kofi, yesterday 10:00: completed/);
    expect(labels(again)[0]).toContain(', 1 again: ');
    await stop(again);
    clock.jump(24 * 3_600_000);
    // And a try of another try as far as the first.
    const [third] = await desk.press(ama, endCard(), 'Ask again');
    expect(cardText(third)).toContain('Row 21 repeats a charge of kofi');
    expect(labels(third)[0]).toContain(', 1 again: ');
  });

  it('is forgotten with the customers of payments where RETAIN says so', {
    tags: ['T27'],
  }, async () => {
    await desk.engine.stop();
    desk = await openShop({ retainMs: 5 * 24 * 3_600_000 });
    await stopped();
    const rows = pageId(String(await draftOf(endCard())), 0);
    await hoursPass(4 * 24);
    expect(await store.get('rows', rows)).toBeDefined();
    await hoursPass(2 * 24);
    expect(await store.get('rows', rows)).toBeUndefined();
  });

  it('shows its question again when the press is delivered again, and charges by either', async () => {
    const done = await stopped();
    const end = endCard();
    const press = () => desk.press(ama, end, 'Ask again', shop, 'one press');
    const [shown, lateShown] = [(await press())[0], (await press())[0]];
    expect(lateShown).toEqual(shown);
    await desk.press(ama, lateShown, `Charge ${20 - done}`);
    await desk.press(ama, shown, `Charge ${20 - done}`);
    await pass(60);
    expect((await press())[0]?.title).toBe('18 of 18 paid · GHS 900.00');
    expect(desk.gateway.sent).toHaveLength(20);
  });

  it('names the rows that are not there any more, and says so where none is left', async () => {
    const done = await stopped();
    const end = endCard();
    const page = pageId(String(await draftOf(end)), 0);
    await desk.press(ama, end, 'Result');
    await store.commit({ remove: [{ kind: 'rows', id: page, version: 1 }] });
    const [none] = await desk.press(ama, end, 'Ask again');
    expect(none?.title).toBe('There is nothing to ask again');
    expect(cardText(none)).toContain(`Left out: ${20 - done} of 20 rows.`);
    expect(cardText(none)).not.toContain('Each customer paid');
  });

  it('offers all of a file that was stopped before its first row', { tags: ['F64'] }, async () => {
    await begin(3);
    await desk.press(ama, desk.posted[0]?.card, 'Stop');
    await pass(20);
    expect(desk.gateway.sent).toEqual([]);
    const [same] = await send(fileOf(3));
    expect(cardText(same)).toContain('This file was stopped before its first row');
    const [again] = await desk.press(ama, same, 'Ask again');
    await desk.press(ama, again, 'Charge 3');
    await pass(60);
    expect(desk.gateway.sent).toHaveLength(3);
  });
});

const draftOf = async (card: Card | undefined): Promise<string | undefined> => {
  const button = card?.buttons?.find((each) => each.kind === 'press' && each.label === 'Ask again');
  const id = button?.kind === 'press' ? button.id : '';
  return (await store.get('bulk', id))?.draftId;
};

describe('the limit of one charge', { tags: ['T54'] }, () => {
  it('counts the rows of a customer together', async () => {
    const limited = { maxCharge: { amountMinor: 500_00, currency: 'GHS' }, approve: false };
    grants = { [ama.id]: limited, [kofi.id]: limited };
    const rows = Array.from({ length: 4 }, (_, row) => `0244123456,500,Part ${row}`);
    const [question] = await send(['number,amount,reference', ...rows].join('\n'));
    expect(cardText(question)).toContain('Above the limit of GHS 500.00: rows 2, 3, 4 and 5.');
    await desk.press(ama, question, 'Charge 4');
    await pass(30);
    expect(desk.gateway.sent).toEqual([]);
    expect(desk.posted.at(-1)?.card.title).toBe('ama asks to charge GHS 2,000.00');
    await desk.press(owner, desk.posted.at(-1)?.card, 'Approve', shop);
    await pass(30);
    expect(desk.gateway.sent).toHaveLength(4);
  });
});
