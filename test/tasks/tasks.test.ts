import { readFile } from 'node:fs/promises';
import { expect } from 'vitest';
import { FastClock } from '../support/fast-clock.ts';
import { together } from '../support/together.ts';
import { type Day, TASKS, type TaskName } from './day.ts';
import { Effort } from './effort.ts';
import { slackDay } from './slack-day.ts';
import { telegramDay } from './telegram-day.ts';
import { terminalDay } from './terminal-day.ts';

const it = together();
const CUSTOMERS = 40;
const NAMES = Object.keys(TASKS) as TaskName[];

const cellOf = async (day: Day, name: TaskName): Promise<string> => {
  const task = day.tasks[name];
  if (task === undefined) return '–';
  const effort = new Effort();
  await task(effort);
  const { keystrokes, pressed, words } = effort;
  const cost = `${keystrokes} + ${pressed}`;
  return words === 0 ? cost : `${cost}, ${words} words`;
};

it('the tasks of a day cost what docs/tasks.md says (npx vitest run test/tasks -u writes it again)', async () => {
  const days = [await slackDay(), await telegramDay(), await terminalDay()];
  const rows: string[][] = NAMES.map((name) => [...TASKS[name]]);
  const columns = await Promise.all(
    days.map(async (day) => {
      const cells: string[] = [];
      for (const name of NAMES) cells.push(await cellOf(day, name));
      return cells;
    }),
  );
  const lines = rows.map((row, at) => {
    const cells = columns.map((column) => column[at] ?? '');
    return `| ${row[0]} | ${row[1]} | ${cells.join(' | ')} |`;
  });
  const page = pageOf(days, lines);
  const kept = await readFile(new URL('../../docs/tasks.md', import.meta.url), 'utf8').catch(
    () => '',
  );
  await expect(isAlike(page, kept) ? kept : page).toMatchFileSnapshot('../../docs/tasks.md');
});

it.each([
  ['Slack', slackDay, { messages: 40, inThreads: 40 }],
  // A group takes 20 messages a minute.
  ['Telegram', () => telegramDay(new FastClock(75)), { messages: 80, inThreads: 0 }],
])('40 payments a day leave few messages in %s', async (_chat, open, expected) => {
  const day = await open();
  await day.charge(CUSTOMERS);
  expect(await day.lasting()).toEqual(expected);
});

const WORDS = /(\d+) words/g;
const wordsOf = (page: string): number[] =>
  [...page.matchAll(WORDS)].map(([, count]) => Number(count));

/** The same but for a third of the words: a Home or a card says other things a moment later. */
const isAlike = (page: string, kept: string): boolean => {
  const counts = wordsOf(kept);
  const isClose = wordsOf(page).every(
    (count, at) => Math.abs(count - (counts[at] ?? 0)) <= count / 3,
  );
  return isClose && page.replaceAll(WORDS, '') === kept.replaceAll(WORDS, '');
};

const pageOf = (
  days: readonly Day[],
  lines: readonly string[],
): string => `# What the tasks of a day cost

Counted by \`test/tasks/tasks.test.ts\`, which does each task in the real program: keystrokes (with the Enter that sends a
command) + taps, and the words of the messages and forms that have to be looked at on the way. In the terminal a tap is a
word or a number that is typed, and words are not counted. Giving access takes two people, whose effort is added up.
Missed: in Slack a form is sent by a tap of its own, so a correction and Charge again take one tap more than their goals.

| task | goal | ${days.map(({ chat }) => chat).join(' | ')} |
|---|---|---|---|---|
${lines.join('\n')}

40 payments a day leave 40 messages in a Slack channel, with the outcomes in their threads, and 80 in a Telegram group:
the question that becomes the card, and the outcome.
`;
