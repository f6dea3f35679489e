import { Callbacks } from '../../core/callbacks/callbacks.ts';
import { UnmatchedCallbacks } from '../../core/callbacks/unmatched-callbacks.ts';
import { ChargeFreeze } from '../../core/guards/charge-freeze.ts';
import { Suspensions } from '../../core/guards/suspensions.ts';
import { Alerts } from '../../core/notices/alerts.ts';
import { Drafts } from '../../core/payments/drafts.ts';
import { Payments } from '../../core/payments/payments.ts';
import { confirmationSeal, draftSeal } from '../../core/records/seals.ts';
import type { EngineOptions } from './engine-options.ts';

/** The writers of payments and of questions, what holds charges back, and the callbacks that come in. */
export const buildPayments = (options: EngineOptions) => {
  const { store, clock, log, sealSecret, confirmWithinMs, operators = [] } = options;
  const alerts = new Alerts({ store, clock, log, operators });
  const seal = confirmationSeal(sealSecret);
  const payments = new Payments({ store, clock, policy: options.checks, alerts, seal });
  const questionSeal = draftSeal(sealSecret);
  const drafts = new Drafts({ store, clock, alerts, seal: questionSeal, confirmWithinMs });
  const unmatched = new UnmatchedCallbacks({ store, clock, log, alerts });
  return {
    alerts,
    seal,
    payments,
    drafts,
    suspensions: new Suspensions({ store, clock }),
    freeze: new ChargeFreeze(store),
    callbacks: new Callbacks({ payments, clock, unmatched, log, ...options.callbacks }),
  };
};

export type PaymentParts = ReturnType<typeof buildPayments>;
