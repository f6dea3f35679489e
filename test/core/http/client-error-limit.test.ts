import { expect, it } from 'vitest';
import { ClientErrorLimit } from '../../../src/core/http/limited-response.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const spend = (budget: ClientErrorLimit, sender: string, times: number): number[] =>
  Array.from({ length: times }, () => budget.spend(sender));

it('lets a sender be refused a hundred times, then once a second', async () => {
  const clock = new ManualClock();
  const budget = new ClientErrorLimit(clock);
  expect(new Set(spend(budget, '192.0.2.7', 100))).toEqual(new Set([0]));
  // Asking on makes the wait no longer.
  expect(new Set(spend(budget, '192.0.2.7', 1_000))).toEqual(new Set([1_000]));
  await clock.advance(999);
  expect(budget.spend('192.0.2.7')).toBe(1);
  await clock.advance(1);
  expect(spend(budget, '192.0.2.7', 2)).toEqual([0, 1_000]);
  await clock.advance(100_000);
  expect(spend(budget, '192.0.2.7', 101)).toEqual([...Array(100).fill(0), 1_000]);
});

it('is unmoved by a clock that somebody sets', () => {
  const clock = new ManualClock();
  const budget = new ClientErrorLimit(clock);
  spend(budget, '192.0.2.7', 100);
  clock.jump(-86_400_000);
  expect(budget.spend('192.0.2.7')).toBe(1_000);
  clock.jump(2 * 86_400_000);
  expect(budget.spend('192.0.2.7')).toBe(1_000);
});

it('counts each IPv4 address by itself, and a /64 of IPv6 as one', () => {
  const budget = new ClientErrorLimit(new ManualClock());
  spend(budget, '192.0.2.7', 100);
  expect(budget.spend('192.0.2.8')).toBe(0);
  for (let n = 0; n < 100; n++) budget.spend(`2001:db8:0:1:${n.toString(16)}::1`);
  expect(budget.spend('2001:db8:0:1:ffff::1')).toBe(1_000);
  expect(budget.spend('2001:db8:0:2::1')).toBe(0);
});

it('remembers a bounded number of senders, however many come, and those of late', () => {
  const budget = new ClientErrorLimit(new ManualClock());
  let most = 0;
  for (let n = 0; n < 100_000; n++) {
    budget.spend(`10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`);
    // One that goes on meanwhile.
    if (n % 900 === 0) budget.spend('192.0.2.7');
    most = Math.max(most, budget.size);
  }
  expect(most).toBeLessThanOrEqual(20_000);
  expect(budget.spend('192.0.2.7')).toBe(1_000);
});
