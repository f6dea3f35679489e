import { UnmatchedCallbacks } from '../../src/core/callbacks/unmatched-callbacks.ts';
import { chargeLimitGuards } from '../../src/core/guards/limit-guards.ts';
import { Drafts } from '../../src/core/payments/drafts.ts';
import { Payments } from '../../src/core/payments/payments.ts';
import type { Due } from '../../src/core/records/due.ts';
import type { ChargeTerms } from '../../src/core/records/payment.ts';
import type { Change } from '../../src/core/records/records.ts';
import type { Store } from '../../src/core/store/store.ts';
import { newTransactionId, shortIdFrom } from '../../src/core/values/transaction-id.ts';
import { removeRecord } from '../../src/core/work/remove-record.ts';
import { aBatch, aForm, DAY_MS } from '../contracts/store/records.ts';
import { aCharge, ama, shop } from './a-payment.ts';
import type { ManualClock } from './manual-clock.ts';
import { noOperators } from './no-operators.ts';
import { silentLog } from './silent-log.ts';
import { testDraftSeal, testSeal } from './test-seal.ts';

export const KOFI = '+233244123456';
const KOFIS_NAME = 'KOFI MENSAH';
export const EFUA = '+233201112223';
export const EFUAS_NAME = 'EFUA MENSAH';

/** What the service calls Kofi, and no lookup has ever said. */
const SERVICES_NAME = 'Yaw Owusu-Ansah';

const policy = { scheduleMs: [10_000], giveUpMs: 72 * 3_600_000 };

/** What the service calls back with, and what that may look like. */
const KOFIS_CALLBACKS = [
  '{"customer_number":"0244123456","customer_name":"Kofi Mensah","amount":50}',
  '{"msisdn":233244123456,"message":"MENSAH,\\u0020KOFI paid\\n+233 24 412 3456"}',
  'msisdn=%2B233244123456&name=Mensah%20Kofi&note=%200244-123-456',
  `{"payer":"${SERVICES_NAME}"}`,
  'payer=Owusu-Ansah%20Yaw',
];

/** A shop whose customers pay, and what the service and people write about them in every way there is. */
export class CustomerHistory {
  readonly #store: Store;
  readonly #clock: ManualClock;
  readonly #payments: Payments;
  readonly #drafts: Drafts;

  constructor(store: Store, clock: ManualClock) {
    this.#store = store;
    this.#clock = clock;
    this.#payments = new Payments({
      store,
      clock,
      policy,
      alerts: noOperators({ store, clock }),
      seal: testSeal,
    });
    this.#drafts = new Drafts({
      ...{ store, clock, alerts: noOperators({ store, clock }), seal: testDraftSeal },
      confirmWithinMs: 600_000,
    });
  }

  /** A question that nobody has answered. */
  async shown(changes: Partial<ChargeTerms> = {}): Promise<string> {
    this.#clock.jump(1_000);
    const paymentId = newTransactionId(this.#clock.now());
    const terms = { ...aCharge().terms, reference: paymentId, ...changes };
    const warnings =
      changes.customerNumber === KOFI
        ? [
            `024 412 3456 belongs to ${KOFIS_NAME}, who was charged a moment ago`,
            `The account could not be looked up. The service says: ${SERVICES_NAME} is barred`,
          ]
        : [];
    const draft = await this.#drafts.create(
      paymentId,
      aCharge({ terms, paymentId, warnings }),
      ama,
      shop,
    );
    return draft?.id ?? '';
  }

  /** One that was confirmed and sent. */
  async sent(changes: Partial<ChargeTerms> = {}): Promise<string> {
    const draft = await this.#drafts.get(await this.shown(changes));
    if (draft?.kind !== 'charge') throw new Error('no draft');
    const guards = await chargeLimitGuards({ store: this.#store, clock: this.#clock }, draft, {
      presser: draft.requester,
      roles: [],
    });
    const payment = await this.#payments.confirm(draft, ama, { button: 'charge', guards });
    const id = payment?.id ?? '';
    await this.#payments.record(id, { kind: 'submitting', presumedLostAtMs: 0 });
    const payer = changes.customerNumber === KOFI ? SERVICES_NAME : changes.customerName;
    await this.#payments.record(id, {
      kind: 'lost',
      reason: `The service says: too late for ${payer}.`,
      answer: { code: `${payer}`, message: `Nothing of ${payer}` },
    });
    await this.#payments.record(id, {
      kind: 'accepted',
      answer: {
        code: '202',
        message: `Accepted for ${changes.customerNumber?.slice(1)}, ${payer}`,
      },
      checkoutUrl: `https://pay.example/${encodeURIComponent(`${payer}`)}`,
    });
    return id;
  }

  /** One that was paid, was looked at for a day, and of which everything was told. */
  async paid(
    changes: Partial<ChargeTerms> = {},
    { isOver = true }: { isOver?: boolean } = {},
  ): Promise<string> {
    const id = await this.sent(changes);
    const isKofi = changes.customerNumber === KOFI;
    const bodies = isKofi
      ? KOFIS_CALLBACKS
      : [`{"on_behalf_of":"0244123456","payer":"${SERVICES_NAME}"}`];
    for (const body of bodies)
      await this.#payments.record(
        id,
        { kind: 'callback', message: body.slice(0, 100) },
        { cause: { detail: { body, contentType: 'application/json' } } },
      );
    await this.#payments.record(id, {
      kind: 'checked',
      finding: {
        kind: 'completed',
        answer: { code: '200', message: isKofi ? 'Paid by Kofi  Mensah, 0244123456' : 'Paid' },
      },
    });
    if (isKofi) {
      const one = { by: ama, id: 'back00000001' } as const;
      const amount = { amountMinor: 500, currency: 'GHS' };
      const reason = `${SERVICES_NAME} brought it back`;
      await this.#payments.record(id, { kind: 'given back', ...one, amount, reason });
      const note = `Ask ${SERVICES_NAME} for the box`;
      await this.#payments.record(id, { kind: 'noted', ...one, note });
    }
    if (isOver) await this.over(id);
    return id;
  }

  /** A callback that says nothing about the customer. */
  async calledBack(id: string): Promise<void> {
    await this.#payments.record(id, { kind: 'callback' });
  }

  /** Somebody asks the service about it, long after it ended. */
  async askedAgain(id: string): Promise<void> {
    const answer = { code: '200', message: 'Paid' };
    await this.#payments.record(id, { kind: 'checked', finding: { kind: 'completed', answer } });
  }

  /** Whatever has served its time goes, as the worker for that would do it. */
  async tidied(): Promise<void> {
    const nowMs = this.#clock.now();
    const due = await this.#store.claim('tidy', { nowMs, leaseMs: 1, limit: 1_000 });
    for (const put of due)
      if (put.kind === 'draft') await this.#drafts.expire(put.record);
      else await removeRecord(this.#store, put);
  }

  /** The day is over: nothing is owed any more, and nothing looked at. */
  async over(id: string): Promise<void> {
    for (const [kind, one] of [
      ['notice', `${id}.card`],
      ['notice', `${id}.outcome`],
      ['watch', id],
    ] as const) {
      const record = await this.#store.get(kind, one);
      if (record !== undefined)
        await this.#commit({ remove: [{ kind, id: one, version: record.version }] });
    }
  }

  /** A question that was cancelled, and is forgotten as all such questions are. */
  async cancelled(changes: Partial<ChargeTerms> = {}): Promise<void> {
    const id = await this.shown(changes);
    const draft = await this.#drafts.get(id);
    if (draft === undefined) throw new Error('no draft');
    await this.#drafts.cancel(draft, ama);
    await this.#commit({ remove: [{ kind: 'draft', id, version: 2 }] });
  }

  async texted(
    id: string,
    recipients: readonly string[],
    text: string,
    due: Due = { queue: 'tidy', atMs: this.#clock.now() + DAY_MS },
  ): Promise<void> {
    const batch = aBatch({
      id,
      due,
      terms: { senderId: 'PAYTHREAD', text, recipients },
      chunks: [{ uniqueId: `${id}-1`, recipients, state: 'sent', rateLimits: 0, messageId: 'm-1' }],
    });
    await this.#commit({
      put: [{ kind: 'sms', record: batch }],
      audit: [
        {
          atMs: this.#clock.now(),
          kind: 'sms',
          id,
          what: `chunk ${id}-1`,
          before: 'sending',
          after: 'sent',
          detail: { answer: { code: '200', message: `Sent to ${recipients.join(', ')}` } },
        },
      ],
    });
  }

  /** All of it: Kofi's and Efua's, over three months; which payments are whose. */
  async lived(): Promise<{ kofis: string[]; efuas: string[] }> {
    const kofi = { customerNumber: KOFI, customerName: KOFIS_NAME };
    const efua = { customerNumber: EFUA, customerName: EFUAS_NAME };
    const unmatched = new UnmatchedCallbacks({
      store: this.#store,
      clock: this.#clock,
      log: silentLog,
    });
    const kofis = [
      await this.paid(kofi),
      await this.paid({ ...kofi, reference: 'Kofi Mensah May' }),
    ];
    const efuas = [await this.paid(efua)];
    await this.cancelled(kofi);
    const stray = `msisdn=233244123456&payer=${SERVICES_NAME}`;
    await unmatched.keep(newTransactionId(this.#clock.now()), stray);
    await unmatched.keep(newTransactionId(this.#clock.now() + 1), 'payer=KOFI%20MENSAH');
    await unmatched.keep(newTransactionId(this.#clock.now() + 2), 'payer=EFUA%20MENSAH');
    await this.nextMonth();
    efuas.push(await this.paid({ ...efua, reference: 'for 024-412-3456' }));
    await this.texted('sms-kofi', [KOFI], `Dear Kofi Mensah, or ${SERVICES_NAME}, thank you`);
    await this.texted('sms-both', [KOFI, EFUA], 'We are open');
    await this.nextMonth();
    kofis.push(await this.paid(kofi));
    efuas.push(await this.sent(efua));
    await this.#commit({
      put: [
        {
          kind: 'form',
          record: aForm({
            answers: { number: '244 123456' },
            due: { queue: 'tidy', atMs: this.#clock.now() + DAY_MS },
          }),
        },
      ],
    });
    return { kofis, efuas };
  }

  /** What was given back of a payment, and waits for an approver. */
  async givingBack(
    changes: Partial<ChargeTerms> = {},
    paymentId = newTransactionId(0),
  ): Promise<void> {
    const { terms } = aCharge();
    const draft = await this.#drafts.create(
      `given back ${paymentId}`,
      { kind: 'given back', paymentId, terms: { ...terms, ...changes }, warnings: [] },
      ama,
      shop,
    );
    if (draft !== undefined) await this.#drafts.awaitApproval(draft, {});
  }

  /** The next month; what has ended leaves for the archive, if there is one. */
  async nextMonth(): Promise<void> {
    this.#clock.jump(31 * DAY_MS);
    await this.#clock.advance(10 * 60_000);
  }

  async #commit(change: Change): Promise<void> {
    if (!(await this.#store.commit(change))) throw new Error('not stored');
  }
}

/** A hash of the trail: among thousands one has the digits of any number somewhere in it. */
const HASH = /\b[0-9a-f]{64}\b/g;

/** What is left of Kofi in a text, whatever stands between the digits or the words. */
export const kofiIn = (written: string): string[] => {
  const text = written.replace(HASH, '');
  return [
    /4\D{0,6}4\D{0,6}1\D{0,6}2\D{0,6}3\D{0,6}4\D{0,6}5\D{0,6}6/g,
    /owusu/gi,
    /kofi[^a-z]{0,6}mensah|mensah[^a-z]{0,6}(u0020)?kofi/gi,
    new RegExp(shortIdFrom(`customer:${KOFI}`), 'g'),
  ].flatMap((trace) =>
    [...text.matchAll(trace)].map(({ index }) => text.slice(Math.max(0, index - 60), index + 40)),
  );
};
