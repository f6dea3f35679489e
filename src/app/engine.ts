import type { Card } from '../commands/cards/card.ts';
import type { Command } from '../commands/command.ts';
import type { FormSteps } from '../commands/forms/form-steps.ts';
import type { Router } from '../commands/router.ts';
import type { Callbacks } from '../core/callbacks/callbacks.ts';
import type { ChargeFreeze } from '../core/guards/charge-freeze.ts';
import type { Alerts } from '../core/notices/alerts.ts';
import type { Chats } from '../core/notices/chats.ts';
import type { Outbox } from '../core/notices/outbox.ts';
import type { PaymentSubmitter } from '../core/payments/payment-submitter.ts';
import type { Alert } from '../core/records/alert.ts';
import { distrustRestored } from '../core/recovery/restored-payments.ts';
import { failpoint } from '../core/runtime/failpoints.ts';
import type { Log } from '../core/runtime/log.ts';
import { Watchdog } from '../core/work/watchdog.ts';
import type { Worker } from '../core/work/worker.ts';
import { buildCommands } from './engine/build-commands.ts';
import { buildMessages } from './engine/build-messages.ts';
import { buildPayments } from './engine/build-payments.ts';
import { buildSenders } from './engine/build-senders.ts';
import { buildWorkers } from './engine/build-workers.ts';
import type { EngineOptions } from './engine/engine-options.ts';

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
    const payments = buildPayments(options);
    const messages = buildMessages(options, payments);
    const senders = buildSenders(options, payments, messages);
    const { commands, steps, router } = buildCommands(options, payments, messages, senders);
    const workers = buildWorkers(options, payments, messages, senders);
    const { clock, onStuck = () => {} } = options;
    this.commands = commands;
    this.steps = steps;
    this.router = router;
    this.callbacks = payments.callbacks;
    this.outbox = messages.outbox;
    this.#chats = messages.chats;
    this.#submitter = senders.submitter;
    this.#freeze = payments.freeze;
    this.#distrustRestored = () => distrustRestored(payments.payments, options.store);
    this.#log = options.log;
    this.#workers = workers;
    this.#watchdog = new Watchdog({ clock, workers, onStuck });
    this.#isShared = options.isShared;
    this.#alerts = payments.alerts;
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
