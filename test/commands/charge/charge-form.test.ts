import { describe, expect, it } from 'vitest';
import { answersFrom, chargeForm, partsFrom } from '../../../src/commands/charge/charge-form.ts';
import { completeCharge, parseCharge } from '../../../src/commands/charge/parse-charge.ts';
import { checkAnswers, choicesOf, hintOf } from '../../../src/commands/forms/form.ts';

const GHANA = { currency: 'GHS', country: 'GH' };
const form = chargeForm(GHANA);
const answersTo = (words: string) => {
  const read = parseCharge(words, GHANA);
  if (!read.ok) throw new Error(read.problem.message);
  return answersFrom(read.value);
};
const requestTo = (words: string, more: Record<string, string> = {}) => {
  const read = partsFrom({ ...answersTo(words), ...more }, GHANA);
  if (!read.ok) throw new Error(read.problem.message);
  return completeCharge(read.value);
};
const pay = form.fields.find(({ name }) => name === 'pay');
if (pay === undefined) throw new Error('no question about how the customer pays');

describe('the form of /charge', () => {
  it.each([
    [
      'keeps a network that was typed for a checkout while it asks for the amount',
      {},
      'VOD',
      'CRM',
    ],
    ['keeps that network when mobile money is picked after all', { pay: 'auto' }, 'VOD', 'MOM'],
    ['takes the wallet that was picked before the network typed', { pay: 'MTN' }, 'MTN', 'MOM'],
  ])('%s', (_title, picked, network, option) => {
    const request = requestTo('0264123456 telecel checkout', { amount: '50', ...picked });
    expect(request).toMatchObject({ network, option });
  });

  it('needs no answer to Paid by: that is mobile money of the number', () => {
    expect(requestTo('0244123456 50')).toMatchObject({ network: 'MTN', option: 'MOM' });
    expect(checkAnswers(form, { number: '0244123456', amount: '50' })).toEqual({});
    expect(pay.preset).toBe('auto');
  });

  it('asks for the network of a number that shows none, and says why', () => {
    const unknown = { number: '0511234567', amount: '50' };
    expect(pay.when?.(unknown)).toBe(true);
    expect(hintOf(pay, unknown)).toBe('This number does not show its network. Please pick it.');
    expect(choicesOf(pay, unknown).map(({ label }) => label)).toEqual([
      'MTN MoMo',
      'Telecel Cash',
      'AT Money',
      'Bank card',
      'Checkout link',
    ]);
    expect(checkAnswers(form, { ...unknown, pay: 'auto' })).toEqual({
      pay: 'This number does not show its network. Please pick it.',
    });
    expect(checkAnswers(form, { ...unknown, pay: 'VOD' })).toEqual({});
    expect(checkAnswers(form, { ...unknown, pay: 'checkout' })).toEqual({});
  });

  it('says whose number it is when that operator has no wallet', () => {
    expect(hintOf(pay, { number: '0231234567' })).toBe(
      'Glo has no wallet here. If the customer moved to another network, pick that one.',
    );
  });

  it('does not ask for the network while the number itself is wrong', () => {
    expect(checkAnswers(form, { number: '0244', amount: '50', pay: 'auto' })).toEqual({
      number: '"0244" is too short for a phone number. It looks like 0244123456.',
    });
  });
});
