import { withSuspensions } from '../commands/access/access.ts';
import { withChatGrants } from '../commands/access/chat-access.ts';
import { runRights } from '../commands/bulk/run-rights.ts';
import type { Card } from '../commands/cards/card.ts';
import { approvalQuestion, approvalReminder } from '../commands/charge/approval-cards.ts';
import { findApprovers } from '../commands/charge/approvers.ts';
import { Digests } from '../commands/digest/digests.ts';
import { renderNotice } from '../commands/render-notice.ts';
import { receiptOwed } from '../commands/sms/automatic-receipts.ts';
import { KeptDays } from '../commands/today/kept-days.ts';
import { Balances } from '../core/balances/balances.ts';
import { BulkRunner } from '../core/bulk/bulk-runner.ts';
import { BulkRuns, countOwed } from '../core/bulk/bulk-runs.ts';
import { ChargeRows } from '../core/bulk/charge-rows.ts';
import { EarlierCharges } from '../core/bulk/earlier-charges.ts';
import { SmsRows } from '../core/bulk/sms-rows.ts';
import { Callbacks } from '../core/callbacks/callbacks.ts';
import { UnmatchedCallbacks } from '../core/callbacks/unmatched-callbacks.ts';
import { ChargeFreeze } from '../core/guards/charge-freeze.ts';
import { ChatGrants } from '../core/guards/chat-grants.ts';
import { Suspensions } from '../core/guards/suspensions.ts';
import { Alerts } from '../core/notices/alerts.ts';
import { Chats } from '../core/notices/chats.ts';
import { NoticeSender } from '../core/notices/notice-sender.ts';
import { NotifyRules } from '../core/notices/notify-rules.ts';
import { Outbox } from '../core/notices/outbox.ts';
import { correctionRows } from '../core/payments/corrections.ts';
import { Drafts } from '../core/payments/drafts.ts';
import { PaymentSubmitter } from '../core/payments/payment-submitter.ts';
import { Payments } from '../core/payments/payments.ts';
import { StatusChecker } from '../core/payments/status-checker.ts';
import type { ApprovableDraft } from '../core/records/draft.ts';
import { NO_RULES } from '../core/records/notify-rules.ts';
import type { Payment } from '../core/records/payment.ts';
import {
  bulkSeal,
  chatGrantSeal,
  confirmationSeal,
  draftSeal,
  smsSeal,
} from '../core/records/seals.ts';
import { PoisonGuard } from '../core/recovery/poison-guard.ts';
import { SmsSender } from '../core/sms/sms-sender.ts';
import type { EngineSettings } from './engine-options.ts';

const buildPayments = (options: EngineSettings) => {
  const alerts = new Alerts(options);
  const seal = confirmationSeal(options.sealSecret);
  const inFile = () => options.access.toldRules?.() ?? NO_RULES;
  const notify = new NotifyRules({ ...options, ...options.settings, inFile });
  const shared = { ...options, alerts, notify };
  const owedOnceSettled = async (payment: Payment, nowMs: number) => [
    ...(await receiptOwed(options, payment, nowMs)),
    ...(await countOwed(options.store, payment, nowMs)),
  ];
  const closedDays = { store: options.store, timeZone: options.settings.timeZone };
  const balances = new Balances({ ...options, alerts });
  const payments = new Payments({
    ...shared,
    policy: options.checks,
    seal,
    owedOnceSettled,
    correctionsOf: (...change) => correctionRows(closedDays, ...change),
  });
  const unmatched = new UnmatchedCallbacks(shared);
  const fileSeal = bulkSeal(options.sealSecret);
  const suspensions = new Suspensions(options);
  const chatGrants = new ChatGrants({ ...options, seal: chatGrantSeal(options.sealSecret) });
  const inFileAndChats = withChatGrants(options.access, chatGrants, { ...options, suspensions });
  return {
    alerts,
    /** What counts at this moment: of the access file, given in chats, and without those who are suspended. */
    grants: withSuspensions(inFileAndChats, suspensions),
    balances,
    digests: new Digests({ ...shared, balances }),
    notify,
    bulkRuns: new BulkRuns({ ...options, seal: fileSeal }),
    earlier: new EarlierCharges(options.store),
    fileSeal,
    seal,
    payments,
    unmatched,
    drafts: new Drafts({ ...shared, seal: draftSeal(options.sealSecret) }),
    suspensions,
    chatGrants,
    givableRoles: () => options.access.givableRoles?.() ?? [],
    freeze: new ChargeFreeze(options.store),
    callbacks: new Callbacks({ ...options, ...options.callbacks, payments, unmatched }),
  };
};

type PaymentParts = ReturnType<typeof buildPayments>;

const buildOutbox = (
  options: EngineSettings,
  { alerts, drafts, notify, suspensions, givableRoles, grants, chatGrants }: PaymentParts,
) => {
  const { mark, access, settings } = options;
  const chats = new Chats<Card>({ ...options, byPlatform: options.chats });
  const linkTo: typeof chats.linkTo = (message) => chats.linkTo(message);
  const paymentOf = (id: string) => options.store.get('payment', id);
  const linkToPayment = async (id: string): Promise<string | undefined> => {
    const payment = await paymentOf(id);
    return payment?.card && chats.linkTo(payment.card);
  };
  const asking = { ...settings, suspensions, access, linkTo };
  const asked = {
    approvalQuestion: (draft: ApprovableDraft) => approvalQuestion(draft, asking),
    approvalReminder: (draft: ApprovableDraft) => approvalReminder(draft, asking),
  };
  const links = { linkTo, linkToPayment, paymentOf };
  const rendering = { ...options, ...settings, ...asked, ...links, givableRoles };
  const sender = new NoticeSender<Card>({
    ...options,
    chats,
    isStillAsked: async (draft) => !drafts.expired(draft) && drafts.isAsShown(draft),
    render: async (...what) => mark.card(await renderNotice(...what, rendering)),
  });
  const onAttempt = options.observer.noticeTried;
  const outbox = new Outbox({ ...options, alerts, sender, onAttempt });
  const approversFor = findApprovers({ ...options, grants, chatGrants, chats });
  const keptDays = new KeptDays({ ...options, notify, chats });
  return { ...asked, chats, keptDays, approversFor, outbox, linkToPayment };
};

const buildSenders = (
  options: EngineSettings,
  parts: PaymentParts & Pick<ReturnType<typeof buildOutbox>, 'outbox'>,
) => {
  const { alerts, payments, callbacks, earlier, outbox } = parts;
  const shared = { ...options, alerts, payments, earlier };
  const callbackUrl = (id: string) => callbacks.address(id);
  const smsSender = new SmsSender({
    ...shared,
    seal: smsSeal(options.sealSecret),
    onUnsent: async (id, batchId, beside) => {
      const event = { kind: 'text not sent', batchId } as const;
      return (await payments.record(id, event, { beside }))?.changed === true;
    },
  });
  return {
    submitter: new PaymentSubmitter({ ...shared, seal: parts.seal, callbackUrl, outbox }),
    checks: new StatusChecker(shared),
    bulkRunner: new BulkRunner({
      ...shared,
      ...parts,
      seal: parts.fileSeal,
      rightsOf: runRights({ ...options, access: parts.grants }),
      charges: new ChargeRows(shared),
      sms: new SmsRows({ ...options, smsSender, earlier }),
      nextTurn: () => options.cluster.reserve('files', 1_000 / options.filePace.rowsPerSecond),
      giveUpMs: options.checks.giveUpMs,
    }),
    smsSender,
  };
};

/** All that commands and workers are made of. */
export const buildParts = (options: EngineSettings) => {
  const payments = buildPayments(options);
  const parts = { ...payments, ...buildOutbox(options, payments) };
  const poisonGuard = new PoisonGuard({ ...options, ...payments });
  return { ...parts, ...buildSenders(options, parts), poisonGuard };
};

export type EngineParts = ReturnType<typeof buildParts>;
