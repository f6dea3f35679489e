import { KEEP_REQUEST_MS } from '../records/access-grants.ts';
import type { Notice } from '../records/notice.ts';
import { SETTLED_STATES } from '../records/payment.ts';
import { KEEP_APPROVAL_MS } from './approval-notices.ts';
import { KEEP_REPORT_MS } from './sms-notices.ts';

/**
 * A delivered notice is kept for this long. The next one of the same id then goes on counting its versions,
 * and an instance that is slow to record an earlier one cannot take the new one for it.
 */
export const KEEP_DELIVERED_MS = 3_600_000;

/** Longer than a payment without an outcome can change. */
const KEEP_UNSETTLED_MS = 30 * 24 * 3_600_000;

/**
 * What is edited later has to be found then: a question for as long as it may be answered, a report for longer than
 * its SMS goes out, a mirrored payment or a run for longer than it can change. Undefined: it is not edited.
 */
export const KEEP_POSTED_MS: Partial<Record<Notice['about']['kind'], number>> = {
  approval: KEEP_APPROVAL_MS,
  'access request': KEEP_REQUEST_MS,
  sms: KEEP_REPORT_MS,
  mirror: KEEP_UNSETTLED_MS,
  bulk: KEEP_UNSETTLED_MS,
  'run alert': KEEP_UNSETTLED_MS,
};

/** How long a notice is kept once it is delivered. What was told without an end has to be followed by it, whatever rule counts then. */
export const keepDeliveredMs = ({ about }: Notice): number =>
  about.kind === 'outcome' && !ENDS.has(about.of)
    ? KEEP_UNSETTLED_MS
    : (KEEP_POSTED_MS[about.kind] ?? KEEP_DELIVERED_MS);

const ENDS: ReadonlySet<string> = new Set(SETTLED_STATES);
