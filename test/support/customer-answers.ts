import type { PromptAnswer } from '../../src/sandbox/payment-ledger.ts';
import { eventually } from './eventually.ts';
import type { RunningApp } from './run-app.ts';

/** The customer of this number answers on the phone, as soon as they are asked. */
export const customerAnswers = (
  { app, payments }: Pick<RunningApp, 'app' | 'payments'>,
  number: string,
  answer: PromptAnswer,
): Promise<void> =>
  eventually(async () => {
    const asked = payments().filter(({ customerNumber }) =>
      customerNumber.endsWith(number.slice(1)),
    );
    const answered = asked.map(({ transactionId }) =>
      app.sandbox?.answerPrompt(transactionId, answer),
    );
    if (!(await Promise.all(answered)).includes(true)) throw new Error(`${number} was not asked`);
  });
