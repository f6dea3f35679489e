import type { Ending } from './studio.ts';

export type Sale = readonly [words: string, ending: Ending];

const NO_MONEY: Ending = { status: 'failed', word: 'NOT_ENOUGH_FUNDS' };
export const CUT_OFF: Ending = {
  payment: { kind: 'unknown', answer: {}, reason: 'The connection was cut.' },
};
export const SALES: readonly Sale[] = [
  ['0244123456 50 Invoice 17', { status: 'completed' }],
  ['0244123451 120.50', { status: 'completed' }],
  ['0244123452 75', NO_MONEY],
];
/** One in each state that a shop sees in a day. */
export const MIXED: readonly Sale[] = [
  ...SALES,
  ['0244123453 30', CUT_OFF],
  ['0244123454 140', { status: 'pending' }],
];

/** What can become of a payment that is not paid, and what its card then says. */
export const ENDINGS: readonly (readonly [state: string, ending: Ending, alt: string])[] = [
  [
    'failed',
    { status: 'failed', word: 'NOT_ENOUGH_FUNDS' },
    'The payment failed, because the wallet has too little money; Ask again makes a new question.',
  ],
  [
    'unknown',
    CUT_OFF,
    'The request got no answer; the card warns not to ask again and offers Check now.',
  ],
  [
    'not sent',
    {
      payment: {
        kind: 'notSent',
        reason: 'The payment service could not be reached.',
      },
    },
    'The request was not sent, so nothing was charged.',
  ],
  [
    'refused',
    {
      payment: {
        kind: 'refused',
        answer: { code: '100' },
        reason: 'The payment service refused: code 100.',
      },
    },
    'The payment service refused the request, so nothing was charged.',
  ],
];
