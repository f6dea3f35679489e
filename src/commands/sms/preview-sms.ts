import { defined } from '../../core/runtime/defined.ts';
import { partsOf } from '../../core/sms/sms-parts.ts';
import { personOf } from '../../core/values/conversation.ts';
import { type Card, plainCard } from '../cards/card.ts';
import type { Context, Services } from '../command.ts';
import { sayWrongAnswers } from '../forms/correct-it.ts';
import type { Form } from '../forms/form.ts';
import { chargingAt, settingsOf } from '../merchants.ts';
import { notSentCard, smsRoom } from './daily-sms.ts';
import { answersFrom, askedFor, checkText, type SmsParts } from './parse-sms.ts';
import { repeatedTexts } from './repeated-sms.ts';
import { previewCard } from './sms-cards.ts';

/** From what is known of an SMS to its preview, or to the form that asks for the rest. */
export const previewSms =
  (services: Services, form: Form) =>
  async (parts: SmsParts, context: Context): Promise<void> => {
    const { settings, drafts } = services;
    const { surface, caller, grants, eventId } = context;
    const charging = chargingAt(settings, caller);
    if (!charging.ok) return surface.say(charging.why);
    const merchant = charging.merchant?.name;
    const { senderIds } = settingsOf(settings, merchant);
    const { senderId = senderIds[0], recipients, text } = parts;
    if (senderId === undefined) return sayOff(services, context);
    if (!senderIds.includes(senderId)) return surface.say(otherSenderCard(senderId, senderIds));
    const answers = { ...answersFrom(parts), ...askedFor(merchant) };
    if (recipients === undefined || text === undefined) return surface.ask(form, answers);
    const checked = checkText(text);
    if (!checked.ok) return sayWrongAnswers(services, context, form, { ...checked, answers });
    const to = recipients.numbers.map(({ e164 }) => e164);
    const terms = { senderId, text: checked.value, recipients: to, ...defined({ merchant }) };
    const room = await smsRoom(services, grants, caller, partsOf(terms.text) * to.length);
    if (!room.fits) return surface.say(room.why);
    const texts = to.map((recipient) => ({ recipient, text: terms.text }));
    const { length: repeats } = await repeatedTexts(services, texts, merchant);
    const content = { kind: 'sms', terms, ...(repeats > 0 ? { repeats } : {}) } as const;
    const draft = await drafts.create(eventId, content, personOf(caller), caller.conversation);
    // Undefined: the event was delivered twice, and its preview is shown already.
    if (draft === undefined) return;
    await surface.say(previewCard(draft, await smsLeft(services, merchant), recipients.leftOut));
  };

/** The caller reads what to do; the variable is for the operators, in the log. */
export const sayOff = ({ log }: Services, { surface, eventId }: Context): Promise<void> => {
  log.warn({ event: eventId }, 'SMS_SENDER_ID is not set, so an SMS was not sent');
  return surface.say(offCard);
};

const offCard = plainCard('SMS is not set up', 'Nothing was sent. Ask the owner to set up SMS.');

/** SMS left, as the service last said: people may ask for previews as often as they like. */
export const smsLeft = async (
  { balances }: Pick<Services, 'balances'>,
  merchant: string | undefined,
): Promise<string | undefined> => (await balances.kept(merchant)).last?.sms;

const otherSenderCard = (senderId: string, own: readonly string[]): Card =>
  notSentCard(`This merchant has no sender ${senderId}. It has ${own.join(', ')}.`);
