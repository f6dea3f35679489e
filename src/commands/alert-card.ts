import type { Alert } from '../core/alerts.ts';
import { assertNever } from '../core/errors.ts';
import { formatMoney } from '../core/money.ts';
import type { Payment } from '../core/payments/payment.ts';
import { plainCard } from './answer-cards.ts';
import type { Card } from './card.ts';
import { flagParts, paymentFacts, stateWord } from './payment-card.ts';

/** What operators are told of a payment that a person has to look into. */
export const paymentAlertCard = (payment: Payment, timeZone: string): Card => ({
  title: `${payment.flag === 'conflict' ? 'In conflict' : 'Needs a person'}: ${formatMoney(payment.terms.amount)} · ${stateWord(payment.state)}`,
  tone: 'warning',
  parts: [{ kind: 'facts', facts: paymentFacts(payment, timeZone) }, ...flagParts(payment)],
});

/** What operators are told of anything else. */
export const systemAlertCard = (alert: Exclude<Alert, { kind: 'payment' }>): Card => ({
  tone: 'warning',
  ...wordsFor(alert),
});

const wordsFor = (alert: Exclude<Alert, { kind: 'payment' }>): Card => {
  switch (alert.kind) {
    case 'keys refused':
      return plainCard(
        'The payment service refuses our keys',
        'New charges are not sent until it accepts them again; one is tried every minute. Check PAYMENTS_CLIENT_KEY, PAYMENTS_SECRET_KEY and PAYMENTS_SERVICE_ID, and ask the service. Payments under way are still asked about.',
      );
    case 'seal broken':
      return plainCard(
        alert.of === 'question'
          ? `The stored question of ${alert.paymentId} is not what was shown`
          : `What is stored of ${alert.paymentId} is not what was confirmed`,
        'It was not sent. If PAYMENTS_SECRET_KEY or the version of Paythread was changed a moment ago, that is why, and nothing is wrong. Otherwise somebody wrote into the store: stop Paythread, run npm run audit -- verify, and change the passwords of whatever can write there.',
      );
    case 'set aside':
      return plainCard(
        'Paythread ended three times over one piece of work',
        `It is set aside for an hour, and everything else goes on: ${alert.work} ${alert.id}. Keep the log of that time and report it; ask about the payment with /status.`,
      );
    case 'restored':
      return plainCard(
        'Charges wait: the data was restored from a backup',
        'What was charged after the backup is not known here. Run npm run reconcile, which asks the service about everything; then charges go on.',
      );
    case 'stray callback':
      return plainCard(
        `A callback came for ${alert.paymentId}, which is not stored here`,
        'It may have been paid. That happens after going back to a backup. Run npm run reconcile, and look for its card in the chats.',
      );
    case 'access file':
      return {
        title: 'The access file is not right',
        parts: [
          {
            kind: 'text',
            text: `${alert.file} was changed and cannot be taken like this. The rules of before stay in force; whoever was taken out of it with this change may go on until it is mended.`,
          },
          { kind: 'list', items: shortened(alert.problems) },
          { kind: 'note', text: 'npm run access -- check tells whether it is right.' },
        ],
      };
    case 'access file mended':
      return {
        ...plainCard(
          'The access file is right again',
          `What ${alert.file} says now is in force. Nothing is left to do.`,
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
            text: 'Payments go on and are settled. What people there have to be told waits, and is sent when it works again. npm run doctor looks at tokens and scopes.',
          },
        ],
      };
    case 'chat back':
      return {
        ...plainCard(
          `${shownPlatform(alert.platform)} works again`,
          'What waited is sent now. Nothing is left to do.',
        ),
        tone: 'good',
      };
    case 'conversation lost':
      return plainCard(
        `A conversation in ${alert.conversation.platform} cannot be reached`,
        `${alert.conversation.channel}: ${alert.reason}. What was owed to it goes to the person who asked. Invite the bot again, or unarchive the conversation.`,
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
