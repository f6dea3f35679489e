import type { Alert } from '../../core/records/notice.ts';
import type { Payment } from '../../core/records/payment.ts';
import { assertNever } from '../../core/runtime/errors.ts';
import { formatMoney } from '../../core/values/money.ts';
import type { Card } from './card.ts';
import { paymentFacts, stateWord } from './payment-card.ts';
import { flagParts } from './payment-words.ts';
import { plainCard } from './reply-cards.ts';

/** The alert to operators about a payment that a person has to look into. */
export const paymentAlertCard = (payment: Payment, timeZone: string): Card => ({
  title: `${payment.flag === 'conflict' ? 'In conflict' : 'Needs a person'}: ${formatMoney(payment.terms.amount)} · ${stateWord(payment.state)}`,
  tone: 'warning',
  parts: [
    { kind: 'facts', facts: paymentFacts(payment, timeZone, 'others too') },
    ...flagParts(payment),
  ],
});

/** The alert to operators about anything else. */
export const systemAlertCard = (alert: Exclude<Alert, { kind: 'payment' }>): Card => ({
  tone: 'warning',
  ...wordsFor(alert),
});

const wordsFor = (alert: Exclude<Alert, { kind: 'payment' }>): Card => {
  switch (alert.kind) {
    case 'keys refused':
      return plainCard(
        'The payment service refuses our keys',
        'New charges wait. I try one charge a minute. Check PAYMENTS_CLIENT_KEY, PAYMENTS_SECRET_KEY and PAYMENTS_SERVICE_ID, and ask the payment service. I keep checking the payments under way.',
      );
    case 'seal broken':
      return plainCard(
        `Not sent: ${alert.of === 'question' ? `the question of ${alert.paymentId} was changed after it was shown` : `${alert.paymentId} was changed after it was confirmed`}`,
        'Did PAYMENTS_SECRET_KEY or the version of Paythread change just now? Then nothing is wrong. Otherwise the stored data was changed from outside. Stop Paythread and run npm run audit -- verify. Change the passwords of the database.',
      );
    case 'set aside':
      return plainCard(
        'Paythread stopped three times at the same task',
        `I leave this task for an hour: ${alert.work} ${alert.id}. Everything else goes on. Check the payment with /status. Keep the log and report it.`,
      );
    case 'restored':
      return plainCard(
        'Charges wait: the data was restored from a backup',
        'Charges made after the backup are missing here. Run npm run reconcile. It asks the payment service about them. Then charges go on.',
      );
    case 'stray callback':
      return plainCard(
        `The payment service reports ${alert.paymentId}, which is missing here`,
        'The customer may have paid. This happens after a restore from a backup. Run npm run reconcile, and look for its card in the chats.',
      );
    case 'access file':
      return {
        title: 'The access file has a mistake',
        parts: [
          {
            kind: 'text',
            text: `The old rules stay in force until ${alert.file} is corrected. People you just removed can still work.`,
          },
          { kind: 'list', items: shortened(alert.problems) },
          { kind: 'note', text: 'To check the file, run npm run access -- check.' },
        ],
      };
    case 'access file mended':
      return {
        ...plainCard(
          'The access file is correct again',
          `The rules in ${alert.file} are in force now.`,
        ),
        tone: 'good',
      };
    case 'chat away':
      return {
        title: `Cut off from ${shownPlatform(alert.platform)}`,
        parts: [
          { kind: 'facts', facts: [{ label: 'Reason', value: alert.reason }] },
          {
            kind: 'text',
            text: 'Payments go on. Messages for people there wait until it works again. To check tokens and scopes, run npm run doctor.',
          },
        ],
      };
    case 'chat back':
      return {
        ...plainCard(
          `${shownPlatform(alert.platform)} works again`,
          'The messages that waited are sent now.',
        ),
        tone: 'good',
      };
    case 'conversation lost':
      return plainCard(
        `I cannot reach a conversation in ${shownPlatform(alert.conversation.platform)}`,
        `Its messages go to the person who asked. Invite me again, or unarchive it. ${alert.conversation.channel}: ${alert.reason}.`,
      );
    default:
      return assertNever(alert);
  }
};

const MOST_PROBLEMS = 8;
const LONGEST_PROBLEM = 200;

const shortened = (problems: readonly string[]): string[] => [
  ...problems.slice(0, MOST_PROBLEMS).map((line) => line.slice(0, LONGEST_PROBLEM)),
  ...(problems.length > MOST_PROBLEMS ? [`and ${problems.length - MOST_PROBLEMS} more`] : []),
];

const shownPlatform = (platform: string): string =>
  platform.charAt(0).toUpperCase() + platform.slice(1);
