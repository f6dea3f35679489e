import { stillUnpaid } from '../../core/bulk/unpaid-payments.ts';
import {
  type BulkRun,
  type BulkSms,
  bulkRunId,
  type ChargeRun,
  isUnsent,
  type SmsFileTerms,
} from '../../core/records/bulk.ts';
import type { Payment } from '../../core/records/payment.ts';
import { defined } from '../../core/runtime/defined.ts';
import { ANY_REMINDER } from '../../core/sms/sent-texts.ts';
import { everyPayment } from '../../core/store/store.ts';
import { startOfDayMs } from '../../core/values/calendar-day.ts';
import { newTransactionId } from '../../core/values/transaction-id.ts';
import { type Context, isOwn, type Press, type Services } from '../command.ts';
import { settingsOf } from '../merchants.ts';
import { notSentCard } from '../sms/daily-sms.ts';
import { textOfPayment } from '../sms/payment-texts.ts';
import { repeatedTexts } from '../sms/repeated-sms.ts';
import { senderOf } from '../sms/templates.ts';
import { offCard } from '../sms/text-presses.ts';
import { askableRun } from './ask-again.ts';
import { runCard } from './run-card.ts';
import { proposeSms } from './sms-file.ts';

/** Reminds the customers of a file who have not paid, each once a day, by a dry run of SMS as a file of them has. */
export const remindUnpaid =
  (services: Services): Press['run'] =>
  async (id, context) => {
    const { clock, settings } = services;
    const { surface } = context;
    // Not while charges are frozen: who paid in the time that was lost would be reminded.
    const run = await askableRun(services, id, context);
    if ('title' in run) return surface.answerPress(run);
    const { sha256, fileName, merchant } = run.terms;
    const { texts, senderIds } = settingsOf(settings, merchant);
    const template = texts.templates.get('reminder');
    const senderId = senderOf(template, senderIds);
    if (template === undefined || senderId === undefined) return surface.answerPress(offCard);
    const dayMs = startOfDayMs(clock.now(), settings.timeZone);
    const of = { sha256, template: template.name, text: template.text };
    const key = await nextReminders(services, { ...of, reminds: { run: id, dayMs } });
    if ('status' in key) return surface.answerPress(runCard(key, services));
    const rows = await remindersFor(services, run, context);
    if (rows.length === 0) return surface.answerPress(noOneCard);
    const terms = { ...key, fileName, senderId, ...defined({ merchant }) };
    const refusal = await proposeSms(services, { terms, rows }, context);
    if (refusal !== undefined) await surface.answerPress(refusal);
  };

type Reminders = Pick<SmsFileTerms, 'sha256' | 'template' | 'text'> &
  Required<Pick<SmsFileTerms, 'reminds'>>;

/** The next ones of that day. Until the last ones are sent it is those, so that of two presses at one moment one counts. */
const nextReminders = async (
  services: Pick<Services, 'bulkRuns'>,
  key: Reminders,
): Promise<Reminders | BulkRun> => {
  const known = await services.bulkRuns.get(bulkRunId(key));
  if (known === undefined || isUnsent(known)) return known ?? key;
  return nextReminders(services, { ...key, reminds: { ...key.reminds, after: known.id } });
};

/** For each customer who had no reminder today, in the order of the file: the text about the first charge that is unpaid. */
const remindersFor = async (
  services: Services,
  run: ChargeRun,
  { caller, grants }: Context,
): Promise<readonly BulkSms[]> => {
  const { store, clock, random, settings } = services;
  const isTheirs = isOwn(run, caller) || grants.reveal;
  const payments: Payment[] = [];
  for await (const payment of everyPayment(store, { bulk: run.id })) payments.push(payment);
  const rowOf = ({ bulk }: Payment): number => bulk?.row ?? 0;
  const unpaid = (await stillUnpaid(services, payments)).toSorted((a, b) => rowOf(a) - rowOf(b));
  const asked = [...Map.groupBy(unpaid, ({ terms }) => terms.customerNumber)].map(
    ([recipient, theirs]) => ({ recipient, text: ANY_REMINDER, first: theirs[0] }),
  );
  const reminded = new Set(await repeatedTexts(services, asked, run.terms.merchant));
  return asked.flatMap((each) => {
    const { recipient, first } = each;
    if (first === undefined || reminded.has(each)) return [];
    const text = textOfPayment('reminder', first, settings) ?? '';
    const id = newTransactionId(clock.now(), random);
    const maskedFrom = first.maskedFrom ?? (isTheirs ? undefined : first.id);
    const remindsOf = first.id;
    return { row: rowOf(first), id, recipient, text, remindsOf, ...defined({ maskedFrom }) };
  });
};

const noOneCard = notSentCard('Each customer has paid, is not clear, or was reminded today.');
