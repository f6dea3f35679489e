import { type BulkRun, type BulkSms, isSms, type SmsFileTerms } from '../../core/records/bulk.ts';
import type { SmsFileDraft } from '../../core/records/draft.ts';
import { defined } from '../../core/runtime/defined.ts';
import { partsOf } from '../../core/sms/sms-parts.ts';
import { newTransactionId } from '../../core/values/transaction-id.ts';
import { type Card, plainCard, problemCard } from '../cards/card.ts';
import { isAlone } from '../cards/visibility.ts';
import type { Context, Services } from '../command.ts';
import type { Confirming } from '../confirm-draft.ts';
import { chargingAt, settingsOf } from '../merchants.ts';
import { smsRoom } from '../sms/daily-sms.ts';
import { readTemplate, valuesOfAll } from '../sms/parse-template-sms.ts';
import { sayOff, smsLeft } from '../sms/preview-sms.ts';
import { repeatedTexts } from '../sms/repeated-sms.ts';
import { confirmingSms } from '../sms/send-sms.ts';
import { repeatedText } from '../sms/sms-cards.ts';
import { senderOf } from '../sms/templates.ts';
import { zeroQuestion } from './answer-zero.ts';
import { rowsShown } from './confirm-bulk.ts';
import { type Proposal, propose, usableFile } from './dry-run.ts';
import { dryRunCard } from './dry-run-card.ts';
import { rowsText, smsNotesOf, smsWarningsOf } from './dry-run-words.ts';
import { linesOf } from './file-facts.ts';
import type { SmsFile } from './read-sms-rows.ts';
import type { SentFile } from './take-file.ts';

/** Reads a file of SMS and shows what it would send. `words`: the template, as it was typed beside the file. */
export const smsDryRun = async (
  services: Services,
  sent: SentFile,
  words: string,
  context: Context,
): Promise<void> => {
  const { surface, caller } = context;
  const { clock, random } = services;
  const charging = chargingAt(services.settings, caller);
  if (!charging.ok) return surface.say(charging.why);
  const merchant = charging.merchant?.name;
  const settings = settingsOf(services.settings, merchant);
  const named = readTemplate(words, settings.texts.templates);
  if (!named.ok) return surface.say(problemCard(named.problem));
  const { template } = named.value;
  const senderId = senderOf(template, settings.senderIds);
  if (senderId === undefined) return sayOff(services, context);
  const { readSmsFile } = await import('./read-sms-rows.ts');
  const nowMs = clock.now();
  const values = valuesOfAll(settings, nowMs);
  const read = await readSmsFile(sent.bytes, template, { ...settings, values });
  const { sha256, name: fileName } = sent;
  const of = { sha256, template: template.name, text: template.text, ...defined({ merchant }) };
  const file = await usableFile(services, sent, { read, of }, context);
  if ('title' in file) return surface.say(file);
  const rows = file.good.map(({ row, customerNumber: recipient, text }): BulkSms => {
    return { row, id: newTransactionId(nowMs, random), recipient, text };
  });
  const repeated = await repeatedRows(services, rows, merchant);
  const terms = { ...of, fileName, senderId };
  const refusal = await proposeSms(services, { terms, rows, file, repeated }, context);
  if (refusal !== undefined) await surface.say(refusal);
};

type SmsAsked = {
  readonly terms: Omit<SmsFileTerms, 'parts' | 'rows' | 'pages' | 'lastsMs'>;
  readonly rows: readonly BulkSms[];
  /** As it was sent; absent: these are reminders. */
  readonly file?: SmsFile;
  readonly repeated?: SmsFileDraft['repeated'];
};

/** Shows what SMS of several texts would cost, if the person's daily limit has room for them; else why not. */
export const proposeSms = async (
  services: Services,
  { terms, rows, file, repeated }: SmsAsked,
  context: Context,
): Promise<Card | undefined> => {
  const { caller, grants } = context;
  const parts = rows.reduce((sum, { text }) => sum + partsOf(text), 0);
  const room = await smsRoom(services, grants, caller, parts);
  if (!room.fits) return room.why;
  const left = await smsLeft(services, terms.merchant);
  const isWhole = rows.every(({ maskedFrom }) => maskedFrom === undefined);
  const contentOf: Proposal['contentOf'] = (paged) => ({
    kind: 'sms file',
    terms: { ...terms, parts, ...paged },
    warnings: smsWarningsOf(parts, left, file),
    notes: isWhole && isAlone(caller, services.platforms) ? smsNotesOf(rows, file) : [],
    ...(file && { lines: linesOf(file), ...zeroQuestion(file) }),
    ...defined({ repeated }),
  });
  await propose(services, { of: terms, rows, contentOf }, context);
  return undefined;
};

/** A confirmed dry run of SMS becomes the run of the file, if the person's daily limit has room for all of it. */
export const confirmingSmsFile = (services: Services): Confirming<SmsFileDraft, BulkRun> => ({
  ...confirmingSms(services),
  is: (draft) => draft.kind === 'sms file',
  button: 'sms-file',
  question: dryRunCard,
  check: async (draft, grants, context) => {
    const { requester, terms } = draft;
    const room = await smsRoom(services, grants, requester, terms.parts);
    if (!room.fits) return () => context.surface.replace(room.why);
    const rows = await rowsShown(services, draft, isSms, context);
    if (typeof rows === 'function') return rows;
    // For what went out since the dry run was shown. Of reminders the run itself leaves out who had one that day.
    const isReminder = terms.reminds !== undefined;
    const repeated = isReminder ? undefined : await repeatedRows(services, rows, terms.merchant);
    if (repeated !== undefined && repeated.rows > (draft.repeated?.rows ?? 0))
      return { again: { ...draft, repeated } };
    return {
      // Its rows count as they are sent: until then the run holds them.
      confirm: (presser, { guards, ...press }) =>
        services.bulkRuns.confirm(draft, presser, {
          ...press,
          guards: [...guards, room.day.with(0)],
        }),
    };
  },
  // Elsewhere the card of the run takes the place of the question.
  tellConfirmed: async (_draft, { card, terms: { rows } }, { surface }) => {
    if (card === undefined)
      await surface.replace(plainCard(`Confirmed: ${rows.toLocaleString('en')} SMS`));
  },
});

/** For the draft: the rows that repeat what went out that day; undefined: none does. */
const repeatedRows = async (
  services: Services,
  rows: readonly BulkSms[],
  merchant: string | undefined,
): Promise<SmsFileDraft['repeated']> => {
  const repeated = await repeatedTexts(services, rows, merchant);
  if (repeated.length === 0) return undefined;
  const warning = repeatedText(rowsText(repeated.map(({ row }) => row)));
  return { rows: repeated.length, warnings: [warning] };
};
