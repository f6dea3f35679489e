import { merchantOf } from '../../core/records/merchants.ts';
import { problemCard } from '../cards/card.ts';
import type { CommandRecord, Services } from '../command.ts';
import { sayMisunderstood, sayWrongAnswers } from '../forms/correct-it.ts';
import { formButton } from '../last-place.ts';
import { settingsOf } from '../merchants.ts';
import { addressedSms } from './addressed-sms.ts';
import { parseSms, partsFrom, smsForm, understoodSms } from './parse-sms.ts';
import { namesTemplate, parseTemplateSms } from './parse-template-sms.ts';
import { previewSms, sayOff } from './preview-sms.ts';
import { sendSms } from './send-sms.ts';
import { smsDetails } from './sms-details.ts';
import { textPresses } from './text-presses.ts';

const USAGE = '[@template] <number[,number…]> [text]';

/** `/sms`: preview with parts and recipients, one press, send; and the SMS about a payment. */
export const smsCommand = (services: Services): CommandRecord => {
  const { settings } = services;
  const form = smsForm(settings);
  const proceed = previewSms(services, form);
  return {
    summary: 'Send an SMS to customers',
    deed: 'send SMS',
    usage: USAGE,
    examples: [
      '0244123456 Your order is ready.',
      '0244123456,0201234567 We open at 8.',
      '@ready 0244123456',
    ],
    form,
    understood: async (words) => understoodSms(words, settings),
    run: async (typed, context) => {
      if (settings.senderIds.length === 0) return sayOff(services, context);
      const words = await addressedSms(services, typed, context);
      if (typeof words !== 'string') return context.surface.say(words);
      const isTemplate = namesTemplate(words);
      const merchant = merchantOf(settings.merchants, context.caller.conversation)?.name;
      const read = isTemplate
        ? parseTemplateSms(words, settingsOf(settings, merchant), services.clock.now())
        : parseSms(words, settings);
      if (read.ok) return proceed(read.value, context);
      if (isTemplate) return context.surface.say(problemCard(read.problem, `/sms ${USAGE}`));
      const misread = { ...read, ...understoodSms(words, settings) };
      await sayMisunderstood(services, context, form, misread);
    },
    submit: (answers, context) => {
      const read = partsFrom(answers, settings);
      return read.ok
        ? proceed(read.value, context)
        : sayWrongAnswers(services, context, form, { ...read, answers });
    },
    presses: {
      send: sendSms(services),
      'new-sms': formButton(services, form),
      recipients: {
        checksAccessItself: true,
        run: (id, context) => smsDetails(services, id, context),
      },
      ...textPresses(services),
    },
  };
};
