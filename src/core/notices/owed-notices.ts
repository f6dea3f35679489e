import { type Notice, newNotice } from '../records/notice.ts';
import { isPromptOver, isSettled, outcomeWord, type Payment } from '../records/payment.ts';
import type { Put } from '../records/records.ts';
import type { Store } from '../store/store.ts';

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
      return { kind: 'notice', record: { ...notice, version } } as const;
    }),
  );

/** Version 1 of each notice that a change of a payment calls for. Pure. */
export const paymentNotices = (before: Payment, after: Payment, nowMs: number): Notice[] => {
  const notices: Notice[] = [];
  if (after.card !== undefined && looksDifferent(before, after))
    notices.push(cardNotice(after, nowMs));
  const atMs = outcomeAtMs(before, after, nowMs);
  if (atMs !== undefined) notices.push(outcomeNotice(after, nowMs, atMs));
  return notices;
};

/** Brings the payment card up to date. */
export const cardNotice = (payment: Payment, nowMs: number): Notice =>
  noticeOf(payment, { kind: 'card', paymentId: payment.id }, nowMs);

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
  before.checkoutUrl !== after.checkoutUrl;

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
