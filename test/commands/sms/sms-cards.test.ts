import { describe, expect, it } from 'vitest';
import { smsReportCard } from '../../../src/commands/sms/sms-cards.ts';
import type { SmsChunk } from '../../../src/core/records/sms-batch.ts';
import { ama } from '../../support/a-payment.ts';
import { cardText } from '../../support/card-text.ts';
import { openDesk } from '../../support/desk.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openStore } from '../../support/open-store.ts';

const preview = async (words: string): Promise<string> => {
  const clock = new ManualClock(Date.parse('2026-11-22T16:00:00Z'));
  const desk = openDesk(await openStore(), clock);
  return (await desk.type(ama, 'sms', words)).map(cardText).join();
};

describe('the preview of an SMS', () => {
  it.each([
    ['0244123456 Hello', 'Costs 1 SMS.'],
    [`0244123456 ${'a'.repeat(161)}`, 'Costs 2 SMS.'],
    ['0244123456,0201234567 Hello', 'Costs 2 SMS (1 for each person).'],
    [`0244123456,0201234567 ${'a'.repeat(161)}`, 'Costs 4 SMS (2 for each person).'],
  ])('says what it costs: %s', async (words, cost) => {
    expect(await preview(words)).toContain(cost);
  });

  it('names the characters that make it cost more, and only where they do', async () => {
    const long = 'a'.repeat(100);
    expect(await preview(`0244123456 ${long} 😀 ɛ`)).toContain('😀 and ɛ make this SMS cost more.');
    expect(await preview(`0244123456 ${long} ɛ`)).toContain('ɛ makes this SMS cost more.');
    expect(await preview('0244123456 Akwaaba ɛ 😀')).not.toContain('cost more');
    expect(await preview(`0244123456 ${long}`)).not.toContain('cost more');
  });
});

describe('the report on an SMS', () => {
  const chunk = (state: SmsChunk['state'], count: number): SmsChunk => ({
    uniqueId: `U${count}`,
    recipients: Array.from({ length: count }, (_, at) => `+23324412345${at}`),
    state,
    rateLimits: 0,
    ...(state === 'sent' ? { messageId: `M${count}`, status: '' } : {}),
  });
  const report = (...chunks: SmsChunk[]) =>
    smsReportCard(
      {
        id: 'B1',
        version: 1,
        terms: {
          senderId: 'SHOP',
          text: 'Hello',
          recipients: chunks.flatMap(({ recipients }) => recipients),
        },
        requester: ama,
        conversation: { platform: 'slack', channel: 'C0SALES' },
        confirmedAtMs: 0,
        chunks,
      },
      'one person',
    );

  it('claims acceptance and not delivery, in one line', () => {
    const card = report(chunk('sent', 2));
    expect(card.title).toBe('SMS "Hello": 2 of 2 sent');
    expect(card.parts).toEqual([{ kind: 'note', text: 'I cannot see if it arrived.' }]);
  });

  it('claims no acceptance where nothing was accepted', () => {
    expect(cardText(report(chunk('not sent', 1)))).not.toMatch(/accepted/i);
  });

  it('says how many it reached, or that this is not clear', () => {
    const refused = report(chunk('sent', 2), chunk('refused', 1));
    expect(refused.title).toBe('SMS "Hello": 2 of 3 sent');
    expect(cardText(refused)).toContain('Not sent to 1 person.');
    expect(refused.buttons).toMatchObject([{ label: 'Details', verb: 'recipients', id: 'B1' }]);
    const unclear = report(chunk('sent', 2), chunk('unknown', 1));
    expect(cardText(unclear)).toContain('Not clear for 1 person: it may have been sent.');
    expect(report(chunk('unknown', 1)).title).toBe('SMS "Hello": not clear');
  });

  it('says why in the words of people who sell, without codes and settings', () => {
    const answer = { code: '033', message: 'No credit' };
    const reason = 'The payment service refused: "No credit" (code 033).';
    expect(cardText(report({ ...chunk('refused', 1), answer, reason }))).toContain(
      'Not sent to 1 person. The payment service refused: "No credit".',
    );
    const keys = 'The payment service did not accept our keys. The owner has to check them.';
    const card = report({ ...chunk('refused', 1), answer: { code: '401' }, reason: keys });
    expect(cardText(card)).toContain('Not sent to 1 person. Payments are down now. Ask the owner.');
  });

  it('tells the progress while a part is left', () => {
    const card = report(chunk('sent', 2), chunk('sending', 1), chunk('waiting', 1));
    expect(card).toMatchObject({ title: 'SMS "Hello": 2 of 4 sent', tone: 'waiting' });
    expect(cardText(card)).not.toContain('Delivery');
  });
});
