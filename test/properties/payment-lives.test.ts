import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Card, itemText } from '../../src/commands/cards/card.ts';
import { outcomeCard, paymentCard } from '../../src/commands/cards/payment-card.ts';
import { paymentNotices } from '../../src/core/notices/owed-notices.ts';
import { outcomeWord, type PaymentState } from '../../src/core/records/payment.ts';
import { check } from '../support/check.ts';
import { life, type Step } from '../support/payment-lives.ts';

/** After a sign that the service knows the payment they lead to `unknown`, and else where they are meant to. */
const UNTAKEN = ['submitting', 'rate limited', 'not sent', 'refused', 'given up', 'set aside'];

/**
 * The machine as it is documented: which event may lead from one state to another. What is not here
 * changes no state.
 */
const MOVES: readonly (readonly [from: PaymentState, to: PaymentState, by: readonly string[]])[] = [
  ['confirmed', 'submitting', ['submitting']],
  ['confirmed', 'not sent', ['given up', 'set aside']],
  [
    'confirmed',
    'unknown',
    // What a service knows that was only confirmed, or answered with 429, it has taken.
    ['restored', 'callback', 'found nothing', 'found mismatch', 'found unproven', ...UNTAKEN],
  ],
  ['confirmed', 'pending', ['found pending']],
  ['confirmed', 'completed', ['found completed']],
  ['confirmed', 'failed', ['found failed']],
  ['submitting', 'confirmed', ['rate limited']],
  ['submitting', 'pending', ['accepted']],
  ['submitting', 'not sent', ['not sent']],
  ['submitting', 'refused', ['refused']],
  ['submitting', 'unknown', ['lost', 'restored', 'set aside', ...UNTAKEN]],
  ['unknown', 'pending', ['accepted', 'found pending']],
  ['unknown', 'completed', ['found completed']],
  ['unknown', 'failed', ['found failed']],
  ['pending', 'completed', ['found completed']],
  ['pending', 'failed', ['found failed']],
];
const SETTLED: readonly PaymentState[] = ['completed', 'failed', 'not sent', 'refused'];
/** A status, whatever it says: the service has the transaction. */
const isSign = (event: Step['event']): boolean =>
  event.kind === 'checked' && (event.finding.kind !== 'nothing' || event.finding.knowsIt === true);
const isSettled = (state: PaymentState): boolean => SETTLED.includes(state);
const nameOf = ({ event }: Step): string =>
  event.kind === 'checked' ? `found ${event.finding.kind}` : event.kind;

const everyStep = (say: (step: Step, steps: readonly Step[]) => void, inputs: number) =>
  check(
    fc.property(life, (steps) => {
      for (const step of steps) say(step, steps);
    }),
    inputs,
  );

describe('a payment, whatever happens to it in whatever order', () => {
  it(
    'moves only along the documented machine, and by the event that stands there',
    { tags: ['I3'] },
    () =>
      everyStep((step) => {
        const { before, after } = step;
        if (before.state === after.state) return;
        const move = MOVES.find(([from, to]) => from === before.state && to === after.state);
        expect([before.state, after.state, move?.[2]]).toEqual([
          before.state,
          after.state,
          expect.arrayContaining([nameOf(step)]),
        ]);
      }, 2_000),
  );

  it(
    'never leaves a settled state, nor the time and answer it was settled with',
    { tags: ['F23', 'I3'] },
    () =>
      everyStep(({ before, after }) => {
        if (!isSettled(before.state)) return;
        expect(after.state).toBe(before.state);
        expect(after.settledAtMs).toBe(before.settledAtMs);
        expect(after.answer).toEqual(before.answer);
      }, 2_000),
  );

  it('is sent once, and once more only for each 429', { tags: ['F11', 'I1'] }, () =>
    check(
      fc.property(life, (steps) => {
        const sent = steps.filter(
          ({ before, after }) => before.state !== 'submitting' && after.state === 'submitting',
        );
        const busy = steps.filter(
          ({ before, after }) => before.state === 'submitting' && after.state === 'confirmed',
        );
        expect(sent.length).toBeLessThanOrEqual(1 + busy.length);
        expect(busy.every((step) => step.event.kind === 'rate limited')).toBe(true);
        const counted = steps.filter(({ before, after }) => after.rateLimits > before.rateLimits);
        expect(counted.length).toBeGreaterThanOrEqual(busy.length);
        expect(counted.every((step) => step.event.kind === 'rate limited')).toBe(true);
      }),
      2_000,
    ),
  );

  it(
    'is not sent any more once a callback or a status has shown that the service knows it',
    { tags: ['I1'] },
    () =>
      check(
        fc.property(life, (steps) => {
          let isKnown = false;
          for (const { event, before, after } of steps) {
            if (isKnown && before.state !== 'submitting')
              expect(after.state).not.toBe('submitting');
            if (isKnown) expect(after.state).not.toBe('confirmed');
            if (isKnown && !isSettled(before.state))
              expect(['not sent', 'refused']).not.toContain(after.state);
            isKnown ||= event.kind === 'callback' || isSign(event);
          }
        }),
        2_000,
      ),
  );

  it('is looked at for a day however it ends, if a request may have left', () =>
    everyStep(({ before, after }) => {
      const left = before.state === 'submitting' || before.rateLimits > 0;
      if (left && isSettled(after.state)) expect(after.submittedAtMs).toBeDefined();
    }, 1_000));

  it('stays, word for word, what was confirmed', () =>
    everyStep(({ before, after }) => {
      for (const fixed of [
        'id',
        'version',
        'terms',
        'requester',
        'conversation',
        'confirmedAtMs',
      ] as const)
        expect(after[fixed]).toBe(before[fixed]);
      // Stored as JSON: nothing may get lost on the way.
      expect(JSON.parse(JSON.stringify(after))).toEqual(after);
    }, 1_500));

  it('has something due exactly while it is open, unless a person has it', { tags: ['I11'] }, () =>
    check(
      fc.property(life, (steps) => {
        let lateHint = false;
        for (const { event, before, after, nowMs } of steps) {
          if (isSettled(after.state)) {
            // Only a callback after the end asks once more.
            lateHint =
              isSettled(before.state) &&
              (event.kind === 'callback' || (lateHint && after.due !== undefined));
            if (!lateHint) expect(after.due).toBeUndefined();
            continue;
          }
          if (after.overdue !== 'given up') expect(after.due).toBeDefined();
          if (after.due === undefined) continue;
          const isBefore = after.state === 'confirmed' || after.state === 'submitting';
          expect(after.due.queue).toBe(isBefore ? 'submit' : 'check');
          // Never later than the longest delay of the schedule.
          if (!isBefore) expect(after.due.atMs - nowMs).toBeLessThanOrEqual(3_600_000);
        }
      }),
      2_000,
    ),
  );

  it(
    'hears a callback as a hint: it is counted, may bring a check forward, and changes nothing else',
    { tags: ['F23'] },
    () =>
      everyStep(({ event, before, after }) => {
        if (event.kind !== 'callback') return;
        if (before.state === 'confirmed') {
          expect(after).toMatchObject({ state: 'unknown', due: { queue: 'check' } });
          return;
        }
        const { due, hints, hintChecks, hintMessage: _, ...rest } = after;
        const {
          due: dueBefore,
          hints: hintsBefore,
          hintChecks: checksBefore,
          hintMessage: __,
          ...same
        } = before;
        expect(rest).toEqual(same);
        expect(hints).toBe(hintsBefore + 1);
        expect(hintChecks - checksBefore).toBeLessThanOrEqual(1);
        if (dueBefore !== undefined) expect(due?.atMs).toBeLessThanOrEqual(dueBefore.atMs);
      }, 1_500),
  );

  it(
    'comes out the same at the end whether its callbacks come, come twice or never do',
    { tags: ['I6'] },
    () =>
      check(
        fc.property(life, (steps) => {
          // Once it was sent callbacks change no state, so the states without them are the states with them.
          let state: PaymentState = 'confirmed';
          for (const { event, before, after } of steps) {
            if (event.kind === 'callback' && before.state !== 'confirmed')
              expect(after.state).toBe(state);
            expect(before.state).toBe(state);
            state = after.state;
          }
        }),
        1_000,
      ),
  );

  it('is completed or failed by the finding of a check alone, and a contradiction is flagged', () =>
    everyStep((step) => {
      const { event, before, after } = step;
      if (before.state !== after.state && (after.state === 'completed' || after.state === 'failed'))
        expect(nameOf(step)).toBe(`found ${after.state}`);
      if (event.kind !== 'checked' || before.flag === 'conflict') return;
      const { finding } = event;
      const { kind } = finding;
      const isBare = (word: string) => finding.kind === 'unproven' && finding.word === word;
      const contradicts =
        (before.state === 'completed' && (kind === 'failed' || isBare('failed'))) ||
        (before.state === 'failed' && (kind === 'completed' || isBare('completed'))) ||
        ((before.state === 'refused' || before.state === 'not sent') &&
          (kind === 'completed' || kind === 'pending' || isBare('completed'))) ||
        (kind === 'mismatch' && before.state !== 'submitting') ||
        (kind === 'unproven' && !isSettled(before.state) && before.state !== 'submitting');
      expect(after.flag === 'conflict').toBe(contradicts);
    }, 2_000));

  it(
    'calls for a person when it is overdue, and never ends by itself',
    { tags: ['F30', 'F78'] },
    () =>
      everyStep(({ event, before, after, nowMs }) => {
        const sentAtMs = after.submittedAtMs ?? after.confirmedAtMs;
        const isChecked = event.kind === 'checked' && ['pending', 'unknown'].includes(before.state);
        if (!isChecked || isSettled(after.state)) return;
        // By the schedule of these lives: twice what four checks take is more than half an hour, and of 39 three days.
        if (nowMs - sentAtMs >= 1_800_000 && after.checks >= 4) expect(after.flag).toBeDefined();
        if (after.checks < 39) expect(after.overdue).not.toBe('given up');
      }, 1_500),
  );
});

const textOf = ({ title, parts }: Card): string =>
  [
    title,
    ...parts.flatMap((part) => {
      switch (part.kind) {
        case 'facts':
          return part.facts.map(({ label, value }) => `${label}: ${value}`);
        case 'list':
          return part.items.map(itemText);
        case 'line':
          return [itemText(part.item)];
        default:
          return [part.text];
      }
    }),
  ].join('\n');

describe('what is told about a payment', () => {
  it('never says failed, not charged or try again while nobody knows', { tags: ['I5'] }, () =>
    everyStep(({ after }) => {
      if (after.state !== 'pending' && after.state !== 'unknown') return;
      for (const card of [paymentCard(after, 'Africa/Accra'), outcomeCard(after, 'Africa/Accra')]) {
        // A conflict quotes what the service says, which is the conflict.
        const said = after.flag === 'conflict' ? (after.reason ?? '') : '';
        expect(textOf(card).replaceAll(said, '')).not.toMatch(
          /fail|not charged|nothing was charged|try again|not sent|refused/i,
        );
        expect(card.tone).not.toBe('bad');
        expect(card.tone).not.toBe('good');
      }
      if (after.state === 'unknown')
        expect(textOf(paymentCard(after, 'Africa/Accra'))).toContain('Do not ask again');
    }, 2_500),
  );

  it('names its state in words, shows its amount, and never its full number', () =>
    everyStep(({ after }) => {
      const word =
        after.state === 'confirmed' || after.state === 'submitting' ? 'being sent' : after.state;
      const [card, outcome] = [
        paymentCard(after, 'Africa/Accra'),
        outcomeCard(after, 'Africa/Accra'),
      ];
      expect(card.title.startsWith(`GHS 50.00 ${word} · `)).toBe(true);
      expect(outcome.title.endsWith(word)).toBe(true);
      for (const each of [card, outcome]) {
        expect(each.title).toContain('GHS 50.00');
        expect(JSON.stringify(each)).not.toMatch(/244123456/);
      }
    }, 1_000));

  it('is owed once for every outcome and for every call for a person, and for nothing else', () =>
    check(
      fc.property(life, (steps) => {
        for (const step of steps) {
          const { before, after, nowMs, changed } = step;
          const owed = paymentNotices(before, after, nowMs);
          if (!changed) expect(owed).toEqual([]);
          const outcomes = owed.filter(({ about }) => about.kind === 'outcome');
          const isTold =
            isSettled(after.state) || after.state === 'unknown' || after.flag !== undefined;
          const isNews = outcomeWord(before) !== outcomeWord(after);
          expect(outcomes).toHaveLength(isTold && isNews ? 1 : 0);
          for (const notice of outcomes) {
            expect(notice.about).toMatchObject({ of: outcomeWord(after) });
            // Most unknown payments are known half a minute later.
            const isPatient = after.state === 'unknown' && after.flag === undefined;
            expect(notice.due?.atMs).toBe(nowMs + (isPatient ? 30_000 : 0));
          }
          expect(owed.filter(({ about }) => about.kind === 'card').length).toBeLessThanOrEqual(1);
        }
      }),
      2_000,
    ));

  it('is shown on the card whenever the card would look different', () =>
    everyStep(({ before, after, nowMs }) => {
      if (before.card === undefined || after.card === undefined) return;
      const [was, is] = [paymentCard(before, 'Africa/Accra'), paymentCard(after, 'Africa/Accra')];
      const owesCard = paymentNotices(before, after, nowMs).some(
        ({ about }) => about.kind === 'card',
      );
      if (
        was.title !== is.title ||
        was.tone !== is.tone ||
        JSON.stringify(was.buttons) !== JSON.stringify(is.buttons)
      )
        expect(owesCard).toBe(true);
      if (JSON.stringify(was.parts.slice(1)) !== JSON.stringify(is.parts.slice(1)))
        expect([after.state, owesCard]).toEqual([after.state, true]);
    }, 1_500));
});
