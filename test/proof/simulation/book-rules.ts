import type { PaymentState } from '../../../src/core/records/payment.ts';
import type { Rule } from './stories.ts';

const OPEN_ENDS: readonly PaymentState[] = ['pending', 'unknown'];

/** The moves there are; a change that leaves the state as it was is always one. */
const MOVES: Readonly<Record<PaymentState, readonly PaymentState[]>> = {
  // What the service calls back about or has a status for was sent, whatever was answered.
  confirmed: ['submitting', 'not sent', 'unknown', 'pending', 'completed', 'failed'],
  // Back to confirmed: 429.
  submitting: ['confirmed', 'pending', 'unknown', 'not sent', 'refused'],
  pending: ['completed', 'failed'],
  unknown: ['pending', 'completed', 'failed'],
  completed: [],
  failed: [],
  'not sent': [],
  refused: [],
};

/** 3, 10, 13: the audit tells the whole story, every step of it was allowed, and it ends at what is stored. */
export const auditIsWhole: Rule = ({ payment, audit }) => {
  if (payment === undefined) return audit.length === 0 ? [] : ['10: audited, and not stored'];
  const wrong: string[] = [];
  let state: string | null = null;
  for (const { before, after, what } of audit) {
    if (before !== state) wrong.push(`10: ${what} began at ${before} and not at ${state}`);
    const moves: readonly string[] = MOVES[(before ?? 'completed') as PaymentState];
    if (before !== null && after !== before && !moves.includes(String(after)))
      wrong.push(`3: ${what} moved it from ${before} to ${after}`);
    state = after;
  }
  if (audit[0]?.before !== null) wrong.push('10: its beginning is not audited');
  if (state !== payment.state) wrong.push(`10: audited as ${state}, stored as ${payment.state}`);
  if (audit.length !== payment.version)
    wrong.push(`10: ${audit.length} audit rows for version ${payment.version}`);
  return wrong;
};

/** 11: after three healed days a payment has an end, or a person was called. */
export const nothingIsStuck: Rule = ({ payment }) => {
  if (payment === undefined) return [];
  const { state, flag } = payment;
  if (!OPEN_ENDS.includes(state))
    return state === 'confirmed' || state === 'submitting' ? [`11: it is stuck at ${state}`] : [];
  return flag === undefined ? [`11: it is still ${state}, and nobody was called`] : [];
};
