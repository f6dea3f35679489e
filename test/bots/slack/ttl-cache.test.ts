import { expect, it } from 'vitest';
import { TtlCache } from '../../../src/bots/slack/slack-directory.ts';
import { ManualClock } from '../../support/manual-clock.ts';

/** Questions wait until the test answers them. */
const asking = () => {
  const asked: { id: string; answer: (text: string) => void; refuse: () => void }[] = [];
  const answers = new TtlCache<string>({
    clock: new ManualClock(),
    ttlMs: 300_000,
    ask: (id) =>
      new Promise((resolve, reject) => {
        asked.push({ id, answer: resolve, refuse: () => reject(new Error('no')) });
      }),
  });
  return { asked, answers };
};

it('does not use an answer that was on its way when Slack told of a change', async () => {
  const { asked, answers } = asking();
  const told = answers.answerFor('S1');
  answers.forget('S1');
  asked[0]?.answer('before');
  await Promise.resolve();
  await expect.poll(() => asked.length).toBe(2);
  asked[1]?.answer('after');
  expect(await told).toBe('after');
  expect(await answers.answerFor('S1')).toBe('after');
  expect(asked).toHaveLength(2);
});

it('asks again after a failure, and keeps the ids apart', async () => {
  const { asked, answers } = asking();
  const failed = answers.answerFor('S1');
  asked[0]?.refuse();
  await expect(failed).rejects.toThrow('no');
  const told = Promise.all([answers.answerFor('S1'), answers.answerFor('S2')]);
  for (const { id, answer } of asked.slice(1)) answer(`about ${id}`);
  expect(await told).toEqual(['about S1', 'about S2']);
});

it('forgets the oldest of very many', async () => {
  let questions = 0;
  const answers = new TtlCache<number>({
    clock: new ManualClock(),
    ttlMs: 300_000,
    ask: async () => {
      questions += 1;
      return questions;
    },
  });
  for (let id = 0; id <= 10_000; id += 1) await answers.answerFor(`U${id}`);
  await answers.answerFor('U10000');
  expect(questions).toBe(10_001);
  await answers.answerFor('U0');
  expect(questions).toBe(10_002);
});
