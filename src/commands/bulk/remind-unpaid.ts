import { stillUnpaid } from '../../core/bulk/unpaid-payments.ts';
import { type BulkSms, bulkRunId, type ChargeRun, isChargeRun } from '../../core/records/bulk.ts';
import type { Payment } from '../../core/records/payment.ts';
import { defined } from '../../core/runtime/defined.ts';
import { nextTurn } from '../../core/runtime/turn-budget.ts';
import { ANY_REMINDER, wasTextSent } from '../../core/sms/sent-texts.ts';
import { partsOf } from '../../core/sms/sms-parts.ts';
import { everyPayment } from '../../core/store/store.ts';
import { startOfDayMs } from '../../core/values/calendar-day.ts';
import { newTransactionId } from '../../core/values/transaction-id.ts';
import { plainCard } from '../cards/card.ts';
import { audienceAround } from '../cards/visibility.ts';
import { type Context, isOwn, type Press, type Services } from '../command.ts';
import { goneCard } from '../draft-buttons.ts';
import { chargingAt, settingsOf } from '../merchants.ts';
import { notSentCard, smsRoom } from '../sms/daily-sms.ts';
import { termsOfText } from '../sms/payment-texts.ts';
import { smsLeft } from '../sms/preview-sms.ts';
import { offCard } from '../sms/text-presses.ts';
import { type Proposal, propose } from './dry-run.ts';
import { smsNotesOf, smsWarningsOf } from './dry-run-words.ts';
import { newestRun, runCard } from './run-card.ts';

/** Reminds the customers of a file who have not paid, each once a day, by a dry run of SMS as a file of them has. */
export const remindUnpaid =
  (services: Services): Press['run'] =>
  async (id, context) => {
    const { bulkRuns, clock, settings } = services;
    const { surface, caller, grants } = context;
    const run = await bulkRuns.get(id);
    if (run === undefined || !isChargeRun(run)) return surface.answerPress(goneCard);
    const { sha256, fileName, merchant } = run.terms;
    const charging = chargingAt(settings, caller);
    if (!charging.ok) return surface.answerPress(charging.why);
    if (charging.merchant?.name !== merchant) return surface.answerPress(otherMerchantCard);
    const template = settingsOf(settings, merchant).texts.templates.get('reminder');
    if (template === undefined) return surface.answerPress(offCard);
    const dayMs = startOfDayMs(clock.now(), settings.timeZone);
    const of = { sha256, template: template.name, text: template.text };
    const key = { ...of, reminds: { run: id, dayMs } };
    const known = await newestRun(services, bulkRunId(key));
    if (known !== undefined) return surface.answerPress(runCard(known, settings));
    const toRemind = await unremindedIn(services, run, dayMs);
    const [first] = toRemind;
    if (first === undefined) return surface.answerPress(noOneCard);
    const terms = termsOfText('reminder', first, settings);
    if (terms === undefined) return surface.answerPress(offCard);
    const rows = rowsFor(services, toRemind, { run, context });
    const parts = rows.reduce((sum, { text }) => sum + partsOf(text), 0);
    const room = await smsRoom(services, grants, caller, parts);
    if (!room.fits) return surface.answerPress(room.why);
    const left = await smsLeft(services, merchant);
    const isAlone = audienceAround(caller, services.platforms) === 'one person';
    const isWhole = rows.every(({ maskedFrom }) => maskedFrom === undefined);
    const contentOf: Proposal['contentOf'] = (paged) => ({
      kind: 'sms file',
      terms: {
        ...key,
        fileName,
        senderId: terms.senderId,
        parts,
        ...defined({ merchant }),
        ...paged,
      },
      warnings: smsWarningsOf(NOTHING_LEFT_OUT, parts, left),
      notes: isAlone && isWhole ? smsNotesOf({ bad: [], good: rows }) : [],
    });
    await propose(services, { of: key, rows, contentOf }, context);
  };

const NOTHING_LEFT_OUT = { bad: [], twice: [], sameCustomer: [] };

/** The embedded store answers at once, so others are served after so many questions. */
const AT_ONCE = 200;

/** The first unpaid charge of each customer who had no reminder that day, in the order of the file. */
const unremindedIn = async (
  { store, earlier }: Pick<Services, 'store' | 'earlier'>,
  run: ChargeRun,
  dayMs: number,
): Promise<readonly Payment[]> => {
  const payments: Payment[] = [];
  for await (const payment of everyPayment(store, { bulk: run.id })) payments.push(payment);
  const rowOf = ({ bulk }: Payment): number => bulk?.row ?? 0;
  const unpaid = (await stillUnpaid(earlier, payments)).toSorted((a, b) => rowOf(a) - rowOf(b));
  const byCustomer = Map.groupBy(unpaid, ({ terms }) => terms.customerNumber);
  const found: Payment[] = [];
  let asked = 0;
  for (const [recipient, [first]] of byCustomer) {
    const isReminded = await wasTextSent(store, { recipient, text: ANY_REMINDER }, dayMs);
    if (first !== undefined && !isReminded) found.push(first);
    if (++asked % AT_ONCE === 0) await nextTurn();
  }
  return found;
};

const rowsFor = (
  { clock, random, settings }: Services,
  payments: readonly Payment[],
  { run, context: { caller, grants } }: { readonly run: ChargeRun; readonly context: Context },
): readonly BulkSms[] => {
  const isTheirs = isOwn(run, caller) || grants.reveal;
  const nowMs = clock.now();
  return payments.map((payment) => {
    const { id: remindsOf, terms, bulk, maskedFrom: masked } = payment;
    const maskedFrom = masked ?? (isTheirs ? undefined : remindsOf);
    return {
      row: bulk?.row ?? 0,
      id: newTransactionId(nowMs, random),
      recipient: terms.customerNumber,
      text: termsOfText('reminder', payment, settings)?.text ?? '',
      remindsOf,
      ...defined({ maskedFrom }),
    };
  });
};

const noOneCard = notSentCard('Each customer has paid, is not clear, or was reminded today.');

const otherMerchantCard = plainCard(
  'Nothing was sent',
  'This file belongs to another merchant. Press it in a conversation of that merchant.',
);
