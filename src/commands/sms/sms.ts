import { limitGuard } from '../../core/guards/limit-guards.ts';
import type { SmsDraft } from '../../core/records/draft.ts';
import { merchantOf } from '../../core/records/merchants.ts';
import { defined } from '../../core/runtime/defined.ts';
import { readSmsDay } from '../../core/sms/sms-day.ts';
import { personOf } from '../../core/values/conversation.ts';
import { logRefusal } from '../access/denial.ts';
import { type Card, plainCard, problemCard } from '../cards/card.ts';
import type { CommandRecord, Context, Services } from '../command.ts';
import {
  GuardedConfirmations,
  goneCard,
  overtakenCard,
  pressOn,
  requestersDraft,
} from '../draft-buttons.ts';
import { sayMisunderstood, sayWrongAnswers } from '../forms/correct-it.ts';
import { formButton } from '../last-place.ts';
import { chargingAt, settingsOf } from '../merchants.ts';
import { addressedSms } from './addressed-sms.ts';
import { notSentCard, whyNoRoom } from './daily-sms.ts';
import {
  answersFrom,
  checkText,
  parseSms,
  partsFrom,
  type SmsParts,
  type SmsRequest,
  smsForm,
  understoodSms,
} from './parse-sms.ts';
import { namesTemplate, parseTemplateSms } from './parse-template-sms.ts';
import { previewCard } from './sms-cards.ts';
import { smsDetails } from './sms-details.ts';
import { partsOf } from './templates.ts';
import { textPresses } from './text-presses.ts';

const USAGE = '[@template] <number[,number…]> [text]';
const BALANCE_PATIENCE_MS = 3_000;

/** `/sms`: preview with parts and recipients, one press, send; and the SMS about a payment. */
export const smsCommand = (services: Services): CommandRecord => {
  const { settings } = services;
  const confirmations = new GuardedConfirmations();
  const form = smsForm(settings);

  /** The caller reads what to do; the variable is for the operators, in the log. */
  const sayOff = ({ surface, eventId }: Context): Promise<void> => {
    services.log.warn({ event: eventId }, 'SMS_SENDER_ID is not set, so an SMS was not sent');
    return surface.say(offCard);
  };

  /** Where the typed command and the form meet. */
  const proceed = async (parts: SmsParts, context: Context): Promise<void> => {
    const { surface, caller } = context;
    const charging = chargingAt(settings, caller);
    if (!charging.ok) return surface.say(charging.why);
    const merchant = charging.merchant?.name;
    const { senderIds } = settingsOf(settings, merchant);
    const { senderId = senderIds[0], recipients, text } = parts;
    if (senderId === undefined) return sayOff(context);
    if (!senderIds.includes(senderId)) return surface.say(otherSenderCard(senderId, senderIds));
    if (recipients === undefined || text === undefined)
      return surface.ask(form, answersFrom(parts));
    const checked = checkText(text);
    if (!checked.ok)
      return sayWrongAnswers(services, context, form, {
        ...checked,
        answers: answersFrom(parts),
      });
    const request = { senderId, recipients, text: checked.value };
    await propose(services, request, merchant, context);
  };

  const send = pressOn(requestersDraft(services), async (draft, context) => {
    if (draft.kind !== 'sms') return context.surface.refusePress(goneCard);
    const of = `${context.caller.platform}:${context.caller.id}`;
    await confirmations.run(of, draft.id, () => confirm(services, draft, of, context));
  });

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
      if (settings.senderIds.length === 0) return sayOff(context);
      const words = await addressedSms(services, typed, context);
      if (typeof words !== 'string') return context.surface.say(words);
      if (namesTemplate(words)) {
        const merchant = merchantOf(settings.merchants, context.caller.conversation)?.name;
        const own = settingsOf(settings, merchant);
        const read = parseTemplateSms(words, own, services.clock.now());
        return read.ok
          ? proceed(read.value, context)
          : context.surface.say(problemCard(read.problem, `/sms ${USAGE}`));
      }
      const read = parseSms(words, settings);
      await (read.ok
        ? proceed(read.value, context)
        : sayMisunderstood(services, context, form, {
            ...read,
            ...understoodSms(words, settings),
          }));
    },
    submit: (answers, context) => {
      const read = partsFrom(answers, settings);
      return read.ok
        ? proceed(read.value, context)
        : sayWrongAnswers(services, context, form, { ...read, answers });
    },
    presses: {
      send: { run: send },
      'new-sms': formButton(services, form),
      recipients: {
        checksAccessItself: true,
        run: (id, context) => smsDetails(services, id, context),
      },
      ...textPresses(services),
    },
  };
};

const offCard = plainCard(
  'SMS is not set up',
  'Nothing was sent. Ask the person who manages Paythread to set up SMS.',
);

const propose = async (
  services: Services,
  request: SmsRequest,
  merchant: string | undefined,
  { caller, surface, grants, eventId }: Context,
): Promise<void> => {
  const { numbers, leftOut } = request.recipients;
  const terms = {
    ...request,
    recipients: numbers.map(({ e164 }) => e164),
    ...defined({ merchant }),
  };
  const day = await readSmsDay(services, `${caller.platform}:${caller.id}`);
  const noRoom = await whyNoRoom(services, grants, day, terms);
  if (noRoom !== undefined) return surface.say(notSentCard(noRoom));
  const content = { kind: 'sms', terms } as const;
  const draft = await services.drafts.create(
    eventId,
    content,
    personOf(caller),
    caller.conversation,
  );
  // Undefined: the event was delivered twice, and its preview is shown already.
  if (draft === undefined) return;
  await surface.say(previewCard(draft, await balanceText(services, merchant), leftOut));
};

/** The preview is useful without the balance, so it waits only a moment for it. */
const balanceText = async (
  { gateway, clock }: Services,
  merchant: string | undefined,
): Promise<string | undefined> => {
  const patience = new AbortController();
  const outcome = await Promise.race([
    gateway.checkBalance('person', merchant),
    clock.sleep(BALANCE_PATIENCE_MS, patience.signal),
  ]);
  patience.abort();
  return outcome?.kind === 'balances' ? outcome.sms : undefined;
};

/** Turns a pressed draft into a confirmed SMS batch, if the person's daily limit has room for it. */
const confirm = async (
  services: Services,
  draft: SmsDraft,
  of: string,
  context: Context,
): Promise<'again' | (() => Promise<void>)> => {
  const { store, clock, access, drafts, smsSender, log } = services;
  const { caller, surface } = context;
  const day = await readSmsDay({ store, clock }, of);
  const guard = await limitGuard({ store, clock }, of, draft.id);
  const grants = await access.grantsOf(caller);
  if (!grants.may('sms')) {
    logRefusal(log, context, 'sms');
    return () => surface.refusePress(mayNotCard);
  }
  const charging = chargingAt(services.settings, { ...caller, conversation: draft.conversation });
  if (!charging.ok || charging.merchant?.name !== draft.terms.merchant)
    return () => surface.refusePress(otherMerchantCard);
  const why = await whyNoRoom(services, grants, day, draft.terms);
  if (why !== undefined) return () => surface.replace(notSentCard(why));
  const stored = (batchId: string) => [guard, day.with(batchId, partsOf(draft.terms.text))];
  if ((await smsSender.confirm(draft, caller, stored)) !== undefined)
    return () => surface.replace(confirmedCard);
  if ((await drafts.get(draft.id))?.version === draft.version) return 'again';
  return async () => surface.refusePress(await overtakenCard(draft.id, services));
};

const otherSenderCard = (senderId: string, own: readonly string[]): Card =>
  notSentCard(`This merchant has no sender ${senderId}. It has ${own.join(', ')}.`);

const otherMerchantCard = notSentCard(
  'This conversation belongs to another merchant now. Type the command again.',
);
const mayNotCard = notSentCard('You may no longer send SMS.');
const confirmedCard = plainCard('The SMS is being sent', 'I report here when it is done.');
