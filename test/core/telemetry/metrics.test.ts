import { describe, expect, it, onTestFinished } from 'vitest';
import { Callbacks } from '../../../src/core/callbacks/callbacks.ts';
import { UnmatchedCallbacks } from '../../../src/core/callbacks/unmatched-callbacks.ts';
import { Payments } from '../../../src/core/payments/payments.ts';
import type { Notice } from '../../../src/core/records/notice.ts';
import type { Payment } from '../../../src/core/records/payment.ts';
import type { Put } from '../../../src/core/records/records.ts';
import { systemClock } from '../../../src/core/runtime/clock.ts';
import { programVersion } from '../../../src/core/runtime/version.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { Metrics } from '../../../src/core/telemetry/metrics.ts';
import { observedStore } from '../../../src/core/telemetry/observer.ts';
import { aPayment } from '../../support/a-payment.ts';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';
import { metricsOf, readSamples } from '../../support/metrics-of.ts';
import { noOperators } from '../../support/no-operators.ts';
import { openStore } from '../../support/open-store.ts';
import { type RunningApp, runApp } from '../../support/run-app.ts';
import { silentLog } from '../../support/silent-log.ts';
import { TelegramSimulator } from '../../support/telegram-simulator.ts';
import { testSeal } from '../../support/test-seal.ts';

const SECRET = 'a-secret-for-signing-callbacks';

const charge = async (app: RunningApp, number: string): Promise<void> => {
  await app.ask(`/charge ${number} 50`, /Charge GHS 50\.00\?/);
  app.type('yes');
};

const newestId = async ({ app: { store } }: RunningApp): Promise<string> =>
  (await store.listPayments({}, { limit: 1 })).payments[0]?.id ?? '';

/** An address as the service is given it. */
const addressOf = ({ app: { store }, clock }: RunningApp, publicUrl: string, id: string): string =>
  new Callbacks({
    payments: new Payments({
      seal: testSeal,
      store,
      clock,
      policy: { scheduleMs: [1_000], giveUpMs: 1_000 },
      alerts: noOperators({ store, clock }),
    }),
    clock,
    unmatched: new UnmatchedCallbacks({ store, clock, log: silentLog }),
    log: silentLog,
    secrets: [SECRET],
    publicUrl,
  }).address(id);

describe('GET /metrics', () => {
  it('is at an address of its own when that is set, alone, and not with the others', async () => {
    const port = await freePort();
    const app = await runApp({ METRICS_HOST: '127.0.0.1', METRICS_PORT: String(port) });
    expect((await metricsOf(port)).names.size).toBeGreaterThan(10);
    const statusAt = async (at: number, path: string) =>
      (await fetch(`http://127.0.0.1:${at}${path}`)).status;
    expect(await statusAt(port, '/healthz')).toBe(404);
    expect(await statusAt(app.app.port, '/metrics')).toBe(404);
    expect(await statusAt(app.app.port, '/healthz')).toBe(200);
  });

  it('tells of a payment from the command to the delivered outcome', async () => {
    const app = await runApp();
    await charge(app, '0244123456');
    await app.shows(/GHS 50\.00 from .*: completed/);
    const samples = await eventually(async () => {
      const now = await metricsOf(app.app.port);
      const told = { what: 'outcome', result: 'delivered', platform: 'terminal' };
      expect(now.value('paythread_deliveries_total', told)).toBe(1);
      return now;
    });
    const { value } = samples;
    expect(value('paythread_payments_total', { state: 'completed' })).toBe(1);
    expect(value('paythread_collected_amount_total', { network: 'MTN' })).toBe(50);
    expect(value('paythread_callback_duration_seconds_count', { answer: '200' })).toBe(1);
    expect(value('paythread_callback_duration_seconds_sum')).toBeGreaterThan(0);
    for (const operation of ['payment_account_lookup', 'make_payment', 'check_transaction_status'])
      expect(value('paythread_gateway_duration_seconds_count', { operation })).toBeGreaterThan(0);
    expect(
      value('paythread_gateway_answers_total', { operation: 'make_payment', outcome: 'accepted' }),
    ).toBe(1);
    expect(value('paythread_gateway_wait_seconds_count')).toBeGreaterThan(2);
    const typed = { command: 'charge', by: 'typed' };
    expect(value('paythread_command_duration_seconds_count', typed)).toBe(1);
    const pressed = { command: 'charge', by: 'pressed' };
    expect(value('paythread_command_duration_seconds_count', pressed)).toBe(1);
    const posted = { platform: 'terminal', what: 'new card', result: 'delivered' };
    expect(value('paythread_deliveries_total', posted)).toBe(1);
    expect(value('paythread_notice_delay_seconds_count', { what: 'outcome' })).toBe(1);
    expect(value('paythread_store_commits_total', { result: 'stored' })).toBeGreaterThan(5);
    expect(value('paythread_store_commit_duration_seconds_count')).toBeGreaterThan(5);
    expect(value('paythread_store_up')).toBe(1);
    for (const state of ['confirmed', 'submitting', 'pending', 'unknown'])
      expect(value('paythread_open_payments', { state })).toBe(0);
    expect(value('paythread_info', { version: programVersion(), store: 'embedded' })).toBe(1);
    expect(value('process_start_time_seconds')).toBeGreaterThan(1_700_000_000);
  });

  it('has no number, name or id in it', { tags: ['I15'] }, async () => {
    const app = await runApp();
    await charge(app, '0244123456');
    await app.shows(/: completed/);
    await app.ask('/nothing-of-the-kind 0244999999', /I did not understand that/);
    const { text } = await eventually(async () => {
      const now = await metricsOf(app.app.port);
      const unknown = { command: 'unknown' };
      expect(now.value('paythread_command_duration_seconds_count', unknown)).toBe(1);
      return now;
    });
    // The values themselves may look like anything.
    const series = text.replace(/ \S+$/gm, '');
    const name = /Customer: +(.+)/.exec(app.screen())?.[1] ?? 'no name on the screen';
    const id = await newestId(app);
    expect(id).not.toBe('');
    for (const secret of ['244123456', '4999999', name, id, 'nothing-of', 'local'])
      expect(series).not.toContain(secret);
  });

  it('tells what is open, what is owed, and what a person has to look at', async () => {
    const app = await runApp({ STATUS_CHECK_SCHEDULE: '1s', STATUS_CHECK_GIVE_UP: '5s' });
    await charge(app, '0244123406');
    await eventually(async () => {
      const { value } = await metricsOf(app.app.port);
      expect(value('paythread_open_payments', { state: 'pending' })).toBe(1);
      // The next question about the balances is owed as well.
      expect(value('paythread_owed_work', { queue: 'check' })).toBe(2);
      expect(value('paythread_flagged_payments', { flag: 'needs a person' })).toBe(0);
    });
    await eventually(async () => {
      const { value } = await metricsOf(app.app.port);
      expect(value('paythread_flagged_payments', { flag: 'needs a person' })).toBe(1);
      expect(value('paythread_flags_raised_total', { flag: 'needs a person' })).toBe(1);
      expect(value('paythread_owed_work', { queue: 'check' })).toBe(1);
      expect(value('paythread_owed_work', { queue: 'notice' })).toBe(0);
      expect(value('paythread_oldest_due_seconds', { queue: 'check' })).toBe(0);
    });
  });

  it('counts callbacks by what they were answered', async () => {
    const app = await runApp({ CALLBACK_SECRET: SECRET });
    await charge(app, '0244123406');
    await app.shows(/GHS 50\.00 pending/);
    const id = await newestId(app);
    const root = `http://127.0.0.1:${app.app.port}`;
    const address = (id: string) => addressOf(app, root, id);
    const post = async (url: string, body: string) =>
      (await fetch(url, { method: 'POST', body })).status;
    expect(await post(`${root}/callbacks/${id}/forged`, '{}')).toBe(404);
    expect(await post(address(id), 'x'.repeat(70_000))).toBe(413);
    expect(await post(address(id), '{}')).toBe(200);
    await eventually(async () => {
      const { value } = await metricsOf(app.app.port);
      for (const answer of ['200', '404', '413'])
        expect(value('paythread_callback_duration_seconds_count', { answer })).toBe(1);
    });
  });

  it('counts limits of a chat platform, and deliveries that wait for them', async () => {
    const telegram = await TelegramSimulator.start({ flood: false });
    onTestFinished(() => telegram.stop());
    const ama = telegram.person('Ama Mensah');
    const chat = telegram.privateChat(ama);
    const app = await runApp(
      {
        PAYMENTS_BASE_URL: 'sandbox',
        TELEGRAM_BOT_TOKEN: telegram.token,
        TELEGRAM_API_ROOT: telegram.apiRoot,
      },
      {
        access: `roles: { sales: { commands: '*' } }\nmembers: { sales: ['telegram:${ama.account.id}'] }`,
      },
    );
    expect(
      (await metricsOf(app.app.port)).value('paythread_chat_limits_hit_total', {
        platform: 'telegram',
      }),
    ).toBe(0);
    const question = await ama.ask(chat, '/charge 0244123456 50', /Charge GHS 50\.00\?/);
    telegram.failNext('sendMessage', { kind: 'rateLimit', retryAfterSeconds: 1 });
    await ama.choose(chat, question, 'Charge GHS 50.00', /: completed/);
    const { value } = await metricsOf(app.app.port);
    expect(value('paythread_chat_limits_hit_total', { platform: 'telegram' })).toBe(1);
    const waited = { platform: 'telegram', what: 'outcome', result: 'rateLimited' };
    expect(value('paythread_deliveries_total', waited)).toBeGreaterThan(0);
  });
});

describe('the numbers', () => {
  const info = { version: '1.2.3', store: 'postgres' } as const;
  const shops = { currency: 'GHS', merchants: [] };
  const watchedWith = async (members: Partial<Store>) => {
    const opened = observedStore(await openStore(), () => () => {});
    const store = { ...opened, ...members };
    const metrics = new Metrics({ nowMs: () => systemClock.now(), info, store, shops });
    return { metrics, store: observedStore(store, metrics.onCommit) };
  };

  it('leave out what the store holds while it is away, and say so', async () => {
    let isAway = false;
    const { metrics, store } = await watchedWith({
      totalPayments: async ({ flag }) => {
        if (isAway) throw new Error('the database is away');
        const pending = {
          state: 'pending',
          currency: 'GHS',
          count: 1,
          amountMinor: 5_000,
        } as const;
        return { totals: flag === undefined ? [pending] : [], isWhole: true };
      },
    });
    await store.commit({});
    const before = readSamples(await metrics.text());
    expect(before.value('paythread_open_payments', { state: 'pending' })).toBe(1);
    expect(before.names).toContain('paythread_oldest_due_seconds');
    isAway = true;
    const { value, names } = readSamples(await metrics.text());
    expect(value('paythread_store_up')).toBe(0);
    expect(names).not.toContain('paythread_open_payments');
    expect(names).not.toContain('paythread_oldest_due_seconds');
    expect(value('paythread_store_commits_total', { result: 'stored' })).toBe(1);
  });

  it('count what is open in the store, without reading a payment', { tags: ['F84'] }, async () => {
    const store = await openStore();
    const { amount } = aPayment().terms;
    const inDollars = { ...aPayment().terms, amount: { ...amount, currency: 'USD' } };
    const all: Partial<Payment>[] = [
      { state: 'pending' },
      { state: 'pending', terms: inDollars, flag: 'needs a person' },
      { state: 'unknown', flag: 'needs a person' },
      { state: 'unknown', flag: 'conflict' },
      { state: 'completed', flag: 'conflict' },
      { state: 'confirmed' },
    ];
    const put = all.map((one, at) => ({
      kind: 'payment',
      record: aPayment({ ...one, id: `P${at}` }),
    }));
    await store.commit({ put: put as Put[] });
    const read = async () => Promise.reject(new Error('payments were read'));
    const metrics = new Metrics({
      nowMs: () => systemClock.now(),
      ...{ info, shops },
      store: { ...observedStore(store, () => () => {}), listPayments: read },
    });
    const { value } = readSamples(await metrics.text());
    const open = ['confirmed', 'submitting', 'pending', 'unknown'] as const;
    expect(open.map((state) => value('paythread_open_payments', { state }))).toEqual([1, 0, 2, 2]);
    expect(value('paythread_flagged_payments', { flag: 'needs a person' })).toBe(2);
    expect(value('paythread_flagged_payments', { flag: 'conflict' })).toBe(1);
  });

  it('count a flag once, however often its notice is tried', async () => {
    const { metrics, store } = await watchedWith({});
    const payment = aPayment({ state: 'pending', flag: 'conflict' });
    const notice: Notice = {
      id: `${payment.id}.outcome`,
      version: 1,
      about: { kind: 'outcome', paymentId: payment.id, of: 'conflict' },
      conversation: payment.conversation,
      to: payment.requester,
      createdAtMs: 0,
      attempts: 0,
      mayStand: false,
    };
    await store.commit({
      put: [
        { kind: 'payment', record: payment },
        { kind: 'notice', record: notice },
      ],
    });
    await store.commit({ put: [{ kind: 'notice', record: { ...notice, version: 2 } }] });
    const { value } = readSamples(await metrics.text());
    expect(value('paythread_flags_raised_total', { flag: 'conflict' })).toBe(1);
  });

  const settle = async (store: Store, changes: Partial<Payment>, event?: string) => {
    const record = aPayment(changes);
    const known = await store.get('payment', record.id);
    const { id, state } = record;
    const what = event ?? state;
    const row = { kind: 'payment', id, what, before: known?.state ?? null } as const;
    await store.commit({
      put: [{ kind: 'payment', record: { ...record, version: (known?.version ?? 0) + 1 } }],
      audit: [{ ...row, after: state, atMs: 0 }],
    });
  };

  it('count the money of a payment once, when its outcome is stored, by currency, merchant and network', async () => {
    const { metrics, store } = await watchedWith({});
    const { terms } = aPayment();
    const osu = { ...terms, merchant: 'osu', network: 'VOD' } as const;
    for (const state of ['pending', 'completed', 'completed'] as const)
      await settle(store, { state });
    await settle(store, {
      ...{ id: 'IN-YEN', state: 'completed' },
      terms: { ...osu, amount: { amountMinor: 1_250, currency: 'JPY' } },
    });
    for (const state of ['failed', 'refused', 'not sent'] as const)
      await settle(store, { id: state, state, terms: osu });
    const { value } = readSamples(await metrics.text());
    const collected = (labels: object) => value('paythread_collected_amount_total', { ...labels });
    const failed = (labels: object) => value('paythread_failed_amount_total', { ...labels });
    expect(collected({ currency: 'GHS', merchant: '', network: 'MTN' })).toBe(50);
    expect(collected({ currency: 'JPY', merchant: 'osu', network: 'VOD' })).toBe(1_250);
    expect(collected({ currency: 'GHS' })).toBe(50);
    expect(failed({ currency: 'GHS' })).toBe(50);
    expect(failed({ merchant: 'osu', network: 'VOD' })).toBe(50);
  });

  it('count what was given back of a payment, each amount once', async () => {
    const { metrics, store } = await watchedWith({});
    await settle(store, { state: 'completed' });
    const one = { id: 'one', amountMinor: 1_000, by: aPayment().requester, atMs: 1 };
    const two = { ...one, id: 'two', amountMinor: 250 };
    for (const givenBack of [[one], [one, two]])
      await settle(store, { state: 'completed', givenBack }, 'given back');
    await settle(store, { state: 'completed', givenBack: [one, two] }, 'noted');
    const { value } = readSamples(await metrics.text());
    const labels = { currency: 'GHS', merchant: '', network: 'MTN' };
    expect(value('paythread_given_back_amount_total', labels)).toBe(12.5);
    expect(value('paythread_collected_amount_total', labels)).toBe(50);
  });

  it('count no money of a change that was refused as stale', async () => {
    const { metrics, store } = await watchedWith({ commit: async () => false });
    await settle(store, { state: 'completed' });
    const { value } = readSamples(await metrics.text());
    expect(value('paythread_collected_amount_total')).toBe(0);
  });

  it('begin at zero for each merchant and network, so that the first payment is an increase', async () => {
    const merchants = [{ name: 'osu' }, { name: 'tema' }];
    const metrics = new Metrics({
      nowMs: () => systemClock.now(),
      ...{ info, shops: { currency: 'GHS', merchants } },
      store: await openStore(),
    });
    const { value } = readSamples(await metrics.text());
    for (const { name: merchant } of merchants)
      for (const network of ['MTN', 'VOD', 'AIR', 'VIS', 'MAS'])
        for (const what of ['collected', 'failed', 'given_back'])
          expect(
            value(`paythread_${what}_amount_total`, { currency: 'GHS', merchant, network }),
          ).toBe(0);
  });

  it('count a commit that failed, and leave its error to whoever committed', async () => {
    const { metrics, store } = await watchedWith({
      commit: () => Promise.reject(new Error('cut in mid-commit')),
    });
    await expect(store.commit({})).rejects.toThrow('cut in mid-commit');
    const { value } = readSamples(await metrics.text());
    expect(value('paythread_store_commits_total', { result: 'failed' })).toBe(1);
  });
});
