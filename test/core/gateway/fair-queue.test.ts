import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FairQueue, type Share } from '../../../src/core/gateway/turns.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const TURN_MS = 1_000;
const LONG_MS = 3_600_000;

/** A queue with one turn a second; `admitted` has the numbers of the calls that were let through, in order. */
const queueInHand = () => {
  const clock = new ManualClock();
  const queue = new FairQueue(clock, () => clock.sleep(TURN_MS));
  const calls: Share[] = [];
  const admitted: number[] = [];
  const refused: number[] = [];
  const take = (share: Share, patienceMs = LONG_MS): number => {
    const call = calls.push(share) - 1;
    void queue
      .take(share, patienceMs)
      .then((isTurn) => void (isTurn ? admitted : refused).push(call));
    return call;
  };
  const shares = () => admitted.map((call) => calls[call]);
  return { clock, take, calls, admitted, refused, shares };
};

describe('a fair queue', () => {
  it('serves payments first, and then people and checks in turns, each in the order they came', async () => {
    const { clock, take, admitted, shares } = queueInHand();
    for (const share of ['background', 'person', 'person', 'background', 'background'] as const)
      take(share);
    take('person');
    take('money');
    take('money');
    await clock.advance(8 * TURN_MS);
    expect(shares()).toEqual([
      ...['money', 'money'],
      ...['person', 'background', 'person', 'background', 'person', 'background'],
    ]);
    expect(admitted).toEqual([6, 7, 1, 0, 2, 3, 5, 4]);
  });

  it('gives one kind every turn while the other has nothing to send', async () => {
    for (const share of ['person', 'background'] as const) {
      const { clock, take, admitted } = queueInHand();
      for (let call = 0; call < 10; call++) take(share);
      await clock.advance(10 * TURN_MS);
      expect(admitted).toHaveLength(10);
    }
  });

  it('keeps no account of the past: turns that one kind did not want are not made up for', async () => {
    const { clock, take, shares } = queueInHand();
    for (let call = 0; call < 20; call++) take('person');
    await clock.advance(10 * TURN_MS);
    for (let call = 0; call < 10; call++) take('background');
    await clock.advance(10 * TURN_MS);
    const last = shares().slice(10);
    expect(last.filter((share) => share === 'background')).toHaveLength(5);
  });

  it('gives a turn that was waited for by others to a payment that came meanwhile', async () => {
    const { clock, take, shares } = queueInHand();
    take('person');
    await clock.advance(TURN_MS - 1);
    take('money');
    await clock.advance(1);
    expect(shares()).toEqual(['money']);
  });

  it('answers no to a call whose patience ends, and gives its turn to the next', async () => {
    const { clock, take, admitted, refused } = queueInHand();
    const first = take('person');
    const impatient = take('person', 1_500);
    const last = take('person');
    await clock.advance(1_500);
    expect([admitted, refused]).toEqual([[first], [impatient]]);
    await clock.advance(500);
    expect(admitted).toEqual([first, last]);
  });

  it('answers no at once when 200 wait, however many more ask, and payments are not touched by it', async () => {
    const { clock, take, refused, shares } = queueInHand();
    for (let call = 0; call < 5_000; call++) take('person');
    take('money');
    await clock.advance(0);
    expect(refused).toEqual([...Array(4_800).keys()].map((call) => call + 200));
    await clock.advance(TURN_MS);
    expect(shares()).toEqual(['money']);
  });

  it('never lets a payment wait behind others, and starves nobody, whatever comes when', async () => {
    const steps = fc.array(
      fc.record({
        share: fc.constantFrom<Share>('money', 'person', 'background', 'bulk'),
        calls: fc.integer({ min: 0, max: 12 }),
        turns: fc.integer({ min: 0, max: 6 }),
      }),
      { maxLength: 25 },
    );
    await fc.assert(
      fc.asyncProperty(steps, async (mix) => {
        const { clock, take, calls, admitted } = queueInHand();
        const waiting: Record<Share, number[]> = {
          money: [],
          person: [],
          background: [],
          bulk: [],
        };
        const passedOver = { person: 0, background: 0, bulk: 0 };
        let seen = 0;
        const judge = () => {
          for (; seen < admitted.length; seen++) {
            const call = admitted[seen] ?? -1;
            const share = calls[call] ?? 'money';
            if (waiting.money.length > 0) expect(share).toBe('money');
            expect(call).toBe(waiting[share].shift());
            if (share === 'money') continue;
            for (const other of ['person', 'background', 'bulk'] as const) {
              const waits = other !== share && waiting[other].length > 0;
              passedOver[other] = waits ? passedOver[other] + 1 : 0;
              expect(passedOver[other]).toBeLessThanOrEqual(2);
            }
          }
        };
        const oneTurn = async () => {
          await clock.advance(TURN_MS);
          judge();
        };
        for (const { share, calls: many, turns } of mix) {
          for (let call = 0; call < many; call++) waiting[share].push(take(share));
          for (let turn = 0; turn < turns; turn++) await oneTurn();
        }
        for (let left = calls.length; left > 0; left--) await oneTurn();
        expect(admitted).toHaveLength(calls.length);
      }),
      { numRuns: 60 },
    );
  });
});
