import type { Weight } from '../cluster/pace-book.ts';
import { accessRequestOf } from '../records/access-grants.ts';
import type { BulkRun } from '../records/bulk.ts';
import { digestsOf } from '../records/digest.ts';
import { type ApprovableDraft, isApprovable } from '../records/draft.ts';
import { keptDayOf } from '../records/kept-day.ts';
import type { Alert, Notice } from '../records/notice.ts';
import { outcomeWord, type Payment } from '../records/payment.ts';
import { countedIn } from '../records/payment-figures.ts';
import { type SmsBatch, smsTally } from '../records/sms-batch.ts';
import { assertNever } from '../runtime/errors.ts';
import type { Store } from '../store/store.ts';
import { isoDate } from '../values/calendar-day.ts';
import type { Conversation, MessageRef } from '../values/conversation.ts';
import { approvalNoticeId } from './approval-notices.ts';
import { cardOfRun } from './bulk-notices.ts';
import type { Editing, MessageContent, Posting } from './message-content.ts';
import { postedMessage } from './owed-notices.ts';
import { smsReportId } from './sms-notices.ts';

type MessagePlan =
  | Posting
  | Editing
  | { readonly kind: 'nothing' }
  /** It has to wait. */
  | { readonly kind: 'not sent'; readonly reason: string };

const DAY_MS = 24 * 3_600_000;

const NOTHING: MessagePlan = { kind: 'nothing' };

type About<K extends Notice['about']['kind']> = Extract<Notice['about'], { readonly kind: K }>;

/** What a plan is made from. */
export type PlanNeeds = {
  readonly store: Pick<Store, 'get' | 'totalPayments'>;
  /** Whether a draft is what its requester saw, and its time is not over. */
  readonly isStillAsked: (draft: ApprovableDraft) => Promise<boolean>;
};

/** What a notice comes to now: the record it is about decides, not what was true when it was owed. */
export const planMessage = async (notice: Notice, needs: PlanNeeds): Promise<MessagePlan> => {
  const { about, conversation, message } = notice;
  switch (about.kind) {
    case 'mirror':
    case 'card':
    case 'stale outcome':
    case 'outcome': {
      const payment = await needs.store.get('payment', about.paymentId);
      return payment === undefined ? NOTHING : planPayment(about, payment, notice);
    }
    case 'sms':
    case 'sms edit': {
      const batch = await needs.store.get('sms', about.batchId);
      return batch === undefined ? NOTHING : planSms(about, batch, conversation, needs.store);
    }
    case 'bulk':
    case 'bulk edit':
    case 'bulk end': {
      const run = await needs.store.get('bulk', about.runId);
      return run === undefined ? NOTHING : planRun(about, run, conversation, needs.store);
    }
    case 'run alert': {
      const run = await needs.store.get('bulk', about.runId);
      return run === undefined ? NOTHING : planRunAlert(run, message, needs.store);
    }
    case 'approval':
    case 'approval reminder':
    case 'approval news':
    case 'approval edit': {
      const draft = await needs.store.get('draft', about.draftId);
      return draft === undefined || !isApprovable(draft)
        ? NOTHING
        : planApproval(about, draft, notice, needs);
    }
    case 'access request':
    case 'access request edit':
    case 'access news':
      return planAccess(about, needs.store);
    case 'digest':
    case 'digest picture':
      return planDigest(about, needs.store);
    case 'today':
      return planToday(about, message, needs.store);
    case 'alert':
      return planAlert(about.alert, needs.store);
    default:
      return assertNever(about);
  }
};

const planPayment = (
  about: About<'mirror' | 'card' | 'stale outcome' | 'outcome'>,
  payment: Payment,
  { conversation, message }: Notice,
): MessagePlan => {
  const { card } = payment;
  if (about.kind === 'mirror') {
    const content = { kind: 'mirror', payment } as const;
    if (message !== undefined) return edit(content, message, cardWeight(payment));
    return about.onlyEdits === true ? NOTHING : post(content, 'mirror', 'card');
  }
  if (about.kind === 'card')
    return editPosted(card, { kind: 'card', payment }, cardWeight(payment));
  if (about.kind === 'stale outcome')
    return edit({ kind: 'outcome', payment, toldBefore: about.told }, about.message);
  // What it was to tell is over; if that is worth telling, a newer notice does.
  if (about.of !== outcomeWord(payment)) return NOTHING;
  return under(post({ kind: 'outcome', payment }, about.of), card, conversation);
};

const planRunAlert = async (
  run: BulkRun,
  message: MessageRef | undefined,
  store: Pick<Store, 'totalPayments'>,
): Promise<MessagePlan> => {
  const flagged = async (flag: NonNullable<Payment['flag']>): Promise<number> =>
    countedIn((await store.totalPayments({ bulk: run.id, flag })).totals);
  const [waiting, inConflict] = await Promise.all([flagged('needs a person'), flagged('conflict')]);
  if (waiting + inConflict === 0) return NOTHING;
  const content = { kind: 'run alert', run, waiting, inConflict } as const;
  return message === undefined ? post(content, 'payments') : edit(content, message);
};

/** One message for an SMS, in the thread of the payment that it is about. */
const planSms = async (
  { kind }: About<'sms' | 'sms edit'>,
  batch: SmsBatch,
  conversation: Conversation,
  store: Pick<Store, 'get'>,
): Promise<MessagePlan> => {
  const content = { kind: 'sms', batch } as const;
  if (kind === 'sms edit') {
    const weight = smsTally(batch).left > 0 ? 'pending' : 'card';
    return editPosted(await postedMessage(store, smsReportId(batch.id)), content, weight);
  }
  const payment = batch.about && (await store.get('payment', batch.about.paymentId));
  return under(post(content, 'report'), payment?.card, conversation);
};

/** One card of a run, edited as it goes on, and in its thread a message at the end. */
const planRun = async (
  { kind }: About<'bulk' | 'bulk edit' | 'bulk end'>,
  run: BulkRun,
  conversation: Conversation,
  store: Pick<Store, 'get'>,
): Promise<MessagePlan> => {
  if (kind === 'bulk') return post({ kind: 'run', run }, 'run', 'card');
  const card = await cardOfRun(store, run);
  if (kind === 'bulk edit')
    return editPosted(card, { kind: 'run', run }, run.endedAtMs === undefined ? 'pending' : 'card');
  const posted = card === 'waiting' ? undefined : card;
  return under(post({ kind: 'run end', run }, 'end'), posted, conversation);
};

/** In the thread of the card; after a fallback to another conversation the card is not there to be answered. */
const under = (
  posting: Posting,
  card: MessageRef | undefined,
  conversation: Conversation,
): Posting =>
  card?.conversation.channel === conversation.channel ? { ...posting, under: card } : posting;

/** The edit of the message that another notice posted, or will. */
const editPosted = (
  message: Awaited<ReturnType<typeof postedMessage>>,
  content: MessageContent,
  weight?: Weight,
): MessagePlan => {
  if (message === 'waiting')
    return { kind: 'not sent', reason: 'the message to edit is being posted' };
  return message === undefined ? NOTHING : edit(content, message, weight);
};

const planApproval = async (
  about: About<'approval' | 'approval reminder' | 'approval news' | 'approval edit'>,
  draft: ApprovableDraft,
  { conversation, message }: Pick<Notice, 'conversation' | 'message'>,
  { store, isStillAsked }: PlanNeeds,
): Promise<MessagePlan> => {
  if (about.kind === 'approval news') {
    const news = { kind: 'approval news', draft } as const;
    return message === undefined ? post(news, draft.status) : edit(news, message);
  }
  const end = { kind: 'approval end', draft } as const;
  if (about.kind === 'approval edit')
    return about.of === 'question'
      ? editPosted(draft.question?.ref, { kind: 'question end', draft })
      : editPosted(await postedMessage(store, approvalNoticeId(draft, about.of, about.at)), end);
  if (draft.status !== 'awaiting approval' || !(await isStillAsked(draft))) return NOTHING;
  if (about.kind === 'approval')
    return post({ kind: 'approval question', draft }, 'question', 'question');
  const question = await postedMessage(store, approvalNoticeId(draft, 'approval', about.at));
  // The question that is still to be posted reminds by itself.
  if (question === undefined || question === 'waiting') return NOTHING;
  return under(
    post({ kind: 'approval reminder', draft }, 'reminder', 'answer'),
    question,
    conversation,
  );
};

const planAccess = async (
  about: About<'access request' | 'access request edit' | 'access news'>,
  store: Pick<Store, 'get'>,
): Promise<MessagePlan> => {
  const request = await accessRequestOf(about.requestId).in(store);
  if (request === undefined) return NOTHING;
  if (about.kind === 'access request')
    return request.status === 'open'
      ? post({ kind: 'access request', request }, 'question', 'answer')
      : NOTHING;
  if (about.kind === 'access news') return post({ kind: 'access news', request }, request.status);
  const message = await postedMessage(store, about.question);
  return editPosted(message, { kind: 'access request end', request });
};

const planDigest = async (
  about: About<'digest' | 'digest picture'>,
  store: Pick<Store, 'get'>,
): Promise<MessagePlan> => {
  const digest = (await digestsOf(Date.parse(about.day) / DAY_MS).in(store))?.[about.at];
  if (digest === undefined) return NOTHING;
  if (about.kind === 'digest') return post({ kind: 'digest', digest }, 'digest', 'card');
  const period = digest.periods?.find(({ of }) => of === about.of);
  return period === undefined
    ? NOTHING
    : post({ kind: 'digest picture', digest, period }, about.of, 'card');
};

/** One message of a day; what is no longer kept is not told. */
const planToday = async (
  { place, day }: About<'today'>,
  message: MessageRef | undefined,
  store: Pick<Store, 'get'>,
): Promise<MessagePlan> => {
  const kept = await keptDayOf(place).in(store);
  if (kept === undefined || isoDate(kept.shown.day) !== day) return NOTHING;
  const content = { kind: 'today', kept } as const;
  return message === undefined ? post(content, 'today', 'card') : edit(content, message, 'pending');
};

const planAlert = async (alert: Alert, store: Pick<Store, 'get'>): Promise<MessagePlan> => {
  if (alert.kind !== 'payment') return post({ kind: 'alert', alert }, alert.kind);
  const payment = await store.get('payment', alert.paymentId);
  return payment === undefined || alert.of !== outcomeWord(payment)
    ? NOTHING
    : post({ kind: 'payment alert', payment }, alert.of);
};

const post = (content: MessageContent, of: string, weight: Weight = 'outcome'): Posting => ({
  kind: 'post',
  content,
  of,
  weight,
});

const edit = (content: MessageContent, message: MessageRef, weight: Weight = 'card'): Editing => ({
  kind: 'edit',
  content,
  message,
  weight,
});

/** `pending`: the edit says no more than that the payment is under way, and shows no link to pay by. */
const cardWeight = ({ state, flag, checkoutUrl }: Payment): Weight => {
  const isUnderWay = state === 'confirmed' || state === 'submitting' || state === 'pending';
  return isUnderWay && flag === undefined && checkoutUrl === undefined ? 'pending' : 'card';
};
