import { KEEP_REQUEST_MS } from '../records/access-grants.ts';
import type { Notice } from '../records/notice.ts';
import { placeKey } from '../records/notify-rules.ts';
import { SETTLED_STATES } from '../records/payment.ts';
import type { Conversation } from '../values/conversation.ts';

type Kind = Notice['about']['kind'];

/** What holds for all notices of a kind. */
type NoticeKind = {
  /** `one`: the first notice posts a message, and the next ones of its id edit it. */
  readonly does: 'post' | 'edit' | 'one';
  /** Where what is no edit goes when its conversation is lost. @default to the requester, then to the operators */
  readonly goes?: 'nowhere' | 'to operators of the platform';
  /** How long a message that is edited or replied to later is found by its notice. */
  readonly keepMs?: number;
  /** Between two edits that tell progress: Slack takes about 50 edits a minute, a group of Telegram 20 of anything. @default 0 */
  readonly paceMs?: number;
};

/**
 * A delivered notice is kept for this long. The next one of the same id then goes on counting its versions,
 * and an instance that is slow to record an earlier one cannot take the new one for it.
 */
export const KEEP_DELIVERED_MS = 3_600_000;
/** Longer than an approval can be awaited, and than an SMS goes out. */
const TWO_DAYS_MS = 48 * 3_600_000;
/** Longer than a payment without an outcome, or a run, can change. */
const KEEP_UNSETTLED_MS = 30 * 24 * 3_600_000;

export const NOTICE_KINDS: Readonly<Record<Kind, NoticeKind>> = {
  card: { does: 'edit' },
  // What is told somewhere as well is told in its own conversation anyway.
  mirror: { does: 'one', goes: 'nowhere', keepMs: KEEP_UNSETTLED_MS },
  // A reply to it is about its payment.
  outcome: { does: 'post', keepMs: KEEP_DELIVERED_MS },
  'stale outcome': { does: 'edit' },
  sms: { does: 'post', keepMs: TWO_DAYS_MS },
  'sms edit': { does: 'edit', paceMs: 5_000 },
  bulk: { does: 'post', keepMs: KEEP_UNSETTLED_MS },
  'bulk edit': { does: 'edit', paceMs: 2_000 },
  'bulk end': { does: 'post' },
  'run alert': { does: 'one', keepMs: KEEP_UNSETTLED_MS, paceMs: 10_000 },
  // Approvers are people of the requester's platform.
  approval: { does: 'post', goes: 'to operators of the platform', keepMs: TWO_DAYS_MS },
  'approval reminder': { does: 'post', goes: 'nowhere' },
  'approval edit': { does: 'edit' },
  // The reason of a refusal is written into the message that told it.
  'approval news': { does: 'one', keepMs: TWO_DAYS_MS },
  'access request': { does: 'post', keepMs: KEEP_REQUEST_MS },
  'access request edit': { does: 'edit' },
  'access news': { does: 'post' },
  // Sums are told only where the settings say.
  digest: { does: 'post', goes: 'nowhere' },
  today: { does: 'one', goes: 'nowhere', keepMs: TWO_DAYS_MS, paceMs: 60_000 },
  'digest picture': { does: 'post', goes: 'nowhere' },
  alert: { does: 'post' },
};

/** How long a message stays as it is after an attempt to deliver this notice. */
export const editPaceMs = ({ about }: Notice): number => NOTICE_KINDS[about.kind].paceMs ?? 0;

/** How long a notice is kept once it is delivered. What was told without an end has to be followed by it, whatever rule counts then. */
export const keepDeliveredMs = ({ about }: Notice): number =>
  about.kind === 'outcome' && !(SETTLED_STATES as readonly string[]).includes(about.of)
    ? KEEP_UNSETTLED_MS
    : (NOTICE_KINDS[about.kind].keepMs ?? KEEP_DELIVERED_MS);

/** Where a notice goes when it cannot be delivered where it is; undefined: nowhere, as with every edit. */
export const placeAfter = (
  { about, to, conversation, message }: Notice,
  operators: readonly Conversation[],
): Conversation | undefined => {
  const { does, goes } = NOTICE_KINDS[about.kind];
  // A reason is told nowhere else, so an edit that cannot be is posted, in the same conversation first.
  if (message !== undefined) return about.kind === 'approval news' ? conversation : undefined;
  if (goes === 'nowhere' || does === 'edit') return undefined;
  const places = [
    // A conversation with one person alone: on every platform a person's id names it.
    ...(to === undefined ? [] : [{ platform: to.platform, channel: to.id }]),
    ...operators.filter(({ platform }) => goes === undefined || platform === conversation.platform),
  ];
  const at = places.findIndex((place) => placeKey(place) === placeKey(conversation));
  // Not among them: it is still in the conversation where the payment was asked for.
  return places[at + 1];
};
