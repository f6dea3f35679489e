import { isMember, type Merchant, merchantOf } from '../core/records/merchants.ts';
import { type Card, plainCard } from './cards/card.ts';
import type { CommandSettings } from './command.ts';
import type { Caller } from './inbound.ts';

type Settings = Pick<CommandSettings, 'merchants'>;

/** A payment, a file, or an SMS. */
type OfMerchant = Pick<Caller, 'conversation'> & { readonly terms: OneMerchant };

/** Whose money moves when this person charges here; `merchant` is absent where there is one. */
export type Charging =
  | { readonly ok: true; readonly merchant?: Merchant }
  | { readonly ok: false; readonly why: Card };

/** For charges and SMS. The conversation decides, and nothing that was typed. */
export const chargingAt = ({ merchants }: Settings, caller: Caller): Charging => {
  if (merchants.length === 0) return { ok: true };
  const merchant = merchantOf(merchants, caller.conversation);
  if (merchant === undefined) return { ok: false, why: NO_MERCHANT };
  return isMember(merchant, caller)
    ? { ok: true, merchant }
    : { ok: false, why: notOneOf(merchant) };
};

/** Why what is of this merchant cannot be charged or sent for by this person here; undefined: it can. `other`: it is of another one. */
export const refusalFor = (
  settings: Settings,
  caller: Caller,
  merchant: string | undefined,
  other = OTHER_MERCHANT,
): Card | undefined => {
  const charging = chargingAt(settings, caller);
  if (!charging.ok) return charging.why;
  return charging.merchant?.name === merchant ? undefined : other;
};

/** Of one merchant, or of all. */
export type OneMerchant = { readonly merchant?: string };

/** ` of Osu Shop` behind what is of one merchant. */
export const ofMerchant = (name: string | undefined): string =>
  name === undefined ? '' : ` of ${name}`;

/** Narrows what is listed in a conversation of a merchant to that merchant; a conversation of none sees all. */
export const ofMerchantAt = (
  { merchants }: Settings,
  { conversation }: Pick<Caller, 'conversation'>,
): OneMerchant => {
  const here = merchantOf(merchants, conversation);
  return here === undefined ? {} : { merchant: here.name };
};

/**
 * Why a person can do nothing here with a payment or a file of a merchant; undefined: they can. In a conversation of no
 * merchant that is for its members, and for people who are members of none. A payment that is older than the merchants is
 * of the conversation where it was typed.
 */
export const merchantRefusal = (
  { merchants }: Settings,
  caller: Caller,
  { terms, conversation }: OfMerchant,
): Card | undefined => {
  if (merchants.length === 0) return undefined;
  const theirs =
    merchants.find(({ name }) => name === terms.merchant) ?? merchantOf(merchants, conversation);
  const here = merchantOf(merchants, caller.conversation);
  if (here !== undefined) {
    if (here !== theirs) return OTHER_MERCHANT;
    return isMember(here, caller) ? undefined : notOneOf(here);
  }
  const isNamed = merchants.some((each) => each.members !== undefined && isMember(each, caller));
  const isTheirs = theirs?.members !== undefined && isMember(theirs, caller);
  return isNamed && !isTheirs ? OTHER_MERCHANT : undefined;
};

const OTHER_MERCHANT = plainCard(
  'This belongs to another merchant',
  'Nothing was done. Do it in a conversation of that merchant.',
  'warning',
);

const NO_MERCHANT = plainCard(
  'This conversation belongs to no merchant',
  'Nothing was done. Type it in a conversation of the merchant.',
  'warning',
);

const notOneOf = ({ name }: Merchant): Card =>
  plainCard(
    `You are not one of ${name}`,
    'Nothing was done. The owner can add you to this merchant.',
    'warning',
  );

type Sending = Pick<CommandSettings, 'merchants' | 'senderIds' | 'texts'>;

/** The settings of what is charged or sent for a merchant: its sender ids, and its name as the `{shop}` of templates. */
export const settingsOf = <S extends Sending>(settings: S, name: string | undefined): S => {
  const merchant = settings.merchants.find((each) => each.name === name);
  if (merchant === undefined) return settings;
  const { senderIds, nickname: shop } = merchant;
  return { ...settings, senderIds, texts: { ...settings.texts, shop } };
};

/** Whose payments these are, by the name that payers see; '' where they are of several merchants. */
export const shopOf = (settings: Sending, { merchant }: OneMerchant): string =>
  merchant === undefined && settings.merchants.length > 0
    ? ''
    : settingsOf(settings, merchant).texts.shop;
