import { expect, it } from 'vitest';
import { questionBudget } from '../../../src/core/guards/question-budget.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const MOST_QUESTIONS = 30;
const WINDOW_MS = 600_000;

it('a person has 30 questions in any ten minutes, and is told how long until the next', async () => {
  const clock = new ManualClock();
  const budget = questionBudget(clock);
  const spend = () => budget.spend('slack:U1');
  for (let question = 0; question < MOST_QUESTIONS; question++) {
    expect(spend()).toBe(0);
    await clock.advance(1_000);
  }
  // The first question leaves the window ten minutes after it was asked; refused ones do not count.
  for (let refused = 0; refused < 100; refused++) expect(spend()).toBe(WINDOW_MS - 30_000);
  await clock.advance(WINDOW_MS - 30_000);
  expect([spend(), spend()]).toEqual([0, 1_000]);
  await clock.advance(1_000);
  expect([spend(), spend()]).toEqual([0, 1_000]);
});

it('a person’s questions are no other’s, and a wall clock that is set gives nobody more', () => {
  const clock = new ManualClock();
  const budget = questionBudget(clock);
  for (let question = 0; question < MOST_QUESTIONS; question++) budget.spend('slack:U1');
  clock.jump(86_400_000);
  expect(budget.spend('slack:U1')).toBe(WINDOW_MS);
  expect(budget.spend('telegram:U1')).toBe(0);
});

it('10,000 people are remembered at most, those who asked last', () => {
  const clock = new ManualClock();
  const budget = questionBudget(clock);
  const spendAll = (person: string) => {
    for (let question = 0; question < MOST_QUESTIONS; question++) budget.spend(person);
  };
  spendAll('slack:first');
  spendAll('slack:steady');
  for (let person = 0; person < 20_000; person++) {
    budget.spend(`slack:${person}`);
    if (person % 5_000 === 0) budget.spend('slack:steady');
  }
  expect(budget.size).toBe(10_000);
  expect(budget.spend('slack:steady')).toBe(WINDOW_MS);
  expect(budget.spend('slack:first')).toBe(0);
});
