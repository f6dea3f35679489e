import type { Caller } from '../../../src/commands/inbound.ts';
import { textVerb } from '../../../src/commands/sms/text-buttons.ts';
import { smsReportId } from '../../../src/core/notices/sms-notices.ts';
import { cardText } from '../../support/card-text.ts';
import { isLookedAt } from './file-rules.ts';
import { draftIn } from './happenings.ts';
import { isLost } from './message-rules.ts';
import type { Stored } from './premises.ts';
import { SECRETS } from './simulated-engine.ts';
import type { Story } from './stories.ts';
import type { World } from './world.ts';

const WINDOW_MS = 60_000;
/** What is due may wait this long. */
const LATE_MS = 120_000;

/** 12: whatever comes, the service is not asked more often than was promised. */
export const keepsThePace = ({ gateway, weather, startsAtMs }: World): string[] => {
  const { requestsAtMs } = gateway;
  const { requestsPerSecond: rate } = weather;
  // A new process does not know what the one before it sent.
  const burst = Math.max(1, Math.floor(rate));
  // One whose turn came in the minute before may have waited for the database.
  const held = weather.isShared ? 1 : 0;
  for (let first = 0, last = 0; last < requestsAtMs.length; last++) {
    const endMs = requestsAtMs[last] ?? 0;
    while ((requestsAtMs[first] ?? 0) <= endMs - WINDOW_MS) first++;
    const starts = startsAtMs.filter((atMs) => atMs > endMs - WINDOW_MS - 2_000 && atMs <= endMs);
    if (last - first + 1 > (rate * WINDOW_MS) / 1_000 + burst * (1 + starts.length) + held)
      return [`12: ${last - first + 1} requests in a minute`];
  }
  return [];
};

/** 9: everybody who typed or pressed was answered. */
export const everybodyWasAnswered = (
  stories: readonly Story[],
  { people, chats, unanswered }: World,
): string[] => {
  const wrong = unanswered > 0 ? [`9: ${unanswered} events were never answered`] : [];
  const seen = new Set(people.shown.map(({ happening }) => happening.eventId));
  // Where the question becomes the payment card, that is the answer.
  const becameCard = ({ caller, id }: (typeof people.presses)[number]): boolean =>
    chats.some(
      ({ platform, questionsBecomeCards }) => platform === caller.platform && questionsBecomeCards,
    ) &&
    stories.some(
      ({ payment, questions }) => payment && questions.some((one) => one.buttonId === id),
    );
  // And the card of a run is the answer to the question about its file.
  const becameRun = ({ id, caller }: (typeof people.presses)[number]): boolean =>
    people.fileQuestions.has(draftIn(id)) &&
    chats.some(
      (chat) =>
        chat.questionsBecomeCards &&
        ((chat.questionWith(id)?.said.length ?? 0) > 1 || isLost(caller, { chats })),
    );
  // And the report of an SMS that to the press for it.
  const isReported = ({ eventId, id, verb, caller }: (typeof people.presses)[number]): boolean =>
    people.followed.has(eventId) &&
    people.texted.some(
      ({ id: batchId, about }) =>
        about?.paymentId === id && textVerb(about.of) === verb && isTold(batchId, caller),
    );
  const isTold = (batchId: string, caller: Caller): boolean =>
    isLost(caller, { chats }) ||
    chats.some(({ messages }) =>
      messages.some(({ key }) => key.startsWith(`${smsReportId(batchId)}.`)),
    );
  const ignored = people.presses.find(
    (press) =>
      !seen.has(press.eventId) && !becameCard(press) && !becameRun(press) && !isReported(press),
  );
  if (ignored !== undefined) wrong.push(`9: nothing was shown for ${ignored.eventId}`);
  return wrong;
};

/** 9: a mistake of ours is no answer. */
export const nobodyMetAFault = ({ people }: World): string[] =>
  people.shown.flatMap(({ happening: { eventId }, card }) =>
    cardText(card).includes('Something went wrong here') ? [`9: a fault answered ${eventId}`] : [],
  );

/** 9: what a person was told is confirmed is stored. */
export const confirmedIsKept = (stories: readonly Story[], { people }: World): string[] =>
  people.shown.flatMap(({ happening: { what }, card, atMs: shownAtMs }) => {
    if (what.kind !== 'press' || !/^(Confirmed|Approved):/.test(card.title)) return [];
    if (people.fileQuestions.has(draftIn(what.id))) return [];
    const id = people.questions.findLast(
      ({ buttonId, atMs }) => buttonId === what.id && atMs <= shownAtMs,
    )?.transactionId;
    const isKept = stories.some(
      (each) =>
        each.payment !== undefined &&
        (each.id === id || each.audit.some(({ detail }) => detail?.draft === draftIn(what.id))),
    );
    return isKept ? [] : [`9: ${id} was said to be confirmed, and is lost`];
  });

/** 11: nothing waits that is due. */
export const nothingIsDue = ({ records }: Stored, nowMs: number): string[] =>
  records.flatMap(({ kind, record }) =>
    record.due !== undefined &&
    record.due.atMs < nowMs - LATE_MS &&
    !(kind === 'bulk' && isLookedAt(record, nowMs))
      ? [`11: ${kind} ${record.id} was due ${nowMs - record.due.atMs} ms ago`]
      : [],
  );

/** 15: no number of a customer and no secret in what everybody can read. */
export const keepsSecrets = ({ chats, people, overheard }: World): string[] => {
  const texts = [
    ...overheard,
    ...chats.flatMap(({ messages }) =>
      messages
        // The question for an approver names the number, as the one for the requester does until it is answered.
        .filter(({ key }) => !key.includes('.approval'))
        .flatMap(({ said }) => said.filter(({ card }) => !/\?$/.test(card.title)))
        .map(({ card }) => cardText(card)),
    ),
  ];
  const national = people.orders.map(({ number }) => number.slice(1));
  const all = texts.join('\n');
  const digits = all.replace(/[ .-]/g, '');
  return [
    ...SECRETS.filter((secret) => all.includes(secret)).map((secret) => `15: ${secret} is seen`),
    ...national.filter((number) => digits.includes(number)).map(() => '15: a number is seen'),
  ];
};
