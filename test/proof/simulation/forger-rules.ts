import { SERVICE_IDS } from './seats.ts';
import type { Rule } from './stories.ts';

/** 17: a press of somebody without rights, or of the other merchant's staff, is in no book. */
export const forgeriesAreNothing: Rule = ({ audit }, { people }) =>
  audit.flatMap(({ what, who, button }) =>
    button !== undefined && who !== undefined && people.staff.isForger(who)
      ? [`17: ${what} by ${who.id}, who may not press ${button}`]
      : [],
  );

/** 20: a merchant's money is asked for with its own keys, and its payments are moved by its own people alone. */
export const merchantsAreApart: Rule = ({ payment, postings, audit }, { people, habits }) => {
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
