import { expect, it } from 'vitest';
import type { PostJson } from '../../src/core/gateway/post-json.ts';
import { sandboxProvider } from '../../src/core/gateway/provider.ts';
import type { Put } from '../../src/core/records/records.ts';
import { newTransactionId } from '../../src/core/values/transaction-id.ts';
import { settings } from '../core/gateway/scripted-gateway.ts';
import { aPayment } from '../support/a-payment.ts';
import { embeddedPremises, ShopInHand } from '../support/shop-in-hand.ts';
import { silentLog } from '../support/silent-log.ts';

const PAYMENTS = 5_000;
const PER_SECOND = 5;
/** One place of them stays free for a person's payment. */
const CHECKS_PER_SECOND = PER_SECOND - 1;
const SECOND_MS = 1_000;
/** Until then nobody answers. */
const AWAY_MS = 60 * SECOND_MS;

it('5,000 open payments after an outage are asked about oldest first, at the pace allowed, and all end', {
  tags: ['F32', 'I12'],
}, async () => {
  const premises = embeddedPremises();
  const { clock } = premises;
  const startMs = clock.now();
  const asked: { id: string; atMs: number }[] = [];
  const refusedAs429: string[] = [];
  const answered = new Set<string>();
  let looks = 0;
  const post: PostJson = async (path, body) => {
    // The balances are asked beside.
    if (path !== '/check_transaction_status')
      return { kind: 'unanswered', unsent: true, reason: 'It refused the connection.' };
    const id = String(body['transaction_id']);
    const nowMs = clock.now();
    asked.push({ id, atMs: nowMs });
    const lately = asked.slice(-PER_SECOND - 1).filter(({ atMs }) => atMs > nowMs - SECOND_MS);
    if (lately.length > PER_SECOND) {
      refusedAs429.push(id);
      return { kind: 'answered', httpStatus: 429 };
    }
    if (nowMs < startMs + AWAY_MS)
      return { kind: 'unanswered', unsent: true, reason: 'It refused the connection.' };
    // A settled one that is looked at again after ten minutes.
    if (answered.has(id)) looks++;
    answered.add(id);
    const data = { transaction_id: id, status: 'completed', amount: 50 };
    const answer = { response_code: '000', response_message: 'ok', response_data: data };
    return { kind: 'answered', httpStatus: 200, body: JSON.stringify(answer) };
  };
  const gateway = sandboxProvider.createGateway(
    { ...settings, requestsPerSecond: PER_SECOND },
    { clock, log: silentLog, post },
  );

  // Six hours of payments; each was due for its next check when the outage was at its worst.
  const store = await premises.open();
  const due = Array.from({ length: PAYMENTS }, (_, n) => startMs - (PAYMENTS - n) * 4 * SECOND_MS);
  const puts = due.map((atMs): Put => {
    const times = { confirmedAtMs: atMs, submittedAtMs: atMs };
    const id = newTransactionId(atMs);
    const record = aPayment({ id, state: 'pending', due: { queue: 'check', atMs }, ...times });
    return { kind: 'payment', record };
  });
  for (let n = 0; n < PAYMENTS; n += 250) await store.commit({ put: puts.slice(n, n + 250) });
  await store.close();

  const shop = await ShopInHand.open(premises, { gateway });
  const open = async () =>
    (await shop.store.listPayments({ states: ['pending'] }, { limit: 1 })).payments;
  const mostMs = AWAY_MS + (1.2 * PAYMENTS * SECOND_MS) / CHECKS_PER_SECOND;
  while ((await open()).length > 0 && clock.now() < startMs + mostMs)
    await clock.advance(20 * SECOND_MS);

  expect(await open()).toEqual([]);
  expect(refusedAs429).toEqual([]);
  // Whoever waits longest comes first: those that were asked in vain wait their schedule out.
  const firsts = [...new Set(asked.map(({ id }) => id))];
  expect(firsts).toEqual(puts.map(({ record }) => record.id));
  // Asked again only because nobody had answered.
  const inVain = asked.filter(({ atMs }) => atMs < startMs + AWAY_MS).length;
  expect(asked.length - looks).toBe(PAYMENTS + inVain);
  // Those can wait, and do.
  expect(looks).toBeLessThan(100);
});
