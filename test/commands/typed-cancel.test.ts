import { beforeEach, describe, expect, it } from 'vitest';
import type { Card } from '../../src/commands/cards/card.ts';
import { openQuestion } from '../../src/commands/draft-buttons.ts';
import { buttonId } from '../../src/core/records/draft.ts';
import { aCharge, ama, shop } from '../support/a-payment.ts';
import { type DeskInHand, deskInHand } from '../support/desk.ts';
import { openStore } from '../support/open-store.ts';

const yaw = { ...ama, id: 'U0YAW', name: 'yaw' };
const thread = { ...shop, thread: '17.1' };

let { clock, desk } = {} as DeskInHand;

beforeEach(async () => {
  ({ clock, desk } = await deskInHand());
});

const charge = async (amount: string, person = ama, where = shop): Promise<Card | undefined> =>
  (await desk.type(person, 'charge', `0244123456 ${amount} GHS`, undefined, where)).at(-1);

const cancel = async (person = ama, where = shop): Promise<(string | undefined)[]> =>
  (await desk.type(person, 'cancel', '', undefined, where)).map(({ title }) => title);

describe('/cancel', () => {
  it('does what the Cancel button of the open question does', async () => {
    const question = await charge('50');
    expect(await cancel()).toEqual(['Cancelled']);
    expect((await desk.press(ama, question, 'Charge'))[0]?.title).toBe('Already cancelled');
    expect(await cancel()).toEqual(['No question is open']);
    expect(desk.gateway.sent).toEqual([]);
  });

  it('cancels the newest of several questions', async () => {
    const older = await charge('50');
    clock.jump(1_000);
    const newer = await charge('60');
    expect(await cancel()).toEqual(['Cancelled']);
    expect((await desk.press(ama, newer, 'Charge'))[0]?.title).toBe('Already cancelled');
    expect((await desk.press(ama, older, 'Cancel'))[0]?.title).toBe('Cancelled');
  });

  it('cancels an SMS before it is sent', async () => {
    await desk.type(ama, 'sms', '0244123456 We open at 8.');
    const [card] = await desk.type(ama, 'cancel', '');
    expect(card?.parts).toEqual([{ kind: 'text', text: 'Nothing was sent.' }]);
  });

  it('finds the own question beside a hundred of people whose ids look like it', {
    tags: ['T66'],
  }, async () => {
    const store = await openStore();
    const others = Array.from({ length: 100 }, (_, at) =>
      aCharge({ id: `other${at}`, requester: { ...ama, id: 'U0xAMA' } }),
    );
    await store.commit({ put: others.map((record) => ({ kind: 'draft', record })) });
    const own = { ...ama, id: 'U0_AMA' };
    const record = aCharge({ id: 'own', requester: own, expiresAtMs: clock.now() + 60_000 });
    await store.commit({ put: [{ kind: 'draft', record }] });
    expect(await openQuestion({ store, clock }, { ...own, conversation: shop })).toBe(
      buttonId(record),
    );
  });

  it.each([
    ['of another person', () => charge('50', yaw)],
    ['in another thread', () => charge('50', ama, thread)],
    ['whose time is over', async () => charge('50').then(() => clock.jump(600_000))],
  ])('leaves a question %s alone', async (_, ask) => {
    await ask();
    expect(await cancel()).toEqual(['No question is open']);
  });
});
