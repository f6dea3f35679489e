import type { Access } from '../commands/access/access.ts';
import { withSuspensions } from '../commands/access/suspended-access.ts';
import { allCommands } from '../commands/all-commands.ts';
import type { Card } from '../commands/cards/card.ts';
import type { Mark } from '../commands/cards/sandbox-label.ts';
import { approvalQuestion } from '../commands/charge/approval-question.ts';
import type { Command, Services } from '../commands/command.ts';
import { FormSteps } from '../commands/forms/form-steps.ts';
import { renderNotice } from '../commands/notices/render-notice.ts';
import { Router } from '../commands/router.ts';
import { Callbacks } from '../core/callbacks/callbacks.ts';
import { UnmatchedCallbacks } from '../core/callbacks/unmatched-callbacks.ts';
import type { Gateway } from '../core/gateway/gateway.ts';
import { ChargeFreeze } from '../core/guards/charge-freeze.ts';
import { QuestionBudget } from '../core/guards/question-budget.ts';
import { Suspensions } from '../core/guards/suspensions.ts';
import { Alerts } from '../core/notices/alerts.ts';
import { type Chat, Chats } from '../core/notices/chats.ts';
import { NoticeSender } from '../core/notices/notice-sender.ts';
import { Outbox } from '../core/notices/outbox.ts';
import type { CheckPolicy } from '../core/payments/check-schedule.ts';
import { ConfirmationSeal } from '../core/payments/confirmation-seal.ts';
import { DraftSeal } from '../core/payments/draft-seal.ts';
import { Drafts } from '../core/payments/drafts.ts';
import { expireRecord } from '../core/payments/expire-records.ts';
import { PaymentSubmitter } from '../core/payments/payment-submitter.ts';
import { Payments } from '../core/payments/payments.ts';
import { StatusChecker } from '../core/payments/status-checker.ts';
import type { Alert } from '../core/records/alert.ts';
import type { ChargeDraft } from '../core/records/draft.ts';
import type { Queue } from '../core/records/due.ts';
import type { Notice } from '../core/records/notice.ts';
import type { Put } from '../core/records/records.ts';
import { PoisonGuard } from '../core/recovery/poison-guard.ts';
import { distrustRestored } from '../core/recovery/restored-payments.ts';
import type { Clock } from '../core/runtime/clock.ts';
import { failpoint } from '../core/runtime/failpoints.ts';
import type { Log } from '../core/runtime/log.ts';
import { type Random, systemRandom } from '../core/runtime/random.ts';
import { SmsSeal } from '../core/sms/sms-seal.ts';
import { SmsSender } from '../core/sms/sms-sender.ts';
import type { Store } from '../core/store/store.ts';
import type { Conversation } from '../core/values/conversation.ts';
import { Watchdog } from '../core/work/watchdog.ts';
import { Worker } from '../core/work/worker.ts';

/** Work served side by side, by queue. */
const AT_ONCE: Record<Queue, number> = { submit: 8, check: 8, notice: 16, sms: 2, tidy: 4 };

/** Who looks on, for figures and traces. */
export type Onlooker = {
  /** `what`: the kind of the notice, or `new card`. */
  readonly noticeTried: (notice: Notice, what: string, result: string) => void;
  readonly aroundWork: (work: Put, serve: () => Promise<void>) => Promise<void>;
};

const NOBODY: Onlooker = {
  noticeTried: () => {},
  aroundWork: (_, serve) => serve(),
};

export type EngineOptions = {
  readonly store: Store;
  /** Other instances use the store as well. */
  readonly isShared: boolean;
  readonly gateway: Gateway;
  readonly access: Pick<Access, 'grantsOf'> & Partial<Pick<Access, 'approvers'>>;
  /** By platform; read when something is sent, so they may come later. */
  readonly chats: ReadonlyMap<string, Chat<Card>>;
  readonly clock: Clock;
  readonly log: Log;
  readonly mark: Mark;
  readonly settings: Services['settings'];
  readonly platforms: Services['platforms'];
  readonly checks: CheckPolicy;
  readonly confirmWithinMs: number;
  /** Longest time that one request to the service takes. */
  readonly requestTimeoutMs: number;
  /** Not in the store; what is confirmed is sealed with it. */
  readonly sealSecret: string;
  readonly callbacks: { readonly secrets: readonly string[]; readonly publicUrl: string };
  /** Where alerts go. */
  readonly operators?: readonly Conversation[];
  readonly onlooker?: Onlooker;
  /** A worker stands still, and only a new process can mend that. */
  readonly onStuck?: (queue: string) => void;
  /** @default the system's */
  readonly random?: Random;
};

/**
 * Everything between the chats, the service and the store: what is typed and what calls back goes in,
 * and the workers serve what is due. It knows no port, no file and no process.
 */
export class Engine {
  readonly commands: readonly Command[];
  readonly steps: FormSteps;
  readonly router: Router;
  readonly callbacks: Callbacks;
  readonly outbox: Outbox;
  readonly #chats: Chats<Card>;
  readonly #submitter: PaymentSubmitter;
  readonly #freeze: ChargeFreeze;
  readonly #distrustRestored: () => Promise<void>;
  readonly #log: Log;
  readonly #workers: readonly Worker[];
  readonly #watchdog: Watchdog;
  readonly #isShared: boolean;
  readonly #alerts: Alerts;

  constructor(options: EngineOptions) {
    const { store, gateway, clock, log, mark, settings, platforms, onlooker = NOBODY } = options;
    const random = options.random ?? systemRandom;
    const alerts = new Alerts({ store, clock, log, operators: options.operators ?? [] });
    const seal = new ConfirmationSeal(options.sealSecret);
    const payments = new Payments({ store, clock, policy: options.checks, alerts, seal });
    const drafts = new Drafts({
      ...{ store, clock, alerts },
      seal: new DraftSeal(options.sealSecret),
      confirmWithinMs: options.confirmWithinMs,
    });
    const suspensions = new Suspensions({ store, clock });
    const unmatched = new UnmatchedCallbacks({ store, clock, log, alerts });
    this.callbacks = new Callbacks({ payments, clock, unmatched, log, ...options.callbacks });
    const chats = new Chats({ store, log, byPlatform: options.chats });
    const { timeZone } = settings;
    const question = (draft: ChargeDraft) =>
      approvalQuestion(draft, {
        ...{ timeZone, suspensions },
        access: options.access,
        linkTo: (message) => chats.linkTo(message),
      });
    const rendering = { timeZone, platforms, approvalQuestion: question };
    this.outbox = new Outbox({
      ...{ store, clock, log, alerts, random },
      onAttempt: onlooker.noticeTried,
      sender: new NoticeSender<Card>({
        store,
        chats,
        isAsShown: (draft) => drafts.isAsShown(draft),
        render: async (...what) => mark.card(await renderNotice(...what, rendering)),
      }),
    });
    this.#chats = chats;
    const checks = new StatusChecker({ payments, store, gateway, clock, log, alerts, random });
    const submitter = new PaymentSubmitter({
      payments,
      store,
      gateway,
      clock,
      log,
      alerts,
      seal,
      callbackUrl: (id) => this.callbacks.address(id),
      outbox: this.outbox,
      requestTimeoutMs: options.requestTimeoutMs,
      random,
    });
    const { requestTimeoutMs } = options;
    const smsSender = new SmsSender({
      ...{ store, gateway, clock, log, alerts, requestTimeoutMs },
      seal: new SmsSeal(options.sealSecret),
    });
    const freeze = new ChargeFreeze(store);
    const access = withSuspensions(options.access, suspensions);
    this.#alerts = alerts;
    this.commands = allCommands({
      store,
      gateway,
      payments,
      checks,
      drafts,
      freeze,
      smsSender,
      questions: new QuestionBudget(clock),
      access,
      suspensions,
      clock,
      log,
      random,
      linkTo: async ({ card }) => card && chats.linkTo(card),
      approvalQuestion: question,
      settings,
      platforms,
    });
    this.steps = new FormSteps({ store, clock, random });
    this.router = new Router({
      commands: this.commands,
      access,
      steps: this.steps,
      mark,
      log,
      clock,
      timeZone: settings.timeZone,
    });

    const serve: Record<Queue, (work: Put) => Promise<void>> = {
      submit: async (work) => (work.kind === 'payment' ? submitter.serve(work.record) : undefined),
      check: async (work) => {
        if (work.kind === 'payment') await checks.serve(work.record);
        if (work.kind === 'watch') await checks.look(work.record);
      },
      notice: async (work) => (work.kind === 'notice' ? this.outbox.serve(work.record) : undefined),
      sms: async (work) => (work.kind === 'sms' ? smsSender.serve(work.record) : undefined),
      tidy: (work) => expireRecord({ store, drafts }, work),
    };
    const poisonGuard = new PoisonGuard({ store, payments, alerts, clock, log });
    this.#submitter = submitter;
    this.#freeze = freeze;
    this.#distrustRestored = () => distrustRestored(payments, store);
    this.#log = log;
    this.#isShared = options.isShared;
    this.#workers = (Object.keys(serve) as Queue[]).map(
      (queue) =>
        new Worker({
          queue,
          store,
          clock,
          log,
          atOnce: AT_ONCE[queue],
          random,
          serve: (work) =>
            poisonGuard.around(work, () => onlooker.aroundWork(work, () => serve[queue](work))),
        }),
    );
    this.#watchdog = new Watchdog({
      clock,
      workers: this.#workers,
      onStuck: options.onStuck ?? (() => {}),
    });
  }

  async start(): Promise<void> {
    const frozen = await this.#freeze.standing();
    if (frozen !== undefined) {
      this.#log.error(
        { backup: new Date(frozen.backupAtMs), since: new Date(frozen.sinceMs) },
        'restored from a backup: nothing is charged until "npm run reconcile" has asked the payment service about everything',
      );
      await this.#distrustRestored();
      await this.#alerts.raise('restored', { kind: 'restored' });
    }
    // In a shared store another instance may be sending them right now.
    failpoint('recovery-begun');
    if (!this.#isShared) await this.#submitter.recover();
    for (const worker of this.#workers) worker.start();
    this.#watchdog.start();
  }

  /** What is wrong with the access file, one line each, or nothing any more: the operators are told. */
  accessTrouble(file: string, problems: readonly string[]): void {
    const alert: Alert =
      problems.length === 0
        ? { kind: 'access file mended', file }
        : { kind: 'access file', file, problems };
    this.#told(this.#alerts.tellOnce('access', alert));
  }

  /** Why a chat platform does not work, or nothing when it does: the operators are told. */
  chatTrouble(platform: string, reason: string | undefined): void {
    const subject = `chat.${platform}`;
    this.#told(
      reason === undefined
        ? this.#alerts.tellOver(subject, { kind: 'chat back', platform })
        : this.#alerts.tellOnce(subject, { kind: 'chat away', platform, reason }),
    );
  }

  /** A group has a new id; what is owed to the old one goes there. */
  rememberMove(platform: string, from: string, to: string): Promise<void> {
    return this.#chats.rememberMove(platform, from, to);
  }

  #told(telling: Promise<void>): void {
    telling.catch((error) => this.#log.error({ err: error }, 'the operators could not be told'));
  }

  /** Takes nothing new and waits for what is in hand. */
  async stop(): Promise<void> {
    await this.#watchdog.stop();
    await Promise.all(this.#workers.map((worker) => worker.stop()));
    await this.callbacks.stop();
    failpoint('workers-stopped');
  }
}
