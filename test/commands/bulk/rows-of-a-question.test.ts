import { beforeEach, describe, expect, it } from 'vitest';
import type { Grants } from '../../../src/commands/access/grants.ts';
import type { Card } from '../../../src/commands/cards/card.ts';
import { pageId } from '../../../src/core/records/bulk.ts';
import { ama } from '../../support/a-payment.ts';
import { textOf } from '../../support/card-text.ts';
import type { DeskInHand } from '../../support/desk.ts';
import { allGrants } from '../../support/grants.ts';
import { smsSettings } from '../../support/sms-templates.ts';
import { fileOf, kofi, openFileDesk, passInSteps, sundayMorning } from './file-desk.ts';

let { clock, store, desk } = {} as DeskInHand;
let grants: Record<string, Partial<Grants>>;

beforeEach(async () => {
  grants = {};
  ({ clock, store } = await sundayMorning());
  const waits = { confirmWithinMs: 20 * 3_600_000, settings: smsSettings() };
  desk = await openFileDesk(store, clock, ({ id }) => allGrants(grants[id]), waits);
});

const pass = (seconds: number) => passInSteps(clock, seconds);

const hoursPass = async (hours: number): Promise<void> => {
  for (let hour = 0; hour < hours; hour++) {
    clock.jump(3_600_000);
    await pass(2);
  }
};

const pageOf = (question: Card | undefined): string => {
  const [button] = question?.buttons ?? [];
  return pageId(button?.kind === 'press' ? (button.id.split('.')[0] ?? '') : '', 0);
};

/** The rows of a question are gone, until what is returned is called. */
const takeRows = async (question: Card | undefined): Promise<() => Promise<unknown>> => {
  const page = await store.get('rows', pageOf(question));
  if (page === undefined) throw new Error('there are no rows');
  await store.commit({ remove: [{ kind: 'rows', id: page.id, version: page.version }] });
  return () => store.commit({ put: [{ kind: 'rows', record: { ...page, version: 1 } }] });
};

describe('the rows of a question', { tags: ['T51'] }, () => {
  it('are kept as long as an approver can confirm it, and then removed', async () => {
    grants = { [ama.id]: { maxCharge: { amountMinor: 1_000, currency: 'GHS' }, approve: false } };
    const [question] = await desk.send(ama, { name: 'dues.csv', bytes: fileOf(2) });
    const [late] = await desk.send(ama, { name: 'late.csv', bytes: fileOf(3) });
    await hoursPass(19);
    await desk.press(ama, question, 'Charge 2');
    await pass(5);
    const asked = desk.posted.at(-1)?.card;
    await hoursPass(18);
    await desk.press(kofi, asked, 'Approve');
    await pass(30);
    expect(desk.gateway.sent).toHaveLength(2);
    expect(await store.get('rows', pageOf(late))).toBeUndefined();
  });

  it('are all there at the press, or nothing is confirmed', async () => {
    const [question] = await desk.send(ama, { name: 'dues.csv', bytes: fileOf(2) });
    const bringBack = await takeRows(question);
    const refused = textOf(await desk.press(ama, question, 'Charge 2'));
    expect(refused).toContain('Nothing was charged. What is stored is not what you were shown.');
    expect(await store.get('setting', 'unsent-runs')).toBeUndefined();
    await bringBack();
    await desk.press(ama, question, 'Charge 2');
    await pass(30);
    expect(desk.gateway.sent).toHaveLength(2);
  });

  it('of a file of SMS are so as well', async () => {
    const words = 'sms @ready';
    const [question] = await desk.send(ama, { name: 'a.csv', bytes: fileOf(2) }, { words });
    await takeRows(question);
    const refused = textOf(await desk.press(ama, question, 'Send 2'));
    expect(refused).toContain('Nothing was sent. What is stored is not what you were shown.');
    await pass(30);
    expect(desk.gateway.texted).toEqual([]);
  });
});
