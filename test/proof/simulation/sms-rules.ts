import { leftToGive } from '../../../src/core/records/given-back.ts';
import type { Payment } from '../../../src/core/records/payment.ts';
import { startOfDayMs } from '../../../src/core/values/calendar-day.ts';
import { nightEndsAtMs } from '../../../src/core/values/night.ts';
import { cardText } from '../../support/card-text.ts';
import type { Texting } from './gateway.ts';
import type { Stored } from './premises.ts';
import { TIME_ZONE } from './simulated-engine.ts';
import type { Rule } from './stories.ts';
import type { Timeline } from './timeline.ts';
import type { World } from './world.ts';

/** 16: each request for SMS goes out once, and again only after a 429; a text of a merchant goes out once for each press. */
export const textedOnce = (world: World): string[] => {
  const { gateway } = world;
  const wrong: string[] = [];
  for (const [id, requests] of Map.groupBy(gateway.texts, ({ uniqueId }) => uniqueId)) {
    const sent = requests.filter(({ fate }) => fate !== 'busy').length;
    if (sent > 1) wrong.push(`16: ${id} was sent ${sent} times`);
    if (requests.length > 6) wrong.push(`16: ${id} was sent ${requests.length} times after 429`);
  }
  const accepted = gateway.texts.filter(({ isAccepted }) => isAccepted);
  const alike = Map.groupBy(accepted, ({ text, serviceId }) => `${serviceId} ${text}`);
  for (const copies of alike.values()) {
    const { text = '' } = copies[0] ?? {};
    const pressed = OF_A_TEMPLATE.test(text) ? undefined : pressedQuestions(text, world).size;
    for (const recipient of new Set(copies.flatMap(({ recipients }) => recipients))) {
      const theirs = copies.filter(({ recipients }) => recipients.includes(recipient));
      const times = theirs.length;
      if (times > (pressed ?? mostOfTemplate(text, theirs, world)))
        wrong.push(`16: "${text}" was accepted ${times} times for one recipient`);
    }
  }
  return wrong;
};

const OF_A_TEMPLATE = /^(receipt|reminder|filed) /;

/** How often one recipient may have a text of a template that was accepted at these moments. */
const mostOfTemplate = (text: string, accepted: readonly Texting[], { weather }: World): number => {
  if (!text.startsWith('reminder ')) return 1;
  // A payment has one reminder, a row of a file one a day, and a clock that is set makes days.
  const days = new Set(accepted.map(({ atMs }) => startOfDayMs(atMs, TIME_ZONE))).size;
  return (OF_A_ROW.test(text) ? days : 1) + (weather.clockJumps > 0 ? 1 : 0);
};

const OF_A_ROW = / file \d+ row \d+$/;

/** The questions about a text that a person pressed. */
const pressedQuestions = (text: string, { people, weather }: World): Set<string> => {
  const { shown, presses } = people;
  const pressed = new Set(presses.filter(({ verb }) => verb === 'send').map(({ id }) => id));
  return new Set(
    shown.flatMap(({ card }, at) =>
      (card.buttons ?? []).flatMap((each) =>
        each.kind === 'press' &&
        each.verb === 'send' &&
        pressed.has(each.id) &&
        cardText(card).includes(text)
          ? // A question is forgotten after a day by the clock: typed words that come again ask it anew.
            [weather.clockJumps > 0 ? `${each.id} ${at}` : each.id]
          : [],
      ),
    ),
  );
};

/** 16: each request for SMS has an end in the audit, and what was accepted is not said to be unsent. */
export const textsHaveEnds = ({ audit }: Stored, { gateway }: World): string[] => {
  const ends = new Map<string, string | null>();
  for (const { kind, what, after } of audit)
    if (kind === 'sms' && what.startsWith('chunk ')) ends.set(what.slice('chunk '.length), after);
  const open = [...ends].filter(([, end]) => end === 'sending' || end === 'waiting');
  const denied = gateway.texts.filter(
    ({ uniqueId, isAccepted }) =>
      isAccepted && ['not sent', 'refused'].includes(String(ends.get(uniqueId))),
  );
  const unknown = gateway.texts.filter(({ uniqueId }) => !ends.has(uniqueId));
  return [
    ...open.map(([id, end]) => `16: SMS ${id} is ${end} for ever`),
    ...denied.map(({ uniqueId }) => `16: SMS ${uniqueId} was accepted, and is said to be unsent`),
    ...unknown.map(({ uniqueId }) => `16: SMS ${uniqueId} was sent before that was stored`),
  ];
};

/** Whether a payment of the world's last night owes its receipt to a morning after the end. */
const waitsForMorning = ({ settledAtMs = 0 }: Payment, { nowMs }: Timeline): boolean =>
  settledAtMs <= nowMs && (nightEndsAtMs(settledAtMs, TIME_ZONE) ?? 0) > nowMs;

/** 16: with `RECEIPT=always` a completed payment has its receipt, or word that it was not sent, unless all was given back. */
export const receiptsAreSent: Rule = ({ payment, audit }, { habits, timeline }) =>
  habits.receipt === 'always' &&
  payment?.state === 'completed' &&
  !waitsForMorning(payment, timeline) &&
  payment.flag === undefined &&
  leftToGive(payment).amountMinor > 0 &&
  !payment.texts?.some(({ kind }) => kind === 'receipt') &&
  !audit.some(({ what }) => what === 'text not sent')
    ? ['16: it is completed, and its receipt was lost']
    : [];
