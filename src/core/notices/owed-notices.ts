import { isOwed, type Notice, newNotice } from '../records/notice.ts';
import { tells } from '../records/notify-rules.ts';
import { hasEnd, isPromptOver, isSettled, outcomeWord, type Payment } from '../records/payment.ts';
import type { Put } from '../records/records.ts';
import { defined } from '../runtime/defined.ts';
import type { Store } from '../store/store.ts';
import type { MessageRef } from '../values/conversation.ts';
import { shortIdFrom } from '../values/transaction-id.ts';
import { LEASE_MS } from '../work/worker.ts';
import { editPaceMs, NOTICE_KINDS } from './notice-kinds.ts';
import { type ToldWhere, WITHOUT_RULES } from './notify-rules.ts';

/** Most unknown payments are known seconds later; only one that stays unknown is worth a message of its own. */
const UNKNOWN_PATIENCE_MS = 30_000;

/** Puts that store notices, each as the next version of its id: of one that is still owed, only the newest is delivered. */
export const oweNotices = (
  store: Pick<Store, 'get'>,
  notices: readonly Notice[],
): Promise<Extract<Put, { readonly kind: 'notice' }>[]> =>
  Promise.all(
    notices.map(async (notice) => {
      const earlier = await store.get('notice', notice.id);
      const version = (earlier?.version ?? 0) + 1;
      const next =
        NOTICE_KINDS[notice.about.kind].does === 'one'
          ? nextOfOne(notice, earlier)
          : { ...notice, about: nextCard(notice.about, earlier) };
      return { kind: 'notice', record: { ...next, version } } as const;
    }),
  );

/** The message that a notice was posted as. `waiting`: it is still to be posted. Undefined: there is none. */
export const postedMessage = async (
  store: Pick<Store, 'get'>,
  noticeId: string,
): Promise<MessageRef | 'waiting' | undefined> => {
  const notice = await store.get('notice', noticeId);
  return notice?.message ?? (isOwed(notice) ? 'waiting' : undefined);
};

/**
 * The next edit of a message that tells progress; none while an earlier one is not due, which then tells it. One that
 * is due may be on its way with what was true before.
 */
export const oweProgress = async (
  store: Pick<Store, 'get'>,
  edit: Notice,
  nowMs: number,
): Promise<Put[]> => {
  const earlier = await store.get('notice', edit.id);
  if (isOwed(earlier) && earlier.due.atMs > nowMs) return [];
  return oweNotices(store, [paced(edit, nowMs)]);
};

export const paced = (edit: Notice, nowMs: number): Notice => ({
  ...edit,
  due: { queue: 'notice', atMs: nowMs + editPaceMs(edit) },
});

/** What an earlier edit of the card was to tell alone is still told by it alone. */
const nextCard = (about: Notice['about'], earlier: Notice | undefined): Notice['about'] =>
  about.kind === 'card' && isOwed(earlier) ? { ...earlier.about, ...about } : about;

/**
 * One message for all changes: it is edited once it was posted. A first post that may be on its way is not followed by
 * another one: its process stores where it landed, and if that process died, the next one searches for the message.
 * One that is not due is not on its way, or was put off for it: put off by each change, it would never be tried.
 */
const nextOfOne = (notice: Notice, earlier: Notice | undefined): Notice => {
  if (earlier?.message !== undefined) return { ...notice, message: earlier.message };
  if (!isOwed(earlier)) return notice;
  if (earlier.due.atMs > notice.createdAtMs) return earlier;
  return { ...earlier, due: { queue: 'notice', atMs: notice.createdAtMs + LEASE_MS } };
};

/** Version 1 of each notice that a change of a payment calls for. Pure. */
export const paymentNotices = (
  before: Payment,
  after: Payment,
  nowMs: number,
  telling: ToldWhere = WITHOUT_RULES,
): Notice[] => {
  const notices: Notice[] = [];
  const isDifferent = looksDifferent(before, after);
  const isAlone = isOnCardAlone(before, after, telling);
  const atMs = outcomeAtMs(before, after, nowMs);
  const alone = isAlone && atMs !== undefined ? outcomeWord(after) : undefined;
  if (after.card !== undefined && isDifferent) notices.push(cardNotice(after, nowMs, alone));
  if (atMs !== undefined && !isAlone) notices.push(outcomeNotice(after, nowMs, atMs));
  const isNew = mayPostMirror(before, after);
  if (isDifferent)
    for (const place of telling.mirrors) notices.push(mirrorNotice(after, place, nowMs, isNew));
  return notices;
};

/** Whether a change is told where no message of the payment is: what ended long ago would look as if it ended now. */
export const mayPostMirror = (before: Payment, after: Payment): boolean =>
  callsForAPerson(before, after) || (!isSettled(before) && looksDifferent(before, after));

/** Never without a card, and never after a message that told another outcome: the last message has to be true. */
const isOnCardAlone = (before: Payment, after: Payment, { level, wasTold }: ToldWhere): boolean => {
  if (tells(level, after) || after.card === undefined || wasTold) return false;
  // With `problems`, what called for a person was told, so its end is told too.
  return hasEnd(after) && (level === 'none' || before.flag === undefined);
};

/** Brings the payment card up to date. `alone`: the outcome that the card alone tells. */
export const cardNotice = (payment: Payment, nowMs: number, alone?: string): Notice =>
  noticeOf(payment, { kind: 'card', paymentId: payment.id, ...defined({ alone }) }, nowMs);

const mirrorNotice = ({ id }: Payment, place: string, nowMs: number, isNew: boolean): Notice => {
  const at = place.indexOf(':');
  const conversation = { platform: place.slice(0, at), channel: place.slice(at + 1) };
  const about = { kind: 'mirror', paymentId: id, onlyEdits: !isNew } as const;
  return newNotice({ id: `${id}.mirror.${shortIdFrom(place)}`, about, conversation }, nowMs);
};

const outcomeNotice = (payment: Payment, nowMs: number, atMs: number): Notice => {
  const about = { kind: 'outcome', paymentId: payment.id, of: outcomeWord(payment) } as const;
  return noticeOf(payment, about, nowMs, atMs);
};

const noticeOf = (
  { id, card, conversation, requester }: Payment,
  about: Notice['about'],
  nowMs: number,
  atMs = nowMs,
): Notice => {
  const place = { conversation: card?.conversation ?? conversation, to: requester };
  return newNotice({ id: `${id}.${about.kind}`, about, ...place }, nowMs, atMs);
};

/** Whether a flag was raised, or raised again after a longer wait. */
export const callsForAPerson = (before: Payment, after: Payment): boolean =>
  after.flag !== undefined && outcomeWord(after) !== outcomeWord(before);

const looksDifferent = (before: Payment, after: Payment): boolean =>
  shownState(before) !== shownState(after) ||
  before.flag !== after.flag ||
  before.overdue !== after.overdue ||
  before.reason !== after.reason ||
  isPromptOver(before) !== isPromptOver(after) ||
  before.checkoutUrl !== after.checkoutUrl ||
  before.texts?.length !== after.texts?.length ||
  before.givenBack?.length !== after.givenBack?.length;

/** The card says the same in both states before the service has answered, but for why it waits after a 429. */
const shownState = ({ state, rateLimits }: Payment): string => {
  if (state === 'submitting') return 'being sent';
  if (state === 'confirmed') return rateLimits === 0 ? 'being sent' : 'waiting';
  return state;
};

/** When the outcome has to be told; undefined: there is none, or it was told. */
const outcomeAtMs = (before: Payment, after: Payment, nowMs: number): number | undefined => {
  if (callsForAPerson(before, after)) return nowMs;
  // While a person is called the word stays the same, and a notice of another would be overtaken.
  if (outcomeWord(after) === outcomeWord(before)) return undefined;
  if (after.state === 'unknown') return nowMs + UNKNOWN_PATIENCE_MS;
  return isSettled(after) ? nowMs : undefined;
};
