import { placeKey } from '../../../src/core/records/notify-rules.ts';
import { isLeftBehind, isLost, isUnclear } from './message-rules.ts';
import type { Rule } from './stories.ts';

/** 17: what a rule mirrors is one message there, which ends with the payment's last state. */
export const mirroredToTheEnd: Rule = ({ told, payment, attempts }, world) => {
  // The card of its run tells of a row.
  if (payment === undefined || payment.bulk !== undefined) return [];
  const { notify, notifyUntilMinutes } = world.habits;
  return notify.flatMap(({ place, mirror }) => {
    const state = mirror?.states[payment.state as keyof typeof mirror.states];
    if (mirror === undefined || isLost({ conversation: place }, world)) return [];
    const here = told.filter(
      ({ kind, platform, message }) =>
        kind === 'mirror' && platform === place.platform && message.channel === place.channel,
    );
    const { amountMinor } = payment.terms.amount;
    const fits = state === 'all' || (state !== undefined && amountMinor >= state.amountMinor);
    const posts = here.filter(({ isPost }) => isPost);
    if (posts.length === 0)
      return fits && notifyUntilMinutes === undefined
        ? [`17: it is ${payment.state}, and ${placeKey(place)} was not told`]
        : [];
    const wrong: string[] = [];
    const unclear = attempts.filter(
      (each) => each.channel === place.channel && each.kind === 'post' && isUnclear(each, world),
    ).length;
    if (posts.length > 1 + unclear)
      wrong.push(`17: ${posts.length} messages in ${placeKey(place)} after ${unclear} unclear`);
    const lasts = posts.map(({ message }) => here.findLast((each) => each.message === message));
    const isTrue = lasts.some(
      (last) => last !== undefined && (last.word === payment.state || isLeftBehind(last, world)),
    );
    if (!isTrue)
      wrong.push(`17: ${placeKey(place)} says ${lasts.at(-1)?.word}, and it is ${payment.state}`);
    return wrong;
  });
};
