import { fileWith } from '../support/secret-file.ts';
import type { Effort } from './effort.ts';

/** The tasks of a shop's day, in the order of `docs/tasks.md`, with what each should cost at most. */
export const TASKS = {
  charge: ['Charge a customer', '22 keystrokes, 1 tap'],
  correct: ['Correct a mistyped amount', '1 tap and the amount'],
  again: ['Charge the same customer again', '2 taps and the amount'],
  retry: ['Ask again after a failure', '2 taps'],
  noPrompt: ['The customer saw no prompt', ''],
  whoPaid: ['See who paid today', '1 tap, from Home'],
  balance: ['See the balances', ''],
  receipt: ['Send the receipt by SMS', '2 taps'],
  approve: ['Approve a charge', ''],
  find: ['Find an earlier payment by name', ''],
  firstDay: ['Give a new colleague access', ''],
} as const;

export type TaskName = keyof typeof TASKS;

/** One chat in which the tasks are done, by those of its people whose tasks they are. */
export type Day = {
  readonly chat: string;
  /** Absent: nobody does that in this chat. */
  readonly tasks: Partial<Record<TaskName, (effort: Effort) => Promise<void>>>;
  /** The messages that stand in the conversation for good, those in threads apart. */
  lasting(): Promise<{ readonly messages: number; readonly inThreads: number }>;
  /** Charges so many customers, one after the other, until each outcome is told. */
  charge(customers: number): Promise<void>;
};

/** Numbers whose payments complete in the sandbox. */
export const customerNumber = (at: number): string => `024${String(41000 + at)}56`;

/** The settings and the access file of the shop: Ama sells, Kojo runs it, Esi is new. */
export const shopOfTheDay = async () => ({
  env: {
    OPERATORS: '<#ops>',
    TEMPLATES_FILE: await fileWith(
      'receipt: { text: "Thank you {name}. {shop} received {amount}." }',
    ),
    SMS_SENDER_ID: 'SHOP',
  },
  access: `
roles:
  sales: { commands: [charge, lookup, status, sms, payments, balance], maxCharge: 500 GHS }
  owner: { commands: "*", approve: true, admin: true }
members: { sales: [<@ama>], owner: [<@kojo>] }
`,
});
