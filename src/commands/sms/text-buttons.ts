import type { Payment, TextKind } from '../../core/records/payment.ts';
import { suits, textOf } from '../../core/records/payment-text.ts';
import { type Button, pressButton } from '../cards/card.ts';
import type { CommandSettings } from '../command.ts';
import { settingsOf } from '../merchants.ts';
import { NO_TEXTS } from './templates.ts';

export type SmsSettings = Pick<CommandSettings, 'senderIds' | 'texts' | 'merchants'>;

export const NO_SMS: SmsSettings = { senderIds: [], texts: NO_TEXTS, merchants: [] };

/** The buttons of a payment card that send an SMS to the customer, in their order: label and verb. */
const BUTTONS: Readonly<Record<TextKind, readonly [label: string, verb: string]>> = {
  receipt: ['Receipt', 'receipt'],
  reminder: ['Reminder', 'remind'],
  link: ['Link by SMS', 'link'],
};

export const TEXT_KINDS = Object.keys(BUTTONS) as readonly TextKind[];

export const textVerb = (kind: TextKind): string => BUTTONS[kind][1];

/** Whether there is a template for it and a sender, and the settings want it. */
export const isSetUp = (kind: TextKind, { senderIds, texts }: SmsSettings): boolean =>
  senderIds.length > 0 &&
  texts.templates.has(kind) &&
  (kind !== 'receipt' || texts.receipt !== 'never');

/** The button of one SMS; it is no answer to a question, so it has no number where answers have one. */
export const textButton = (kind: TextKind, paymentId: string): Button =>
  pressButton(BUTTONS[kind][0], BUTTONS[kind][1], paymentId, { aside: true });

/** The SMS buttons that a payment's card has now. One of a kind goes out in each state of a payment. */
export const textButtons = (payment: Payment, settings: SmsSettings): Button[] => {
  const own = settingsOf(settings, payment.terms.merchant);
  return TEXT_KINDS.filter(
    (kind) => isSetUp(kind, own) && suits(kind, payment) && textOf(kind, payment) === undefined,
  ).map((kind) => textButton(kind, payment.id));
};
