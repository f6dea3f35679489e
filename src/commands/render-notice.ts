import type { MessageContent } from '../core/notices/message-content.ts';
import type { Alert } from '../core/records/notice.ts';
import type { Payment } from '../core/records/payment.ts';
import type { Clock } from '../core/runtime/clock.ts';
import { assertNever } from '../core/runtime/errors.ts';
import type { Conversation, MessageRef } from '../core/values/conversation.ts';
import { accessEndCard, accessNewsCard, accessRequestCard } from './access/access-request-cards.ts';
import { runAlertCard, runCard, runEndCard } from './bulk/run-card.ts';
import { type Card, cardOf, idFact, part, plainCard, sentenceCase } from './cards/card.ts';
import { mirrorCard, outcomeCard, paymentAlertCard, paymentCard } from './cards/payment-card.ts';
import { audienceOf } from './cards/visibility.ts';
import { approvalEndCard, questionEndCard } from './charge/approval-cards.ts';
import type { CommandSettings, Services } from './command.ts';
import { digestCard } from './digest/digest-card.ts';
import { periodPictureCard } from './digest/period-card.ts';
import { ofMerchant } from './merchants.ts';
import { smsReportCard } from './sms/sms-cards.ts';
import type { SmsSettings } from './sms/text-buttons.ts';
import { todayCard } from './today/today-card.ts';

type Rendering = SmsSettings &
  Pick<CommandSettings, 'timeZone' | 'currency'> &
  Pick<Services, 'mark' | 'platforms' | 'approvalQuestion' | 'givableRoles'> & {
    readonly clock: Pick<Clock, 'now'>;
    readonly approvalReminder: Services['approvalQuestion'];
    readonly linkTo: (message: MessageRef) => Promise<string | undefined>;
    readonly linkToPayment: (id: string) => Promise<string | undefined>;
    readonly paymentOf: (id: string) => Promise<Payment | undefined>;
  };

type Asked = Pick<Payment, 'requester' | 'conversation' | 'maskedFrom'>;

/** The card that says `content` in the conversation `shownIn`, which decides how much of the customer it shows. */
export const renderNotice = async (
  content: MessageContent,
  shownIn: Conversation,
  rendering: Rendering,
): Promise<Card> => {
  const { timeZone, platforms, clock } = rendering;
  // The customer of a colleague stays masked where the requester is alone as well.
  const audienceFor = ({ requester: person, conversation: typedIn, maskedFrom }: Asked) =>
    maskedFrom === undefined ? audienceOf(shownIn, { person, typedIn }, platforms) : 'others too';
  const linkTo = async ({ card }: Pick<Payment, 'card'>) => card && rendering.linkTo(card);
  switch (content.kind) {
    case 'card':
      return paymentCard(content.payment, timeZone, audienceFor(content.payment), {
        sms: rendering,
      });
    case 'outcome': {
      const { payment, toldBefore } = content;
      const told = { audience: audienceFor(payment), toldBefore, toldAtMs: clock.now() };
      return outcomeCard(payment, timeZone, told);
    }
    case 'mirror':
      return mirrorCard(content.payment, timeZone, await linkTo(content.payment));
    case 'sms':
      return smsReportCard(content.batch, audienceFor(content.batch));
    case 'run':
      return runCard(content.run, { settings: rendering, clock });
    case 'run end':
      return runEndCard(content.run, { settings: rendering, clock });
    case 'run alert':
      return runAlertCard(content, await linkTo(content.run));
    case 'approval question':
      return rendering.approvalQuestion(content.draft);
    case 'approval reminder':
      return rendering.approvalReminder(content.draft);
    case 'approval end':
      return approvalEndCard(content.draft, timeZone);
    case 'question end':
      return questionEndCard(content.draft, rendering, shownIn);
    case 'approval news':
      return {
        ...questionEndCard(content.draft, rendering, shownIn, 'news'),
        mention: content.draft.requester,
      };
    case 'access request':
      return accessRequestCard(content.request, rendering.givableRoles());
    case 'access request end':
      return accessEndCard(content.request, timeZone);
    case 'access news':
      return accessNewsCard(content.request);
    case 'payment alert':
      return paymentAlertCard(content.payment, timeZone);
    case 'digest':
      return digestCard(content.digest, { ...rendering, linkTo: rendering.linkToPayment });
    case 'today':
      return todayCard(content.kept.shown, rendering, content.kept);
    case 'digest picture':
      return periodPictureCard(content.digest, content.period, rendering);
    case 'alert':
      return systemAlertCard(content.alert);
    default:
      return assertNever(content);
  }
};

type SystemAlert = Exclude<Alert, { kind: 'payment' }>;

export const systemAlertCard = (alert: SystemAlert): Card => {
  const card = CARDS[alert.kind] as (alert: SystemAlert) => Card;
  return { tone: 'warning', ...card(alert) };
};

const CARDS: {
  readonly [Kind in SystemAlert['kind']]: (alert: Extract<SystemAlert, { kind: Kind }>) => Card;
} = {
  'keys refused': ({ merchant }) =>
    plainCard(
      `The payment service refuses ${merchant === undefined ? 'our keys' : `the keys of ${merchant}`}`,
      `New charges wait. I try one charge a minute. Check ${merchant === undefined ? 'PAYMENTS_CLIENT_KEY, PAYMENTS_SECRET_KEY and PAYMENTS_SERVICE_ID' : 'its entry in MERCHANTS_FILE'}, and ask the payment service. I keep checking the payments under way.`,
    ),
  'seal broken': ({ of = 'payment', paymentId }) =>
    cardOf(`Not sent: ${of === 'SMS' ? 'an' : 'a'} ${of} was changed`, [
      part.text(
        'Did PAYMENTS_SECRET_KEY or the version of Paythread change just now? Then nothing is wrong. Otherwise the stored data was changed from outside. Stop Paythread and run npm run audit -- verify. Change the passwords of the database.',
      ),
      part.facts(idFact('Id', paymentId)),
    ]),
  'set aside': ({ work, id }) =>
    plainCard(
      'I stopped three times at one task',
      `I leave this task for an hour: ${work} ${id}. Everything else works. Check the payment with /status. Keep the log and report it.`,
    ),
  restored: () =>
    plainCard(
      'Charges wait: restored from a backup',
      'Charges made after the backup are missing here. Run npm run reconcile. It asks the payment service about them. Then charges work again. People you stopped after the backup can work again. Type /suspend to see who is still stopped. Stop the others again.',
    ),
  'stray callback': ({ paymentId }) =>
    cardOf('A payment is missing here', [
      part.text(
        'The payment service reports it. The customer may have paid. This happens after a restore from a backup. Run npm run reconcile, and look for its card in the chats.',
      ),
      part.facts(idFact('Transaction', paymentId)),
    ]),
  'access file': ({ file, problems }) =>
    cardOf('The access file has a mistake', [
      part.text(
        `The old rules stay in force until ${file} is corrected. People you just removed can still work.`,
      ),
      part.list(shortened(problems)),
      part.note('To check the file, run npm run access -- check.'),
    ]),
  'access file mended': ({ file }) =>
    plainCard('The access file is correct again', `The rules in ${file} are in force now.`, 'good'),
  'chat away': ({ platform, reason }) =>
    cardOf(`Cut off from ${sentenceCase(platform)}`, [
      part.facts({ label: 'Reason', value: reason }),
      part.text(
        'Payments work. Messages for people there wait until it works again. To check tokens and scopes, run npm run doctor.',
      ),
    ]),
  'chat back': ({ platform }) =>
    plainCard(
      `${sentenceCase(platform)} works again`,
      'The messages that waited are sent now.',
      'good',
    ),
  'balance low': ({ of, merchant, balance, limit }) =>
    plainCard(
      `The ${BALANCE_NAMES[of]} balance${ofMerchant(merchant)} is low: ${balance}`,
      `It is below ${limit}. Top it up at the payment service.`,
    ),
  'balance back': ({ of, merchant, balance, limit }) =>
    plainCard(
      `The ${BALANCE_NAMES[of]} balance${ofMerchant(merchant)} has recovered: ${balance}`,
      `It is no longer below ${limit}.`,
      'good',
    ),
  'conversation lost': ({ conversation: { platform, channel }, reason, ...what }) =>
    plainCard(
      `I cannot reach a conversation in ${sentenceCase(platform)}`,
      `${missedText(what)} Invite me again, or unarchive it. ${channel}: ${reason}.`,
    ),
};

const missedText = (lost: { [is in 'isMirror' | 'isDigest' | 'isToday']?: true }): string => {
  if (lost.isToday)
    return 'The day is not kept up to date there. If that lasts, press Keep here in /today.';
  if (lost.isDigest) return "The day's summary (DIGEST) was not posted there.";
  return lost.isMirror
    ? 'Payments under notify are not posted there.'
    : 'Its messages go to the person who asked.';
};

const BALANCE_NAMES = { sms: 'SMS', payout: 'payout' } as const;

const MOST_PROBLEMS = 8;
const LONGEST_PROBLEM = 200;

const shortened = (problems: readonly string[]): string[] => [
  ...problems.slice(0, MOST_PROBLEMS).map((line) => line.slice(0, LONGEST_PROBLEM)),
  ...(problems.length > MOST_PROBLEMS ? [`and ${problems.length - MOST_PROBLEMS} more`] : []),
];
