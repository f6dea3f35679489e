import { describe, expect, it } from 'vitest';
import { signedTitle } from '../../../src/commands/cards/card.ts';
import { outcomeCard, paymentCard } from '../../../src/commands/cards/payment-card.ts';
import { paymentFacts } from '../../../src/commands/cards/payment-facts.ts';
import { sandboxLabel } from '../../../src/commands/cards/sandbox-label.ts';
import { paymentNotices } from '../../../src/core/notices/owed-notices.ts';
import { OPEN_STATES, type Payment, SETTLED_STATES } from '../../../src/core/records/payment.ts';
import { showClock } from '../../../src/core/values/format-time.ts';
import { ama, aPayment } from '../../support/a-payment.ts';
import { cardText } from '../../support/card-text.ts';

const GLUED = '02441234560244123456';

describe('the customer’s number', () => {
  it.each<Partial<Payment>>([
    { state: 'failed', reason: `The payment service says: code ${GLUED}.` },
    { state: 'unknown', reason: `An answer nobody knows (code ${GLUED}).` },
    { state: 'refused', answer: { code: '100', message: `GHS 50.00${GLUED}` } },
    { state: 'completed', flag: 'conflict', reason: `The payment service now says ${GLUED}.` },
  ])('is not shown in full, whatever stands around it: %o', (changes) => {
    const payment = aPayment(changes);
    for (const card of [paymentCard(payment, 'Africa/Accra'), outcomeCard(payment, 'Africa/Accra')])
      expect(JSON.stringify(card)).not.toContain('244123456');
  });
});

const MINUTE_MS = 60_000;
const noonMs = Date.UTC(2026, 10, 22, 12, 0);

const wordsOf = (text: string): string[] =>
  text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));

describe('a payment card', () => {
  const cardFor = (changes: Partial<Payment>) => paymentCard(aPayment(changes), 'Africa/Accra');
  const linesOf = (changes: Partial<Payment>) => cardText(cardFor(changes)).split(' | ');
  const answered = (code: string, message: string) => ({ code, message });

  it('says amount, state and customer in one line, then network, number, reference, time and requester', () => {
    const terms = { ...aPayment().terms, reference: 'Invoice 17' };
    expect(linesOf({ state: 'completed', terms, confirmedAtMs: noonMs })).toEqual([
      'GHS 50.00 completed · Kofi M.',
      'MTN MoMo · 024 *** 3456 · Invoice 17 · 12:00 · ama',
    ]);
  });

  it('leaves out what there is not: a name that was not found, a reference that was not given', () => {
    const { customerName: _, ...terms } = aPayment().terms;
    expect(linesOf({ state: 'completed', terms, confirmedAtMs: noonMs })).toEqual([
      'GHS 50.00 completed · 024 *** 3456',
      'MTN MoMo · 12:00 · ama',
    ]);
  });

  it.each<[Partial<Payment>, sign: string, id: string]>([
    [{ state: 'submitting' }, '⏳', ''],
    [{ state: 'pending' }, '⏳', ''],
    [{ state: 'completed' }, '✅', ''],
    [{ state: 'failed' }, '❌', ' 01JD2M4X9QK7T3VB'],
    [{ state: 'refused' }, '❌', ' 01JD2M4X9QK7T3VB'],
    [{ state: 'not sent' }, '❌', ' 01JD2M4X9QK7T3VB'],
    [{ state: 'unknown' }, '❓', ' 01JD2M4X9QK7T3VB'],
    [{ state: 'unknown', flag: 'needs a person' }, '❓', ' 01JD2M4X9QK7T3VB'],
    [{ state: 'pending', flag: 'needs a person' }, '⚠️', ' 01JD2M4X9QK7T3VB'],
    [{ state: 'completed', flag: 'conflict' }, '⚠️', ' 01JD2M4X9QK7T3VB'],
  ])(
    'of %o has the sign %s, and the transaction id only where something is wrong',
    (changes, sign, id) => {
      const card = cardFor({ ...changes, confirmedAtMs: noonMs });
      expect(signedTitle(card)).toMatch(new RegExp(`^${sign} GHS 50\\.00 [a-z ]+ · Kofi M\\.$`));
      expect(linesOf({ ...changes, confirmedAtMs: noonMs })[1]).toBe(
        `MTN MoMo · 024 *** 3456 · 12:00 · ama${id}`,
      );
      const isLoud = sign === '❓' || sign === '⚠️';
      expect(card.parts[1]?.kind === 'warning').toBe(isLoud);
    },
  );

  it.each<[string, Partial<Payment>, string]>([
    [
      'an unknown end',
      { state: 'unknown', reason: 'No answer came within 30 seconds.' },
      'The customer may still be charged. Do not ask again.',
    ],
    [
      'a wait after a 429',
      { state: 'confirmed', rateLimits: 1 },
      'The payment service is busy and took nothing yet.',
    ],
    [
      'a payment that failed',
      { state: 'failed', reason: 'The customer did not have enough money.' },
      'The customer did not have enough money.',
    ],
    [
      'what was answered with 429 to the end',
      {
        state: 'not sent',
        rateLimits: 5,
        reason: 'The payment service was too busy and took nothing. Ask again in a few minutes.',
        answer: answered('429', 'Too many requests'),
      },
      'Nothing was charged. The payment service was too busy and took nothing.',
    ],
    [
      'a refusal',
      {
        state: 'refused',
        reason: 'The payment service refused: "Invalid network" (code 031).',
        answer: answered('031', 'Invalid network'),
      },
      'Nothing was charged. The payment service refused: "Invalid network".',
    ],
    [
      'half an hour without an end',
      { state: 'unknown', flag: 'needs a person', overdue: 'half an hour' },
      'Do not ask again: a person should check. No answer for 30 minutes.',
    ],
    [
      'a day without an end',
      { state: 'pending', flag: 'needs a person', overdue: 'a day' },
      'Do not ask again: a person should check. No answer for a day.',
    ],
    [
      'another try that was approved, and has no end',
      {
        state: 'unknown',
        flag: 'needs a person',
        approver: { ...ama, name: 'Yaw' },
        retryOf: '1KF071WNDHVK3R4Z',
      },
      'Do not ask again: a person should check.',
    ],
    [
      'a contradiction',
      { state: 'failed', flag: 'conflict', reason: 'The payment service now says completed.' },
      'A person should ask the payment service. Do not ask again. The payment service now says completed.',
    ],
  ])('of %s helps in one line', (_what, changes, words) => {
    expect(linesOf(changes)[2]).toBe(words);
  });

  it('says nothing that its state says already', () => {
    expect(linesOf({ state: 'completed' })).toHaveLength(2);
    expect(linesOf({ state: 'failed' })).toHaveLength(2);
  });

  it('never says after a 429 that the request did not reach the service', () => {
    for (const state of ['confirmed', 'not sent', 'unknown', 'refused'] as const)
      expect(linesOf({ state, rateLimits: 2, reason: 'Ama was stopped.' }).join()).not.toMatch(
        /never reached|not reach/,
      );
  });

  it('of a prompt names the time until which the customer can answer, and then where to find it', () => {
    const pending = { state: 'pending', submittedAtMs: noonMs + 2 * MINUTE_MS } as const;
    expect(linesOf({ ...pending, lastCheckAtMs: noonMs + 3 * MINUTE_MS })).toContain(
      'The customer has until 12:07. No prompt? *170#, My Wallet, My Approvals.',
    );
    const late = { ...pending, lastCheckAtMs: noonMs + 8 * MINUTE_MS };
    expect(linesOf(late)).toContain(
      'The prompt is probably over. Still possible: *170#, My Wallet, My Approvals.',
    );
    const terms = { ...aPayment().terms, network: 'VOD' } as const;
    expect(linesOf({ ...late, terms })).toContain('The prompt is probably over. I keep checking.');
  });

  it('is edited when a check finds that the time of the prompt is over', () => {
    const card = { conversation: aPayment().conversation, message: '1' };
    const before = aPayment({
      state: 'pending',
      submittedAtMs: noonMs,
      lastCheckAtMs: noonMs,
      card,
    });
    const after = { ...before, lastCheckAtMs: noonMs + 5 * MINUTE_MS + 1 };
    expect(paymentNotices(before, after, noonMs)).toMatchObject([{ about: { kind: 'card' } }]);
    const later = { ...after, lastCheckAtMs: noonMs + 6 * MINUTE_MS };
    expect(paymentNotices(after, later, noonMs)).toEqual([]);
  });

  it('has at most 30 words outside its buttons, the label of the sandbox included, and 20 of a plain one', () => {
    const states = [...OPEN_STATES, ...SETTLED_STATES];
    const long = { ...aPayment().terms, reference: 'Second half of the rent for the shop in Osu' };
    const ended = 'The payment service refused: "A long message of many words, each of them true".';
    const approver = { ...ama, name: 'Nana Efua Serwaa Boateng' };
    for (const state of states)
      for (const flag of [undefined, 'needs a person', 'conflict'] as const)
        for (const overdue of [undefined, 'half an hour', 'set aside', 'given up'] as const)
          for (const option of ['MOM', 'CRM'] as const)
            for (const more of [{}, { approver, requester: { ...approver, id: 'U1' } }]) {
              const given = { state, reason: ended, rateLimits: 1, ...more };
              const terms = { ...long, option };
              const card = cardFor({
                ...given,
                terms,
                ...(flag && { flag }),
                ...(overdue && { overdue }),
              });
              expect(wordsOf(cardText(sandboxLabel.card(card))).length).toBeLessThanOrEqual(30);
            }
    expect(wordsOf(linesOf({ state: 'completed' }).join(' ')).length).toBeLessThanOrEqual(20);
  });

  it('has the buttons of its state', () => {
    const labels = (changes: Partial<Payment>) =>
      cardFor(changes).buttons?.map(({ label }) => label);
    expect(labels({ state: 'confirmed' })).toEqual(['Details']);
    expect(labels({ state: 'pending' })).toEqual(['Check now', 'Details']);
    expect(labels({ state: 'unknown' })).toEqual(['Check now', 'Details']);
    expect(labels({ state: 'failed', flag: 'conflict' })).toEqual(['Check now', 'Details']);
  });
});

describe('the Details of a payment', () => {
  it.each([
    ['completed', 'Paid at'],
    ['failed', 'Failed at'],
    ['refused', 'Refused at'],
    ['not sent', 'Ended at'],
  ] as const)('of a %s one name when that was: %s', (state, label) => {
    const facts = paymentFacts(aPayment({ state, settledAtMs: noonMs }), 'others too', (ms) =>
      showClock(ms, 'UTC'),
    );
    expect(facts.find((fact) => fact.label === label)?.value).toBe('12:00');
  });
});

describe('the outcome of a payment', () => {
  const textOf = (changes: Partial<Payment>) =>
    cardText(outcomeCard(aPayment(changes), 'Africa/Accra'));

  it('says no more that it is checked once that is over', () => {
    const given = { state: 'unknown', flag: 'needs a person', overdue: 'given up' } as const;
    expect(textOf(given)).toContain('Not clear yet: the customer may still be charged.');
    expect(textOf(given)).not.toContain('I keep checking');
    expect(textOf({ state: 'unknown' })).toContain('Do not ask again. I keep checking.');
  });

  it('has no code: that is in the Details', () => {
    const reason = 'The payment service gave no clear answer (HTTP 500) (code 064).';
    expect(textOf({ state: 'unknown', reason })).toContain(
      'I keep checking. The payment service gave no clear answer.',
    );
    expect(textOf({ state: 'unknown', reason })).not.toMatch(/500|064/);
  });

  it('is one line, and says why where it failed', () => {
    expect(textOf({ state: 'completed' })).toBe('GHS 50.00 from Kofi M.: completed');
    expect(textOf({ state: 'failed', reason: 'The customer declined.' })).toBe(
      'GHS 50.00 from Kofi M.: failed | The customer declined.',
    );
  });

  it('has its time where it is told minutes later, with the day when that is another one', () => {
    const settledAtMs = Date.parse('2026-11-22T23:51:00Z');
    const told = (at: string) =>
      outcomeCard(aPayment({ state: 'completed', settledAtMs }), 'UTC', {
        toldAtMs: Date.parse(at),
      }).title;
    expect(told('2026-11-22T23:55:59Z')).toBe('GHS 50.00 from Kofi M.: completed');
    expect(told('2026-11-22T23:56:00Z')).toBe('GHS 50.00 from Kofi M.: completed · 23:51');
    expect(told('2026-11-23T00:02:00Z')).toBe(
      'GHS 50.00 from Kofi M.: completed · Sun 22 Nov 23:51',
    );
  });
});
