import { describe, expect, it } from 'vitest';
import { type Card, itemText } from '../../../src/commands/cards/card.ts';
import { outcomeCard, paymentAlertCard } from '../../../src/commands/cards/payment-card.ts';
import { systemAlertCard } from '../../../src/commands/render-notice.ts';
import { aPayment } from '../../support/a-payment.ts';

/** What a person reads, top to bottom. */
const read = ({ title, parts }: Card): string =>
  [
    title,
    ...(parts ?? []).map((part) =>
      part.kind === 'facts'
        ? part.facts.map(({ label, value }) => `${label}: ${value}`).join('\n')
        : 'text' in part
          ? part.text
          : '',
    ),
  ].join('\n');

describe('an alert', () => {
  it('about a payment says what it is, where it stands and what to do, without the full number', () => {
    const payment = aPayment({ state: 'unknown', flag: 'needs a person', overdue: 'half an hour' });
    const text = read(paymentAlertCard(payment, 'Africa/Accra'));
    expect(text).toContain('Needs a person: GHS 50.00 unknown');
    expect(text).toContain('No answer for 30 minutes. A person should ask the payment service.');
    expect(text).toContain(payment.id);
    expect(text).not.toContain('244123456');
    expect(text).not.toMatch(/failed|not charged/i);
  });

  it('about a conflict gives the reason', () => {
    const payment = aPayment({
      state: 'refused',
      flag: 'conflict',
      reason: 'The payment service now says completed.',
    });
    expect(read(paymentAlertCard(payment, 'Africa/Accra'))).toContain(
      'The payment service now says completed. A person should ask the payment service.',
    );
    // What is contradicted is not claimed again.
    expect(read(outcomeCard(payment, 'Africa/Accra'))).not.toContain('Nothing was charged');
  });

  it.each([
    [{ kind: 'keys refused', operation: 'make_payment' }, 'PAYMENTS_CLIENT_KEY'],
    [{ kind: 'seal broken', paymentId: '01JD2M4X9QK7T3VB' }, 'npm run audit -- verify'],
    [{ kind: 'restored' }, 'npm run reconcile'],
    [
      { kind: 'access file', file: '/etc/paythread/access.yml', problems: ['line 3: too much'] },
      '/etc/paythread/access.yml',
    ],
    [{ kind: 'access file mended', file: 'access.yml' }, 'in force'],
    [{ kind: 'chat away', platform: 'slack', reason: 'token_revoked' }, 'Reason: token_revoked'],
    [{ kind: 'chat back', platform: 'telegram' }, 'Telegram works again'],
    [{ kind: 'stray callback', paymentId: '01JD2M4X9QK7T3VB' }, '01JD2M4X9QK7T3VB'],
    [{ kind: 'set aside', work: 'notice', id: 'X.outcome' }, 'notice X.outcome'],
    [
      {
        kind: 'conversation lost',
        conversation: { platform: 'slack', channel: 'C0SALES' },
        reason: 'is_archived',
      },
      'C0SALES: is_archived',
    ],
    [
      {
        kind: 'conversation lost',
        conversation: { platform: 'slack', channel: 'C0SALES' },
        reason: 'is_archived',
        isDigest: true,
      },
      "The day's summary (DIGEST) was not posted there.",
    ],
    [
      {
        kind: 'conversation lost',
        conversation: { platform: 'slack', channel: 'C0SALES' },
        reason: 'is_archived',
        isToday: true,
      },
      'press Keep here in /today',
    ],
  ] as const)('of kind %o says what to do', (alert, words) => {
    expect(read(systemAlertCard(alert))).toContain(words);
  });

  it('about the access file names the lines, as many as one can read', () => {
    const problems = Array.from({ length: 12 }, (_, at) => `line ${at + 1}: ${'x'.repeat(500)}`);
    const { parts, tone } = systemAlertCard({ kind: 'access file', file: 'access.yml', problems });
    const list = parts.find((part) => part.kind === 'list');
    expect(list?.items).toHaveLength(9);
    expect(list?.items[7]).toMatch(/^line 8: x+$/);
    expect(list?.items[8]).toBe('and 4 more');
    expect(list?.items.every((line) => itemText(line).length <= 200)).toBe(true);
    expect(tone).toBe('warning');
    expect(systemAlertCard({ kind: 'access file mended', file: 'access.yml' }).tone).toBe('good');
  });
});
