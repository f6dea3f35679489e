import { beforeEach, describe, expect, it } from 'vitest';
import type { Failpoint } from '../../src/core/runtime/failpoints.ts';
import { ama } from '../support/a-payment.ts';
import { allGrants } from '../support/grants.ts';
import { allPayments, onlyPayment } from '../support/only-payment.ts';
import { startPostgres } from '../support/postgres.ts';
import { premisesOn, ShopInHand } from '../support/shop-in-hand.ts';
import { statusOf } from '../support/stub-gateway.ts';

const postgres = await startPostgres();
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
/** A lease and a lost request have run out by then, where instances share a store. */
const TAKEN_OVER_MS = 3 * MINUTE_MS;

const kojo = { platform: 'slack', id: 'U0KOJO', name: 'kojo' };

describe.each(premisesOn(postgres))('on %s', (_store, premises) => {
  let shop: ShopInHand;
  beforeEach(async () => {
    shop = await ShopInHand.open(await premises());
  });

  const payment = () => onlyPayment(shop.store);
  const settles = () => {
    shop.gateway.onStatus = (id) => statusOf(id, 'completed');
  };

  describe('a process killed', () => {
    it.each<Failpoint>(['payment-confirmed', 'card-posted'])(
      'at "%s" has sent nothing: the next one sends it, once',
      { tags: ['F1'] },
      async (moment) => {
        shop.dieAt(moment);
        await shop.charge();
        await shop.quiet();
        expect(shop.gateway.sent).toEqual([]);
        shop.clock.jump(50 * SECOND_MS);
        await shop.start();
        settles();
        await shop.pass(TAKEN_OVER_MS);
        expect(shop.gateway.sent).toHaveLength(1);
        expect(shop.outcomes()).toEqual(['completed']);
      },
    );

    it('before it sent anything, and started after two minutes, sends nothing and asks again', {
      tags: ['F1'],
    }, async () => {
      shop.dieAt('payment-confirmed');
      await shop.charge();
      await shop.quiet();
      shop.clock.jump(121 * SECOND_MS);
      await shop.start();
      await shop.pass(TAKEN_OVER_MS);
      expect(shop.gateway.sent).toEqual([]);
      expect(shop.outcomes()).toEqual(['not sent']);
      const told = JSON.stringify(shop.posted.at(-1)?.card);
      expect(told).toMatch(/Nothing was charged.*Type the command again/);
    });

    it.each([
      ['while an approval is waited for', undefined],
      ['as soon as the end of its time is stored', 'notice-begun'],
    ] as const)(
      '%s tells everyone of that end once it runs again, and takes no press any more',
      { tags: ['F19'] },
      async (_, moment) => {
        shop.grants = allGrants({ maxCharge: { amountMinor: 1_000, currency: 'GHS' } });
        await shop.charge();
        await shop.pass(SECOND_MS);
        const [question] = shop.posted;
        if (moment === undefined) shop.die();
        else shop.dieAt(moment);
        if (moment !== undefined) await shop.pass(11 * MINUTE_MS);
        shop.clock.jump(11 * MINUTE_MS);
        expect(shop.edited).toEqual([]);
        await shop.start();
        await shop.pass(TAKEN_OVER_MS);
        const news = shop.posted.slice(1).map(({ card }) => card.title);
        expect(news).toEqual(['Too late: GHS 50.00 from 024 *** 3456']);
        expect(shop.edited.map(({ title }) => title).sort()).toEqual([
          'Too late for ama: GHS 50.00',
          'Too late: GHS 50.00 from 024 *** 3456',
        ]);
        const [answer] = await shop.press(question?.card, 'Approve', kojo);
        expect(answer?.title).toBe('Too late');
        expect(shop.gateway.sent).toEqual([]);
      },
    );

    it('when "submitting" was stored and nothing sent leaves it unknown: nothing is sent, and it is asked about', {
      tags: ['F2'],
    }, async () => {
      shop.dieAt('submitting-stored');
      await shop.charge();
      await shop.quiet();
      await shop.start();
      // Where others may be sending it right now, it is taken for lost only when they must be dead.
      expect((await payment()).state).toBe(shop.isShared ? 'submitting' : 'unknown');
      shop.gateway.onStatus = () => ({ kind: 'noStatus', answer: { code: '067' } });
      await shop.pass(2 * TAKEN_OVER_MS);
      expect(shop.gateway.sent).toEqual([]);
      expect(await payment()).toMatchObject({ state: 'unknown' });
      expect(shop.outcomes()).toEqual(['unknown']);
      expect(JSON.stringify(shop.posted.at(-1)?.card)).toContain('Do not ask again');
      expect(shop.gateway.checked.length).toBeGreaterThan(0);
    });

    it.each<Failpoint>([
      'draft-stored',
      'commit-written',
      'payment-confirmed',
      'submitting-stored',
      'payment-answered',
      'outcome-stored',
    ])(
      'at "%s" of a second try, whose button is pressed again, charges no third time',
      { tags: ['F1', 'F17'] },
      async (moment) => {
        shop.gateway.onStatus = (id) => statusOf(id, 'failed');
        await shop.charge();
        await shop.pass(TAKEN_OVER_MS);
        const failed = shop.edited.at(-1);
        expect(failed?.title).toMatch(/ failed · /);
        shop.gateway.onStatus = (id) => statusOf(id, 'pending');
        if (moment === 'draft-stored') shop.dieAt(moment);
        const [question] = await shop.press(failed, 'Ask again');
        if (moment !== 'draft-stored') {
          shop.dieAt(moment);
          await shop.press(question, 'Charge');
        }
        await shop.pass(SECOND_MS);
        await shop.start();
        await shop.pass(SECOND_MS);
        for (const who of [ama, kojo]) {
          const [answer] = await shop.press(failed, 'Ask again', who);
          for (const shown of [answer, question])
            if (shown?.buttons?.some(({ label }) => label.startsWith('Charge')))
              await shop.press(shown, 'Charge', who);
        }
        await shop.pass(TAKEN_OVER_MS);
        const [second, first, ...others] = await allPayments(shop.store);
        expect(others).toEqual([]);
        expect(first).toMatchObject({ state: 'failed', retriedAs: second?.id });
        expect(second).toMatchObject({ retryOf: first?.id });
        expect(shop.gateway.sent.filter(({ transactionId }) => transactionId === second?.id).length)
          // Stored as being sent, and nothing was: it is asked about and never sent again.
          .toBe(moment === 'submitting-stored' ? 0 : 1);
      },
    );

    it.each<Failpoint | 'no answer yet'>(['no answer yet', 'payment-answered', 'outcome-stored'])(
      'when the service had the request (%s) does not send it again, and learns the outcome',
      { tags: ['F3', 'F4'] },
      async (moment) => {
        if (moment !== 'no answer yet') shop.dieAt(moment);
        else
          shop.gateway.onPayment = () => {
            shop.die();
            return new Promise(() => {});
          };
        await shop.charge();
        await shop.quiet();
        expect(shop.gateway.sent).toHaveLength(1);
        await shop.start();
        settles();
        await shop.pass(TAKEN_OVER_MS);
        expect(shop.gateway.sent).toHaveLength(1);
        expect(await payment()).toMatchObject({ state: 'completed' });
        expect(shop.outcomes()).toEqual(['completed']);
      },
    );

    it('does not make a question delivered again a second one, nor a press a second charge', {
      tags: ['F56'],
    }, async () => {
      const [question] = await shop.type('/charge 0244123456 50', { eventId: 'the same' });
      await shop.press(question, 'Charge');
      await shop.quiet();
      shop.die();
      await shop.start();
      expect(await shop.type('/charge 0244123456 50', { eventId: 'the same' })).toEqual([]);
      expect((await shop.press(question, 'Charge'))[0]?.title).toBe('Already confirmed');
      await shop.pass(TAKEN_OVER_MS);
      expect(shop.gateway.sent).toHaveLength(1);
    });
  });

  describe('a press', () => {
    it('ten minutes after the question is refused, and nothing is charged', {
      tags: ['F19'],
    }, async () => {
      const [question] = await shop.type('/charge 0244123456 50');
      shop.clock.jump(10 * MINUTE_MS);
      const [answer] = await shop.press(question, 'Charge');
      expect(answer).toMatchObject({ title: 'Too late' });
      expect(JSON.stringify(answer)).toContain('Nothing was charged.');
      await shop.pass(TAKEN_OVER_MS);
      expect(await allPayments(shop.store)).toEqual([]);
      expect(shop.gateway.sent).toEqual([]);
    });
  });

  describe('two people', () => {
    it('who press at the same moment have one winner, and the other is told who and when', {
      tags: ['F17'],
    }, async () => {
      const cards = [
        (await shop.type('/charge 0244123456 900'))[0],
        (await shop.type('/charge 0244123456 900', { who: kojo }))[0],
      ];
      const [ones, others] = await Promise.all([
        shop.press(cards[0], 'Charge'),
        shop.press(cards[1], 'Charge', kojo),
      ]);
      const titles = [...ones, ...others].map(({ title }) => title);
      expect(titles.filter((title) => title.startsWith('Confirmed'))).toHaveLength(1);
      expect(titles.filter((title) => title.endsWith('again?'))).toHaveLength(1);
      expect(JSON.stringify([ones, others])).toMatch(/Already asked: GHS/);
      await shop.pass(MINUTE_MS);
      expect(shop.gateway.sent).toHaveLength(1);
    });
  });
});
