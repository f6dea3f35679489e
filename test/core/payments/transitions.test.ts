import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Finding, PaymentEvent } from '../../../src/core/payments/payment-event.ts';
import { afterEvent } from '../../../src/core/payments/transitions.ts';
import type { Payment, PaymentState } from '../../../src/core/records/payment.ts';
import { aPayment, shop } from '../../support/a-payment.ts';

const policy = { scheduleMs: [10_000, 20_000, 60_000], giveUpMs: 72 * 3_600_000 };
/** As many as are made until then. */
const MANY_CHECKS = 72 * 60;
const answer = { code: '202', message: 'received' };
const NOW = 50_000;
const dueNow = { queue: 'check', atMs: NOW } as const;

const EVENTS = {
  submitting: {
    kind: 'submitting',
    presumedLostAtMs: 230_000,
    card: { conversation: shop, message: '1.1' },
  },
  accepted: { kind: 'accepted', answer },
  notSent: { kind: 'not sent', reason: 'refused connection' },
  givenUp: { kind: 'given up', reason: 'too late' },
  refused: { kind: 'refused', reason: 'keys', answer },
  rateLimited: { kind: 'rate limited', answer, retryAtMs: 51_000, submitByMs: 171_000 },
  lost: { kind: 'lost', reason: 'timeout', answer: {} },
  setAside: { kind: 'set aside' },
  restored: { kind: 'restored', reason: 'an older store' },
  callback: { kind: 'callback' },
  completed: { kind: 'checked', finding: { kind: 'completed', answer } },
  failed: { kind: 'checked', finding: { kind: 'failed', answer, reason: 'no money' } },
  pending: { kind: 'checked', finding: { kind: 'pending', answer } },
  nothing: { kind: 'checked', finding: { kind: 'nothing', answer } },
  recognised: { kind: 'checked', finding: { kind: 'nothing', answer, knowsIt: true } },
  mismatch: { kind: 'checked', finding: { kind: 'mismatch', answer, reason: 'other amount' } },
  bareCompleted: {
    kind: 'checked',
    finding: { kind: 'unproven', word: 'completed', answer, reason: 'no transaction' },
  },
  bareFailed: {
    kind: 'checked',
    finding: { kind: 'unproven', word: 'failed', answer, reason: 'no transaction' },
  },
} as const satisfies Record<string, PaymentEvent>;
type EventName = keyof typeof EVENTS;

/** The payment after an event, or undefined where it changes nothing. */
const become = (payment: Payment, event: EventName | PaymentEvent, nowMs = NOW) =>
  afterEvent(payment, typeof event === 'string' ? EVENTS[event] : event, nowMs, policy);

/** Where each event leads from each state; what is not listed changes no state. */
const TABLE: Record<PaymentState, Partial<Record<EventName, PaymentState>>> = {
  confirmed: {
    submitting: 'submitting',
    givenUp: 'not sent',
    setAside: 'not sent',
    restored: 'unknown',
    callback: 'unknown',
    completed: 'completed',
    failed: 'failed',
    pending: 'pending',
    recognised: 'unknown',
    mismatch: 'unknown',
    bareCompleted: 'unknown',
    bareFailed: 'unknown',
  },
  submitting: {
    accepted: 'pending',
    notSent: 'not sent',
    refused: 'refused',
    rateLimited: 'confirmed',
    lost: 'unknown',
    setAside: 'unknown',
    restored: 'unknown',
  },
  pending: { completed: 'completed', failed: 'failed' },
  unknown: { accepted: 'pending', completed: 'completed', failed: 'failed', pending: 'pending' },
  completed: {},
  failed: {},
  'not sent': {},
  refused: {},
};
const STATES = Object.keys(TABLE) as PaymentState[];
const events = fc.array(fc.constantFrom(...Object.values(EVENTS)), { maxLength: 40 });

/** A payment with its outcome, for which nothing is due any more. */
const ended = (state: PaymentState): Payment => {
  const { due: _, ...payment } = aPayment({ state });
  return payment;
};

describe('afterEvent', () => {
  for (const state of STATES)
    for (const [name, event] of Object.entries(EVENTS) as [EventName, PaymentEvent][])
      it(`${name} in ${state} leads to ${TABLE[state][name] ?? 'no other state'}`, () => {
        const after = become(aPayment({ state }), event);
        expect(after?.state ?? state).toBe(TABLE[state][name] ?? state);
      });

  it('never leaves a settled state and never sends again, whatever happens in whatever order', () => {
    fc.assert(
      fc.property(events, (sequence) => {
        let payment = aPayment();
        let sent = 0;
        let limited = 0;
        for (const event of sequence) {
          const next = become(payment, event) ?? payment;
          if (['completed', 'failed', 'not sent', 'refused'].includes(payment.state))
            expect(next.state).toBe(payment.state);
          if (payment.state !== 'submitting' && next.state === 'submitting') sent++;
          if (payment.state === 'submitting' && next.state === 'confirmed') limited++;
          payment = next;
        }
        expect(sent).toBeLessThanOrEqual(1 + limited);
      }),
    );
  });

  it('keeps work due for every payment without an outcome', () => {
    fc.assert(
      fc.property(events, (sequence) => {
        let payment = aPayment();
        for (const event of sequence) payment = become(payment, event) ?? payment;
        const open = ['confirmed', 'submitting', 'pending', 'unknown'].includes(payment.state);
        if (open) expect(payment.due).toBeDefined();
      }),
    );
  });
});

describe('a payment that the service has shown to know', () => {
  const due = { queue: 'submit', atMs: 230_000 } as const;
  const known = (changes: Parameters<typeof aPayment>[0]) =>
    aPayment({ hints: 1, due, ...changes });

  it.each(['rateLimited', 'notSent', 'refused', 'setAside'] as const)(
    'is unknown after %s, and asked about at once',
    (name) => {
      const payment = known({ state: 'submitting', submittedAtMs: 40_000 });
      const asked = { state: 'unknown', submittedAtMs: 40_000, due: dueNow };
      expect(become(payment, name)).toMatchObject(asked);
    },
  );

  it('still counts the 429 and keeps its answer', () => {
    const payment = known({ state: 'submitting', rateLimits: 2 });
    expect(become(payment, 'rateLimited')).toMatchObject({ rateLimits: 3, answer });
  });

  it.each(['submitting', 'givenUp', 'setAside'] as const)(
    'is not sent by %s while it waits, but asked about',
    (name) => {
      const asked = { state: 'unknown', due: dueNow };
      expect(become(known({ state: 'confirmed' }), name)).toMatchObject(asked);
    },
  );

  it.each(['completed', 'pending', 'recognised', 'mismatch', 'bareFailed'] as const)(
    'was known while its request was on its way: %s is noted as a hint, and nothing else',
    (name) => {
      const payment = aPayment({ state: 'submitting', due });
      expect(become(payment, name)).toEqual({ ...payment, hints: 1 });
    },
  );

  it('is not asked about before its request was answered, however many callbacks came meanwhile', () => {
    const payment = known({ state: 'submitting', hints: 3 });
    const event = { ...EVENTS['pending'], hintsBefore: 1 } as PaymentEvent;
    expect(become(payment, event)).toEqual({ ...payment, hints: 4 });
  });

  it('goes on as it was while the service knows nothing of it', () => {
    for (const state of ['confirmed', 'submitting'] as const)
      expect(become(aPayment({ state }), 'nothing')).toBeUndefined();
  });
});

describe('a payment that was answered with 429', () => {
  const limited = { state: 'confirmed', rateLimits: 1, submittedAtMs: 40_000 } as const;

  it('was reached: when it was keeps, and what it waits for is said', () => {
    const submitting = aPayment({ state: 'submitting', submittedAtMs: 40_000 });
    const after = become(submitting, 'rateLimited');
    expect(after).toMatchObject({ ...limited, due: { queue: 'submit', atMs: 51_000 } });
  });

  it.each(['givenUp', 'setAside'] as const)('and is not sent in the end says both: %s', (name) => {
    const after = become(aPayment(limited), name);
    expect(after?.reason).toMatch(/^The payment service was too busy and took nothing\. \S/);
  });

  it('and was refused in the end says only that', () => {
    const submitting = aPayment({ ...limited, state: 'submitting' });
    const after = become(submitting, 'refused');
    expect(after).toMatchObject({ state: 'refused', reason: 'keys' });
  });
});

describe('the checks of a payment', () => {
  it('follow the schedule, the last delay repeating', () => {
    let payment = become(aPayment({ state: 'submitting' }), 'accepted');
    const delays = [];
    for (let nowMs = NOW; delays.length < 5 && payment !== undefined; ) {
      delays.push((payment.due?.atMs ?? 0) - nowMs);
      nowMs = payment.due?.atMs ?? nowMs;
      payment = become(payment, 'pending', nowMs);
    }
    expect(delays).toEqual([10_000, 20_000, 60_000, 60_000, 60_000]);
  });

  it('are due at once after a callback', () => {
    const payment = aPayment({ state: 'pending', due: { queue: 'check', atMs: NOW + 60_000 } });
    expect(become(payment, 'callback')?.due).toEqual(dueNow);
  });

  it('are due at once after the answer when the callback came first', { tags: ['F21'] }, () => {
    const early = become(aPayment({ state: 'submitting' }), 'callback');
    expect(early?.state).toBe('submitting');
    const answered = become(early ?? aPayment(), 'accepted', NOW + 5);
    expect(answered?.due).toEqual({ queue: 'check', atMs: NOW + 5 });
  });

  it('are not multiplied by a flood of callbacks', { tags: ['F22'] }, () => {
    let payment = aPayment({ state: 'pending', due: { queue: 'check', atMs: NOW + 60_000 } });
    const checksAtMs: number[] = [];
    for (let nowMs = NOW; nowMs < NOW + 60_000; nowMs += 500) {
      payment = become(payment, 'callback', nowMs) ?? payment;
      if ((payment.due?.atMs ?? Number.POSITIVE_INFINITY) > nowMs) continue;
      checksAtMs.push(nowMs - NOW);
      payment = become(payment, 'pending', nowMs) ?? payment;
    }
    expect(checksAtMs).toEqual([0, 4_000, 14_000, 24_000, 34_000, 44_000, 54_000]);
  });

  it('come again soon when a callback came while the service was asked, and its answer is no end', {
    tags: ['F22'],
  }, () => {
    const pending: Finding = { kind: 'pending', answer };
    const asked = aPayment({ state: 'pending', due: dueNow, hints: 1, hintChecks: 1 });
    const checked = (hints: number, found: Finding = pending) =>
      become({ ...asked, hints }, { kind: 'checked', finding: found, hintsBefore: 1 });
    expect(checked(1)?.due?.atMs).toBeGreaterThan(NOW + 4_000);
    expect(checked(2)).toMatchObject({ due: { atMs: NOW + 4_000 }, hintChecks: 2 });
    expect(checked(900)).toEqual({ ...checked(2), hints: 900 });
    expect(checked(2, { kind: 'completed', answer })?.due).toBeUndefined();
  });

  it('call for a person after half an hour and after a day, and go on', { tags: ['F28'] }, () => {
    const calls: { atMs: number; overdue: unknown; state: string }[] = [];
    for (const finding of ['nothing', 'pending'] as const) {
      let payment = aPayment({ state: 'unknown', submittedAtMs: NOW });
      let nowMs = NOW;
      while (nowMs < NOW + 30 * 3_600_000) {
        const after = become(payment, finding, nowMs);
        expect(after?.due?.queue).toBe('check');
        const overdue = after?.overdue;
        if (overdue !== payment.overdue)
          calls.push({ atMs: nowMs - NOW, overdue, state: after?.state ?? '' });
        payment = after ?? payment;
        nowMs = payment.due?.atMs ?? Number.POSITIVE_INFINITY;
      }
      expect(payment.flag).toBe('needs a person');
    }
    const day = 24 * 3_600_000;
    expect(calls).toEqual([
      { atMs: 1_800_000, overdue: 'half an hour', state: 'unknown' },
      { atMs: day, overdue: 'a day', state: 'unknown' },
      { atMs: 1_800_000, overdue: 'half an hour', state: 'pending' },
      { atMs: day, overdue: 'a day', state: 'pending' },
    ]);
  });

  it('keep a conflict in view however long it lasts', () => {
    const open = { state: 'pending', submittedAtMs: 0, checks: MANY_CHECKS } as const;
    const payment = aPayment({ ...open, flag: 'conflict', reason: 'x' });
    const after = become(payment, 'nothing', policy.giveUpMs);
    expect(after).toMatchObject({ flag: 'conflict', reason: 'x', overdue: 'given up' });
  });

  it('that settle it take every flag away', () => {
    const late = aPayment({ state: 'unknown', flag: 'needs a person', overdue: 'a day' });
    const after = become(late, 'completed');
    expect(after).toMatchObject({ state: 'completed' });
    expect(after?.flag ?? after?.overdue).toBeUndefined();
  });

  it.each([
    ['completed', 'failed'],
    ['completed', 'mismatch'],
    ['failed', 'completed'],
    ['refused', 'completed'],
    ['refused', 'pending'],
    ['not sent', 'pending'],
    ['not sent', 'completed'],
    ['completed', 'bareFailed'],
    ['failed', 'bareCompleted'],
    ['refused', 'bareCompleted'],
    ['not sent', 'bareCompleted'],
  ] as const)('of a %s payment that say %s raise a conflict, once', (state, said) => {
    const after = become(ended(state), said);
    expect(after).toMatchObject({ state, flag: 'conflict' });
    expect(become(after ?? ended(state), said)).toBeUndefined();
  });

  it.each([
    ['completed', 'completed'],
    ['completed', 'pending'],
    ['completed', 'nothing'],
    ['failed', 'failed'],
    ['failed', 'pending'],
    ['refused', 'nothing'],
    ['refused', 'failed'],
    ['not sent', 'nothing'],
    ['completed', 'bareCompleted'],
    ['failed', 'bareFailed'],
    ['refused', 'bareFailed'],
    ['not sent', 'bareFailed'],
  ] as const)('of a %s payment that say %s change nothing', (state, said) => {
    expect(become(ended(state), said)).toBeUndefined();
  });

  it.each(['bareCompleted', 'bareFailed', 'mismatch'] as const)(
    'of an open payment that say %s call for a person and settle nothing',
    (said) => {
      const inConflict = { flag: 'conflict', due: { queue: 'check' } };
      for (const state of ['pending', 'unknown'] as const)
        expect(become(aPayment({ state }), said)).toMatchObject({ state, ...inConflict });
    },
  );

  it('end after the time to give up, and a person is asked', () => {
    const payment = aPayment({ state: 'unknown', submittedAtMs: 0, checks: MANY_CHECKS });
    const after = become(payment, 'nothing', policy.giveUpMs);
    expect(after).toMatchObject({ state: 'unknown', flag: 'needs a person' });
    expect(after?.due).toBeUndefined();
  });

  it('keep why a payment is in conflict when the service says that it is under way', () => {
    const pending = aPayment({ state: 'pending', due: dueNow });
    const conflict = become(pending, 'mismatch');
    const after = become(conflict ?? pending, 'pending');
    expect(after).toMatchObject({ flag: 'conflict', reason: 'other amount' });
  });
});

describe('a payment that ended the process again and again', () => {
  const setAside = (changes: Parameters<typeof aPayment>[0]) =>
    become(aPayment({ due: dueNow, ...changes }), 'setAside');

  it('was certainly not sent when it was only confirmed', () => {
    expect(setAside({ state: 'confirmed' })).toMatchObject({ state: 'not sent', settledAtMs: NOW });
  });

  it.each(['pending', 'unknown'] as const)(
    'is for a person when %s, and asked about after an hour',
    (state) => {
      const after = setAside({ state });
      expect(after).toMatchObject({ state, flag: 'needs a person', overdue: 'set aside' });
      expect(after?.due).toEqual({ queue: 'check', atMs: NOW + 3_600_000 });
    },
  );

  it('is asked about when it may have been sent', () => {
    const after = setAside({ state: 'submitting' });
    expect(after).toMatchObject({ state: 'unknown', flag: 'needs a person', overdue: 'set aside' });
    expect(after?.due?.queue).toBe('check');
  });

  it('stays in conflict when it was', () => {
    expect(setAside({ state: 'pending', flag: 'conflict' })?.flag).toBe('conflict');
  });

  it('is only left alone when it has ended', () => {
    expect(setAside({ state: 'completed' })).toEqual(ended('completed'));
    expect(become(ended('completed'), 'setAside')).toBeUndefined();
  });
});

describe('a payment in a store that went back to a backup', () => {
  it('counts from when it was sent, or else from its confirmation', () => {
    const submitting = aPayment({ state: 'submitting', submittedAtMs: 2_000 });
    expect(become(submitting, 'restored')).toMatchObject({
      state: 'unknown',
      submittedAtMs: 2_000,
      reason: 'an older store',
      due: dueNow,
    });
    expect(become(aPayment(), 'restored')).toMatchObject({ submittedAtMs: 1_000 });
  });
});

describe('an accepted payment', () => {
  it('has the link to the checkout page, if the service gave one', () => {
    const checkoutUrl = 'https://pay.example.com/1';
    const submitting = aPayment({ state: 'submitting' });
    const linked = become(submitting, { ...EVENTS.accepted, checkoutUrl });
    expect(linked).toMatchObject({ checkoutUrl });
    expect(become(submitting, 'accepted')).not.toHaveProperty('checkoutUrl');
  });
});
