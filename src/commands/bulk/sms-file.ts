import { createHash } from 'node:crypto';
import { type BulkSms, bulkRunId } from '../../core/records/bulk.ts';
import type { SmsFileDraft } from '../../core/records/draft.ts';
import { defined } from '../../core/runtime/defined.ts';
import { newTransactionId, shortIdFrom } from '../../core/values/transaction-id.ts';
import { problemCard } from '../cards/card.ts';
import { audienceAround } from '../cards/visibility.ts';
import type { Context, Services } from '../command.ts';
import { chargingAt, settingsOf } from '../merchants.ts';
import { smsRoom } from '../sms/daily-sms.ts';
import { readTemplate, valuesOfAll } from '../sms/parse-template-sms.ts';
import { sayOff, smsLeft } from '../sms/preview-sms.ts';
import { repeatedTexts } from '../sms/repeated-sms.ts';
import { repeatedText } from '../sms/sms-cards.ts';
import { senderOf, type Template } from '../sms/templates.ts';
import { zeroQuestion } from './answer-zero.ts';
import { propose, sendBadRows } from './dry-run.ts';
import { rowsText, smsNotesOf, smsWarningsOf } from './dry-run-words.ts';
import { linesOf } from './file-facts.ts';
import type { SmsFile } from './read-sms-rows.ts';
import { noGoodRowCard } from './result-files.ts';
import { newestRun, runCard } from './run-card.ts';
import type { SentFile } from './take-file.ts';

/** Reads a file of SMS and shows what it would send. `words`: the template, as it was typed beside the file. */
export const smsDryRun = async (
  services: Services,
  sent: SentFile,
  words: string,
  context: Context,
): Promise<void> => {
  const { surface, caller, eventId } = context;
  const { clock, drafts } = services;
  // Delivered twice: its dry run is shown, or about to be.
  if ((await drafts.get(shortIdFrom(eventId))) !== undefined) return;
  const charging = chargingAt(services.settings, caller);
  if (!charging.ok) return surface.say(charging.why);
  const settings = settingsOf(services.settings, charging.merchant?.name);
  const named = readTemplate(words, settings.texts.templates);
  if (!named.ok) return surface.say(problemCard(named.problem));
  const { template } = named.value;
  const senderId = senderOf(template, settings.senderIds);
  if (senderId === undefined) return sayOff(services, context);
  const { readSmsFile } = await import('./read-sms-rows.ts');
  const values = valuesOfAll(settings, clock.now());
  const read = await readSmsFile(sent.bytes, template, { ...settings, values });
  if (!read.ok) return surface.say(problemCard(read.problem));
  const sha256 = createHash('sha256').update(sent.bytes).digest('hex');
  const before = await newestRun(services, bulkRunId({ sha256, ...templateOf(template) }));
  if (before !== undefined) return surface.say(runCard(before, 'same file'));
  await sendBadRows(read.value, sent.name, context);
  if (read.value.good.length === 0) return surface.say(noGoodRowCard(read.value, 'sent'));
  const merchant = charging.merchant?.name;
  await show(services, read.value, { ...sent, sha256, template, senderId, merchant }, context);
};

const templateOf = ({ name: template, text }: Template) => ({ template, text });

type Sending = Pick<SentFile, 'name'> & {
  readonly sha256: string;
  readonly template: Template;
  readonly senderId: string;
  readonly merchant: string | undefined;
};

const show = async (
  services: Services,
  file: SmsFile,
  { name: fileName, sha256, template, senderId, merchant }: Sending,
  context: Context,
): Promise<void> => {
  const { surface, caller, grants } = context;
  const { clock, random, filePace, platforms } = services;
  const { good } = file;
  const parts = good.reduce((sum, each) => sum + each.parts, 0);
  const room = await smsRoom(services, grants, caller, parts);
  if (!room.fits) return surface.say(room.why);
  const lastsMs = Math.ceil(good.length / filePace.rowsPerSecond) * 1_000;
  const isPrivate = audienceAround(caller, platforms) === 'one person';
  const nowMs = clock.now();
  const rows = good.map(({ row, customerNumber: recipient, text }): BulkSms => {
    return { row, id: newTransactionId(nowMs, random), recipient, text };
  });
  const repeated = await repeatedRows(services, rows);
  await propose(
    services,
    {
      rows,
      content: {
        kind: 'sms file',
        terms: {
          ...{ sha256, fileName, rows: rows.length, lastsMs, senderId, parts },
          ...{ ...templateOf(template), ...defined({ merchant }) },
        },
        warnings: smsWarningsOf(file, parts, await smsLeft(services, merchant)),
        ...defined({ repeated }),
        notes: isPrivate ? smsNotesOf(file) : [],
        lines: linesOf(file),
        ...zeroQuestion(file),
      },
    },
    context,
  );
};

/** For the draft: the rows that repeat what went out that day; undefined: none does. */
export const repeatedRows = async (
  services: Services,
  rows: readonly BulkSms[],
): Promise<SmsFileDraft['repeated']> => {
  const repeated = await repeatedTexts(services, rows);
  if (repeated.length === 0) return undefined;
  const warning = repeatedText(rowsText(repeated.map(({ row }) => row)));
  return { rows: repeated.length, warnings: [warning] };
};
