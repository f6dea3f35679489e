import { answerZero } from '../bulk/answer-zero.ts';
import { remindUnpaid } from '../bulk/remind-unpaid.ts';
import { runPresses } from '../bulk/run-presses.ts';
import { confirmingSmsFile, smsDryRun } from '../bulk/sms-file.ts';
import { oneFileEach } from '../bulk/take-file.ts';
import type { Card } from '../cards/card.ts';
import type { CommandRecord, Context, Services } from '../command.ts';
import { confirmPress } from '../confirm-draft.ts';
import { sayMisunderstood, sayWrongAnswers } from '../forms/correct-it.ts';
import { formButton } from '../forms/form-button.ts';
import { sayMisread } from '../forms/words-form.ts';
import type { IncomingFile } from '../inbound.ts';
import { digitCount, numberWords } from '../leading-number.ts';
import { ofMerchantAt, settingsOf } from '../merchants.ts';
import { customerOfReply } from '../payments/replied-payment.ts';
import { askedFor, parseSms, partsFrom, smsForm, understoodSms } from './parse-sms.ts';
import { namesTemplate, parseTemplateSms } from './parse-template-sms.ts';
import { previewSms, sayOff } from './preview-sms.ts';
import { confirmingBatch } from './send-sms.ts';
import { smsDetails } from './sms-details.ts';
import { textPresses } from './text-presses.ts';

/** `/sms`: preview with parts and recipients, one press, send; and the SMS about a payment. */
export const smsCommand = (services: Services): CommandRecord => {
  const { settings } = services;
  const form = smsForm(settings);
  const proceed = previewSms(services, form);
  const readFile = oneFileEach(services);
  const takeFile = (file: IncomingFile, words: string, context: Context): Promise<void> =>
    settings.senderIds.length === 0
      ? sayOff(services, context)
      : readFile(file, context, (sent) => smsDryRun(services, sent, words, context));
  return {
    summary: 'Send an SMS to customers',
    deed: 'send SMS',
    usage: '[@template] <number[,number…]> [text]',
    examples: [
      '0244123456 Your order is ready.',
      '0244123456,0201234567 We open at 8.',
      '@ready 0244123456',
    ],
    form,
    takeFile,
    understood: async (words) => understoodSms(words, settings),
    run: async (typed, context) => {
      if (settings.senderIds.length === 0) return sayOff(services, context);
      const file = fileNamed(typed, context);
      if (file !== undefined) return takeFile(file, typed, context);
      const words = await addressedSms(services, typed, context);
      if (typeof words !== 'string') return context.surface.say(words);
      const isTemplate = namesTemplate(words);
      const { merchant } = ofMerchantAt(settings, context.caller);
      const read = isTemplate
        ? parseTemplateSms(words, settingsOf(settings, merchant), services.clock.now())
        : parseSms(words, settings);
      if (read.ok) return proceed(read.value, context);
      if (isTemplate) return sayMisread(services, context, ['sms', words], read.problem);
      const { answers, problems } = understoodSms(words, settings);
      const misread = { ...read, answers: { ...answers, ...askedFor(merchant) }, problems };
      await sayMisunderstood(services, context, form, misread);
    },
    submit: (answers, context) => {
      const read = partsFrom(answers, settings);
      return read.ok
        ? proceed(read.value, context)
        : sayWrongAnswers(services, context, form, { ...read, answers });
    },
    presses: {
      send: confirmPress(services, confirmingBatch(services)),
      'sms-file': confirmPress(services, confirmingSmsFile(services)),
      'sms-remind': { of: 'bulk', run: remindUnpaid(services) },
      'sms-zero': answerZero(services, 'sms file', 'sms-zero'),
      ...runPresses(services, 'sms', 'SMS that were sent already cannot be taken back.'),
      'new-sms': formButton(services, form, 'send SMS'),
      recipients: smsDetails(services),
      ...textPresses(services),
    },
  };
};

const BEHIND_TEMPLATE = /^\s*@\s*\S+\s+(\S.*)$/;

/** A path has a slash or an ending, and a list of numbers has neither. */
const PATH = /[/\\]|\.\w{1,5}$/;

/** The file that was typed behind a template, where people type on the machine that Paythread runs on. */
const fileNamed = (typed: string, { fileAt }: Context): IncomingFile | undefined => {
  const [, path = ''] = BEHIND_TEMPLATE.exec(typed) ?? [];
  return PATH.test(path) ? fileAt?.(path.trim()) : undefined;
};

/** Fewer digits at the beginning are words of the text, such as `2 bags are ready`. */
const FEWEST_DIGITS = 6;
const TEMPLATE = /^@\S+/;

/** The words of `/sms`; in a reply to a card and without a number with that of its customer, or why that is not shown. */
const addressedSms = async (
  services: Pick<Services, 'payments' | 'store'>,
  words: string,
  context: Context,
): Promise<string | Card> => {
  const [template = ''] = TEMPLATE.exec(words) ?? [];
  const rest = words.slice(template.length).trim();
  if (digitCount(numberWords(rest.split(/\s+/))) >= FEWEST_DIGITS) return words;
  const number = await customerOfReply(services, context);
  return typeof number === 'string' ? `${template} ${number} ${rest}`.trim() : (number ?? words);
};
