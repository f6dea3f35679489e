import { isMember, type Merchant, merchantOf } from '../core/records/merchants.ts';
import { type Card, plainCard } from './cards/card.ts';
import type { CommandSettings } from './command.ts';
import type { Caller } from './inbound.ts';

type Settings = Pick<CommandSettings, 'merchants'>;

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

const NO_MERCHANT = plainCard(
  'This conversation belongs to no merchant',
  'Nothing was done. Type it in a conversation of the merchant.',
  'warning',
);

const notOneOf = ({ name }: Merchant): Card =>
  plainCard(
    `You are not one of ${name}`,
    'Nothing was done. The person who manages Paythread can add you to this merchant.',
    'warning',
  );

type OfMerchant = Pick<CommandSettings, 'merchants' | 'senderIds' | 'texts'>;

/** The settings of what is charged or sent for a merchant: its sender ids, and its name as the `{shop}` of templates. */
export const settingsOf = <S extends OfMerchant>(settings: S, name: string | undefined): S => {
  const merchant = settings.merchants.find((each) => each.name === name);
  if (merchant === undefined) return settings;
  const { senderIds, nickname: shop } = merchant;
  return { ...settings, senderIds, texts: { ...settings.texts, shop } };
};
