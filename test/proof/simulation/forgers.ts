import type { Card } from '../../../src/commands/cards/card.ts';
import type { Caller } from '../../../src/commands/inbound.ts';
import type { Dice } from '../storm/dice.ts';
import type { Rule } from './stories.ts';
import type { World } from './world.ts';

type Press = { readonly verb: string; readonly id: string };

/** Everybody may ask for access, and its question goes to those who may give it. */
const OPEN_TO_ALL: ReadonlySet<string> = new Set(['ask-access']);

/**
 * People with a changed client: they press buttons that stand elsewhere, or that were never there, by what they could
 * read of all that was shown to anybody. Nobody could know more.
 */
export class Forgers {
  readonly #dice: Dice;
  readonly #callers: readonly Caller[];
  readonly #known: Press[] = [];

  constructor(dice: Dice, callers: readonly Caller[]) {
    this.#dice = dice;
    this.#callers = callers;
  }

  overhear({ buttons = [] }: Card): void {
    for (const button of buttons)
      if (button.kind === 'press' && !OPEN_TO_ALL.has(button.verb)) this.#known.push(button);
  }

  /** The verb of one button with the id of another, as often as one that is. */
  forge(): { readonly caller: Caller; readonly press: Press } | undefined {
    const [caller, one, other] = [this.#callers, this.#known, this.#known].map(
      (all) => all[this.#dice.whole(0, Math.max(0, all.length - 1))],
    ) as [Caller | undefined, Press | undefined, Press | undefined];
    if (caller === undefined || one === undefined || other === undefined) return undefined;
    return { caller, press: { verb: one.verb, id: (this.#dice.chance(0.5) ? one : other).id } };
  }
}

/** 17: a press of somebody without rights, or of the other merchant's staff, is in no book. */
export const forgeriesAreNothing: Rule = ({ audit }, { people }) =>
  audit.flatMap(({ what, who, button }) =>
    button !== undefined && who !== undefined && people.staff.isForger(who)
      ? [`17: ${what} by ${who.id}, who may not press ${button}`]
      : [],
  );

/** 20: a merchant's money is asked for with its own keys, and its payments are moved by its own people alone. */
export const merchantsAreApart: Rule = (
  { payment, postings, audit },
  { people, habits }: World,
) => {
  if (habits.hasMerchants !== true || payment === undefined) return [];
  const merchant = people.staff.merchants().find(({ name }) => name === payment.terms.merchant);
  if (merchant === undefined) return [`20: it belongs to ${payment.terms.merchant}`];
  const { platform, channel } = payment.conversation;
  const isPlaced = merchant.conversations.includes(`${platform}:${channel}`);
  const others = audit.flatMap(({ who }) =>
    who === undefined || merchant.members?.includes(`${who.platform}:${who.id}`) ? [] : [who.id],
  );
  return [
    ...(isPlaced ? [] : [`20: ${merchant.name} has a payment of ${platform} ${channel}`]),
    ...others.map((id) => `20: ${id} moved a payment of ${merchant.name}`),
    ...postings
      .filter(({ fields }) => fields['service_id'] !== SERVICE_IDS[merchant.name])
      .map(({ fields }) => `20: ${merchant.name} was asked with service ${fields['service_id']}`),
  ];
};

/** By the name of the merchant. */
export const SERVICE_IDS: Readonly<Record<string, number>> = { osu: 7, tema: 8 };
