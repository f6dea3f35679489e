import type { Access } from '../commands/access/access.ts';
import { withSuspensions } from '../commands/access/access.ts';
import { withChatGrants } from '../commands/access/chat-access.ts';
import { allCommands } from '../commands/all-commands.ts';
import { recentBalances } from '../commands/balance.ts';
import type { Card } from '../commands/cards/card.ts';
import type { Label } from '../commands/cards/sandbox-label.ts';
import { approvalQuestion } from '../commands/charge/approval-cards.ts';
import type { Command, CommandSettings, Services } from '../commands/command.ts';
import { isUsable } from '../commands/command-rights.ts';
import { type Home, makeHome } from '../commands/home.ts';
import type { Caller } from '../commands/inbound.ts';
import { renderNotice } from '../commands/render-notice.ts';
import { Router } from '../commands/router.ts';
import { AutomaticReceipts, receiptOwed } from '../commands/sms/automatic-receipts.ts';
import { NO_TEXTS } from '../commands/sms/templates.ts';
import { Callbacks } from '../core/callbacks/callbacks.ts';
import { UnmatchedCallbacks } from '../core/callbacks/unmatched-callbacks.ts';
import type { Gateway } from '../core/gateway/gateway.ts';
import { ChargeFreeze } from '../core/guards/charge-freeze.ts';
import { ChatGrants } from '../core/guards/chat-grants.ts';
import { questionBudget } from '../core/guards/question-budget.ts';
import { Suspensions } from '../core/guards/suspensions.ts';
import { Alerts } from '../core/notices/alerts.ts';
import { type Chat, Chats } from '../core/notices/chats.ts';
import { NoticeSender } from '../core/notices/notice-sender.ts';
import { NotifyRules } from '../core/notices/notify-rules.ts';
import { Outbox } from '../core/notices/outbox.ts';
import { tellOperators } from '../core/notices/tell-operators.ts';
import type { CheckPolicy } from '../core/payments/check-schedule.ts';
import { Drafts } from '../core/payments/drafts.ts';
import { PaymentSubmitter } from '../core/payments/payment-submitter.ts';
import { Payments } from '../core/payments/payments.ts';
import { StatusChecker } from '../core/payments/status-checker.ts';
import type { ChargeDraft } from '../core/records/draft.ts';
import type { Queue } from '../core/records/due.ts';
import type { Notice } from '../core/records/notice.ts';
import { NO_RULES } from '../core/records/notify-rules.ts';
import type { Payment } from '../core/records/payment.ts';
import type { Put } from '../core/records/records.ts';
import { chatGrantSeal, confirmationSeal, draftSeal, smsSeal } from '../core/records/seals.ts';
import { PoisonGuard } from '../core/recovery/poison-guard.ts';
import { distrustRestored } from '../core/recovery/reconciliation.ts';
import type { Clock } from '../core/runtime/clock.ts';
import { failpoint } from '../core/runtime/failpoints.ts';
import type { Log } from '../core/runtime/log.ts';
import { type Random, systemRandom } from '../core/runtime/random.ts';
import { SmsSender } from '../core/sms/sms-sender.ts';
import type { Store } from '../core/store/store.ts';
import type { Conversation } from '../core/values/conversation.ts';
import { watchWorkers } from '../core/work/watchdog.ts';
import { Worker } from '../core/work/worker.ts';

/** Called around work and after deliveries, for metrics and traces. */
export type WorkObserver = {
  /** `what`: the kind of the notice, or `new card`. */
  readonly noticeTried: (notice: Notice, what: string, result: string) => void;
  /** Must call `serve` once. */
  readonly aroundWork: (work: Put, serve: () => Promise<void>) => Promise<void>;
};

const NO_OBSERVER: WorkObserver = { noticeTried: () => {}, aroundWork: (_, serve) => serve() };

export type EngineOptions = {
  readonly store: Store;
  /** Other instances use the store as well. */
  readonly isShared: boolean;
  readonly gateway: Gateway;
  readonly access: Pick<Access, 'grantsOf'> &
    Partial<Pick<Access, 'approvers' | 'places' | 'named' | 'roleNames' | 'toldRules'>>;
  /** By platform; read at each delivery, so bots may be added later. */
  readonly chats: ReadonlyMap<string, Chat<Card>>;
  readonly clock: Clock;
  readonly log: Log;
  readonly mark: Label;
  /** `texts`: @default no templates */
  readonly settings: Omit<CommandSettings, 'texts'> & Partial<Pick<CommandSettings, 'texts'>>;
  readonly platforms: Services['platforms'];
  readonly checks: CheckPolicy;
  readonly confirmWithinMs: number;
  /** Longest time that one request to the payment service takes. */
  readonly requestTimeoutMs: number;
  /** Key of the seals on drafts, confirmations and SMS; it is not in the store. */
  readonly sealSecret: string;
  readonly callbacks: { readonly secrets: readonly string[]; readonly publicUrl: string };
  /** Where alerts go. @default none: alerts are in the log only */
  readonly operators?: readonly Conversation[];
  readonly observer?: WorkObserver;
  /** A worker makes no progress, which only a new process can mend. */
  readonly onStuck?: (queue: string) => void;
  /** @default the system's */
  readonly random?: Random;
};

/** Work served side by side, by queue; as much as `atMost` while the payment service and the chats answer fast. */
const WIDTHS: Record<Queue, { readonly atOnce: number; readonly atMost?: number }> = {
  submit: { atOnce: 8 },
  check: { atOnce: 8, atMost: 32 },
  notice: { atOnce: 16, atMost: 64 },
  sms: { atOnce: 2 },
  tidy: { atOnce: 4 },
};

const withDefaults = (options: EngineOptions) => ({
  operators: [],
  observer: NO_OBSERVER,
  onStuck: () => {},
  random: systemRandom,
  ...options,
  settings: { texts: NO_TEXTS, ...options.settings },
});

type Options = ReturnType<typeof withDefaults>;

/** The writers of payments and drafts, the guards of charges, and the callbacks. */
const buildPayments = (options: Options) => {
  const alerts = new Alerts(options);
  const seal = confirmationSeal(options.sealSecret);
  const inFile = () => options.access.toldRules?.() ?? NO_RULES;
  const notify = new NotifyRules({ ...options, inFile });
  const shared = { ...options, alerts, notify };
  const owedOnceSettled = (payment: Payment, nowMs: number) => receiptOwed(options, payment, nowMs);
  const payments = new Payments({ ...shared, policy: options.checks, seal, owedOnceSettled });
  const unmatched = new UnmatchedCallbacks(shared);
  return {
    alerts,
    notify,
    seal,
    payments,
    drafts: new Drafts({ ...shared, seal: draftSeal(options.sealSecret) }),
    suspensions: new Suspensions(options),
    chatGrants: new ChatGrants({ ...options, seal: chatGrantSeal(options.sealSecret) }),
    roleNames: () => options.access.roleNames?.() ?? [],
    freeze: new ChargeFreeze(options.store),
    callbacks: new Callbacks({ ...options, ...options.callbacks, payments, unmatched }),
  };
};

type PaymentParts = ReturnType<typeof buildPayments>;

/** The outbox, with the rendering of its notices. */
const buildOutbox = (
  options: Options,
  { alerts, drafts, suspensions, roleNames }: PaymentParts,
) => {
  const { mark, access, settings } = options;
  const chats = new Chats<Card>({ ...options, byPlatform: options.chats });
  const linkTo: typeof chats.linkTo = (message) => chats.linkTo(message);
  const asking = { ...settings, suspensions, access, linkTo };
  const question = (draft: ChargeDraft) => approvalQuestion(draft, asking);
  const rendering = { ...options, ...settings, approvalQuestion: question, roleNames, linkTo };
  const sender = new NoticeSender<Card>({
    ...options,
    chats,
    isAsShown: (draft) => drafts.isAsShown(draft),
    render: async (...what) => mark.card(await renderNotice(...what, rendering)),
  });
  const onAttempt = options.observer.noticeTried;
  const outbox = new Outbox({ ...options, alerts, sender, onAttempt });
  return { chats, approvalQuestion: question, outbox };
};

type OutboxParts = ReturnType<typeof buildOutbox>;

/** What sends requests to the payment service when work is due. */
const buildSenders = (options: Options, parts: PaymentParts, { outbox }: OutboxParts) => {
  const { alerts, payments, callbacks } = parts;
  const shared = { ...options, alerts, payments };
  const callbackUrl = (id: string) => callbacks.address(id);
  return {
    submitter: new PaymentSubmitter({ ...shared, seal: parts.seal, callbackUrl, outbox }),
    checks: new StatusChecker(shared),
    smsSender: new SmsSender({ ...shared, seal: smsSeal(options.sealSecret) }),
  };
};

type SenderParts = ReturnType<typeof buildSenders>;

/** The commands, their forms, and the router in front of them. */
const buildCommands = (
  options: Options,
  payments: PaymentParts,
  { chats, approvalQuestion: question }: OutboxParts,
  senders: SenderParts,
) => {
  const { suspensions, chatGrants } = payments;
  const inFile = withChatGrants(options.access, chatGrants, options.platforms);
  const access = withSuspensions(inFile, suspensions);
  const services: Services = {
    ...options,
    ...payments,
    ...senders,
    access,
    questions: questionBudget(options.clock),
    linkTo: async ({ card }) => card && chats.linkTo(card),
    approvalQuestion: question,
  };
  const commands = allCommands(services);
  const placesOf = (platform: string) => options.access.places?.(platform) ?? [];
  const homeOf = makeHome({ ...services, placesOf, balances: recentBalances(options) });
  const { timeZone } = options.settings;
  return {
    commands,
    usableBy: async (caller: Caller): Promise<readonly Command[]> => {
      const grants = await access.grantsOf(caller);
      return commands.filter((command) => isUsable(command, grants));
    },
    namedOn: (platform: string): readonly string[] => options.access.named?.(platform) ?? [],
    linkToPayment: async (id: string): Promise<string | undefined> => {
      const payment = await options.store.get('payment', id);
      return payment?.card && chats.linkTo(payment.card);
    },
    router: new Router({ ...options, ...payments, commands, access, timeZone }),
    home: async (...visit: Parameters<typeof homeOf>): Promise<Home> => {
      const { cards, approves } = await homeOf(...visit);
      const [first, ...others] = cards;
      return {
        approves,
        cards: [...(first === undefined ? [] : [options.mark.card(first)]), ...others],
      };
    },
  };
};

const buildWorkers = (
  options: Options,
  parts: PaymentParts,
  { outbox }: OutboxParts,
  { submitter, checks, smsSender }: SenderParts,
): Worker[] => {
  const { observer } = options;
  const receipts = new AutomaticReceipts({ ...options, ...parts, smsSender });
  const serve: Record<Queue, (work: Put) => Promise<void>> = {
    submit: async (work) => (work.kind === 'payment' ? submitter.serve(work.record) : undefined),
    check: async (work) => {
      if (work.kind === 'payment') await checks.serve(work.record);
      if (work.kind === 'watch') await checks.look(work.record);
    },
    notice: async (work) => (work.kind === 'notice' ? outbox.serve(work.record) : undefined),
    sms: async (work) => {
      if (work.kind === 'sms') await smsSender.serve(work.record);
      if (work.kind === 'setting') await receipts.serve(work.record);
    },
    tidy: (work) => parts.drafts.expire(work),
  };
  const poisonGuard = new PoisonGuard({ ...options, ...parts });
  return (Object.keys(serve) as Queue[]).map(
    (queue) =>
      new Worker({
        ...options,
        queue,
        ...WIDTHS[queue],
        serve: (work) =>
          poisonGuard.around(work, () => observer.aroundWork(work, () => serve[queue](work))),
      }),
  );
};

/**
 * Builds everything between the chats, the payment service and the store: commands and callbacks go in, and the
 * workers serve what is due. It knows no port, no file and no process.
 */
export const buildEngine = (given: EngineOptions) => {
  const options = withDefaults(given);
  const { store, log, isShared } = options;
  const parts = buildPayments(options);
  const outgoing = buildOutbox(options, parts);
  const senders = buildSenders(options, parts, outgoing);
  const workers = buildWorkers(options, parts, outgoing, senders);
  const stopWatching = new AbortController();
  let watching = Promise.resolve();
  const { payments, freeze, alerts, callbacks } = parts;
  return {
    ...buildCommands(options, parts, outgoing, senders),
    ...tellOperators(alerts, log),
    callbacks,
    outbox: outgoing.outbox,
    /** A group has a new id; what is owed to the old one is delivered there. */
    rememberMove: (platform: string, from: string, to: string): Promise<void> =>
      outgoing.chats.rememberMove(platform, from, to),
    start: async (): Promise<void> => {
      const frozen = await freeze.standing();
      if (frozen !== undefined) {
        log.error(
          { backup: new Date(frozen.backupAtMs), since: new Date(frozen.sinceMs) },
          'restored from a backup: nothing is charged until "npm run reconcile" has asked the payment service about everything',
        );
        await distrustRestored(payments, store);
        await alerts.raise('restored', { kind: 'restored' });
      }
      failpoint('recovery-begun');
      // In a shared store another instance may be sending them right now.
      if (!isShared) await senders.submitter.recover();
      for (const worker of workers) worker.start();
      watching = watchWorkers({ ...options, workers }, stopWatching.signal);
    },
    /** Claims no more work and waits for the work in flight. */
    stop: async (): Promise<void> => {
      stopWatching.abort();
      await watching;
      await Promise.all(workers.map((worker) => worker.stop()));
      await callbacks.stop();
      failpoint('workers-stopped');
    },
  };
};

export type Engine = ReturnType<typeof buildEngine>;
