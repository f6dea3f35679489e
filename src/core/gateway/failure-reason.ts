import type { ServiceAnswer } from '../payments/payment.ts';
import { ownWords } from './sentences.ts';
import { isSuccess } from './verdict.ts';

/**
 * Words by which networks name the cause of a failure, most telling first: "rejected: insufficient
 * funds" is about the funds. Spaces stand for any mark between words. Numbers are left out: they
 * mean something else at every service.
 */
const CAUSES: readonly (readonly [words: RegExp, sentence: string])[] = [
  [
    /not enough (funds|money|balance|credit)|insufficient|(balance|funds) (is |are )?(too )?low|low balance|not have enough/,
    "The customer's wallet does not have enough money. Ask them to top up, then start a new request.",
  ],
  [
    /limit (was |is |has been )?(reached|exceeded)|(reached|exceeds?|exceeded|over|above) .{0,20}limit/,
    "The customer's wallet limit is reached.",
  ],
  [
    /(payer|payee|wallet|account|subscriber|customer|number|msisdn) (was |is )?not (found|registered)|no (such )?(wallet|account)|not (a )?registered/,
    'There is no wallet for this number on this network. Check the network, because the number may have been ported.',
  ],
  [
    /not active|inactive|blocked|barred|suspended|dormant|switched off|phone off|unreachable/,
    "The customer's wallet is blocked or the phone is off. Ask them to call their network or to switch the phone on.",
  ],
  [
    /reject|declin|cancel|refus|(wrong|invalid|incorrect) pin/,
    'The customer declined or typed a wrong PIN.',
  ],
  [
    /could not perform transaction|expired?\b|time ?(d )?out|not approved|no pin|did not (approve|respond|confirm)/,
    'The customer did not approve in time.',
  ],
];

/** The sentence for staff about a payment that the service reported as failed. */
export const failureReason = (answer: ServiceAnswer, word: string): string => {
  const said = [answer.code, answer.message, word].filter((text) => text !== undefined).join(' ; ');
  const plain = said.toLowerCase().replace(/[\s_-]+/g, ' ');
  const cause = CAUSES.find(([words]) => words.test(plain));
  return cause?.[1] ?? unexplained(answer);
};

/** Code 000 belongs to the question "what became of it?" and would look like a success here. */
const unexplained = ({ code, message }: ServiceAnswer): string => {
  const own: ServiceAnswer = {
    ...(message !== undefined && { message }),
    ...(code !== undefined && !isSuccess(code) && { code }),
  };
  const words = Object.keys(own).length === 0 ? '' : `: ${ownWords(own)}`;
  return `The service reported the payment as failed${words}.`;
};
