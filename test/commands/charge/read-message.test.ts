import { describe, expect, it } from 'vitest';
import { readMessage } from '../../../src/commands/charge/read-message.ts';
import { formatMoney } from '../../../src/core/values/money.ts';

const read = (text: string) => {
  const { numbers, amount, isAmountCertain } = readMessage(text, {
    currency: 'GHS',
    country: 'GH',
  });
  const shown = [
    ...numbers.map(({ e164 }) => e164.replace('+233', '0')),
    ...(amount === undefined ? [] : [formatMoney(amount)]),
  ];
  return `${shown.join(' ')}${amount === undefined || isAmountCertain ? '' : '?'}`;
};

describe('a message', () => {
  it.each([
    ['0244123456 50', '0244123456 GHS 50.00'],
    ['50 0244123456', '0244123456 GHS 50.00'],
    ['Kofi (024 412 3456), GHS 1,200.50 please.', '0244123456 GHS 1,200.50'],
    ['Hi!\nplease charge 0244123456:\n20 cedis for rice', '0244123456 GHS 20.00'],
    ['+233 24 412 3456 owes GHS50.', '0244123456 GHS 50.00'],
    ['GHS 50 from 0244123456, yes, 50 GHS from 0244123456', '0244123456 GHS 50.00'],
  ])('%j is read as %s', (text, wanted) => {
    expect(read(text)).toBe(wanted);
  });

  it.each([
    ['Kofi 0244123456 owes 50', '0244123456 GHS 50.00?'],
    ['0244123456 Invoice 17', '0244123456'],
    ['0244123456 2 bags 50', '0244123456'],
    ['0244123456 GHS 50 or GHS 60', '0244123456'],
    ['0244123456 try 50 times', '0244123456 GHS 50.00?'],
    ['0244123456 or 0501234567, GHS 50', '0244123456 0501234567 GHS 50.00'],
    ['024412345 GHS 50', 'GHS 50.00'],
    ['call +44 20 7946 0958', ''],
    ['nothing here', ''],
    ['', ''],
  ])('%j leaves open what it does not say: %s', (text, wanted) => {
    expect(read(text)).toBe(wanted);
  });
});
