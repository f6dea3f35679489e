import { outcomeWord, type Payment } from '../records/payment.ts';

/** A notice that a change of a payment calls for. */
export type OwedNotice =
  | { readonly kind: 'card'; readonly atMs: number }
  | { readonly kind: 'outcome'; readonly of: string; readonly atMs: number };

/** Most unknown payments are known seconds later; only one that stays unknown is worth a message of its own. */
const UNKNOWN_PATIENCE_MS = 30_000;

/** What the conversation must be told after a payment changed. Pure. */
export const owedNotices = (before: Payment, after: Payment, nowMs: number): OwedNotice[] => {
  const owed: OwedNotice[] = [];
  if (after.card !== undefined && looksDifferent(before, after))
    owed.push({ kind: 'card', atMs: nowMs });
  if (callsForAPerson(before, after))
    owed.push({ kind: 'outcome', of: outcomeWord(after), atMs: nowMs });
  // While a person is called the word stays the same, and a notice of another would be overtaken.
  else if (outcomeWord(after) !== outcomeWord(before)) owed.push(...outcomeOf(after, nowMs));
  return owed;
};

/** Whether a flag was raised, or raised again after a longer wait. */
export const callsForAPerson = (before: Payment, after: Payment): boolean =>
  after.flag !== undefined && outcomeWord(after) !== outcomeWord(before);

const looksDifferent = (before: Payment, after: Payment): boolean =>
  shownState(before) !== shownState(after) ||
  before.flag !== after.flag ||
  before.overdue !== after.overdue ||
  before.reason !== after.reason ||
  before.checkoutUrl !== after.checkoutUrl;

/** The card says the same in both states before the service has answered, but for why it waits after a 429. */
const shownState = ({ state, rateLimits }: Payment): string => {
  if (state === 'submitting') return 'being sent';
  if (state === 'confirmed') return rateLimits === 0 ? 'being sent' : 'waiting';
  return state;
};

const outcomeOf = ({ state }: Payment, nowMs: number): OwedNotice[] => {
  switch (state) {
    case 'completed':
    case 'failed':
    case 'not sent':
    case 'refused':
      return [{ kind: 'outcome', of: state, atMs: nowMs }];
    case 'unknown':
      return [{ kind: 'outcome', of: state, atMs: nowMs + UNKNOWN_PATIENCE_MS }];
    default:
      return [];
  }
};
