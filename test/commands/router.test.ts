import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import type { WorkObserver } from '../../src/app/engine-options.ts';
import type { Grants } from '../../src/commands/access/grants.ts';
import type { Card } from '../../src/commands/cards/card.ts';
import type { Inbound } from '../../src/commands/inbound.ts';
import { LONGEST_TYPED } from '../../src/core/values/normalise-input.ts';
import { ama, shop } from '../support/a-payment.ts';
import { cardText } from '../support/card-text.ts';
import { type DeskInHand, deskInHand } from '../support/desk.ts';
import { allGrants } from '../support/grants.ts';
import { showingTo } from '../support/shown-in-chat.ts';
import { silentLog } from '../support/silent-log.ts';

/** Links inside of links: each pass over the text unwraps one of them. */
const NESTED = `${'<tel:'.repeat(1_000)}x${'>'.repeat(1_000)}`;

let grants: Grants;
let { desk } = {} as DeskInHand;

beforeEach(async () => {
  grants = allGrants();
  ({ desk } = await deskInHand(() => grants));
});

/** How often a text is gone through: each pass normalises it once. */
const countPasses = () => {
  const normalize = vi.spyOn(String.prototype, 'normalize');
  onTestFinished(() => normalize.mockRestore());
  return normalize.mock.calls;
};

const nothingGranted = (): Grants =>
  allGrants({ roles: [], may: (name) => ['help', 'whoami'].includes(name), approve: false });

/** What a person is shown for an event. */
const shown = async (handle: (inbound: Inbound) => Promise<unknown>): Promise<string[]> => {
  const cards: Card[] = [];
  const caller = { ...ama, conversation: shop };
  const surface = showingTo((card) => void cards.push(card));
  await handle({ caller, eventId: 'event', surface });
  return cards.map(cardText);
};

it('the words of a person without rights are not gone through', { tags: ['T30'] }, async () => {
  grants = nothingGranted();
  const passes = countPasses();
  const said = await shown(async (event) => {
    for (const name of ['charge', 'chrage', '<tel:', 'cancel'])
      await desk.engine.router.command(event, name, NESTED);
    await desk.engine.router.submit(event, 'charge', { number: NESTED });
    expect(await desk.engine.router.text(event, NESTED)).toBe(false);
  });
  expect(said).toHaveLength(5);
  expect(passes).toHaveLength(0);
});

it('words that are too long are not gone through, whoever typed them', {
  tags: ['T30'],
}, async () => {
  const passes = countPasses();
  const tooLong = 'x'.repeat(LONGEST_TYPED + 1);
  const said = await shown(async (event) => {
    await desk.engine.router.command(event, 'charge', tooLong);
    await desk.engine.router.command(event, tooLong, '');
    await desk.engine.router.submit(event, 'charge', { number: tooLong });
    expect(await desk.engine.router.text(event, tooLong)).toBe(true);
  });
  expect(new Set(said)).toEqual(
    new Set(['Please check | That is too long. I read 10,000 characters at most.']),
  );
  expect(said).toHaveLength(4);
  expect(passes).toHaveLength(0);
});

it('words are gone through as often, however deep links are nested in them', async () => {
  const passes = countPasses();
  const passesFor = async (depth: number): Promise<number> => {
    const before = passes.length;
    const nested = `${'<tel:'.repeat(depth)}x${'>'.repeat(depth)}`;
    await shown((event) => desk.engine.router.command(event, 'charge', nested));
    return passes.length - before;
  };
  expect(await passesFor(1_600)).toBe(await passesFor(100));
});

it('a submitted form counts for the command that has it', async () => {
  const aroundCommand = vi.fn<WorkObserver['aroundCommand']>((_, work) => work());
  const observer = { noticeTried: () => {}, aroundWork: async () => {}, aroundCommand };
  const observed = await deskInHand(
    () => grants,
    silentLog,
    () => [],
    { observer },
  );
  await shown(async (event) => {
    for (const form of ['note', 'find', 'refusal', 'charge', 'charge-words', 'no-form'])
      await observed.desk.engine.router.submit(event, form, {});
  });
  const counted = aroundCommand.mock.calls.map(([{ command }]) => command);
  expect(counted.join()).toBe('payments,payments,charge,charge,charge,unknown');
});
