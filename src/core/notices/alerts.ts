import { type Alert, type Notice, newNotice } from '../records/notice.ts';
import type { Put } from '../records/records.ts';
import { toldAlertOf } from '../records/stored-values.ts';
import { BoundedMap } from '../runtime/bounded-map.ts';
import type { Clock } from '../runtime/clock.ts';
import { defined } from '../runtime/defined.ts';
import type { Log } from '../runtime/log.ts';
import type { Store } from '../store/store.ts';
import type { Conversation } from '../values/conversation.ts';
import { oweNotices, oweProgress } from './owed-notices.ts';

/** Not logged as errors. */
const GOOD_NEWS: ReadonlySet<Alert['kind']> = new Set([
  'access file mended',
  'chat back',
  'balance back',
]);
/** The same subject is raised again after this at the earliest, not with every payment that it concerns. */
const QUIET_MS = 3_600_000;
/** All instances find out about the same change within this. */
const SAME_MOMENT_MS = 60_000;

type AlertsOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly operators: readonly Conversation[];
};

/** Owes alerts to the operators' conversations. Without any, alerts are only logged. */
export class Alerts {
  readonly #options: AlertsOptions;
  readonly #raisedAtMs = new BoundedMap<string, number>(1_000);

  constructor(options: AlertsOptions) {
    this.#options = options;
  }

  get operators(): readonly Conversation[] {
    return this.#options.operators;
  }

  /**
   * An alert as notices, for the commit of what it is about. An alert of the same `subject` that is still owed is
   * overwritten, so that only the newest is delivered.
   */
  async owed(subject: string, alert: Alert): Promise<Put[]> {
    const { store } = this.#options;
    if (!GOOD_NEWS.has(alert.kind)) this.#log(alert);
    return oweNotices(store, this.#notices(subject, { kind: 'alert', alert }));
  }

  /** The same for a payment of a file: its run has one message, which counts such payments when it is delivered. */
  async owedOfRun(runId: string, alert: Alert): Promise<Put[]> {
    const { store, clock } = this.#options;
    this.#log(alert);
    const notices = this.#notices(runId, { kind: 'run alert', runId });
    const owed = notices.map((notice) => oweProgress(store, notice, clock.now()));
    return (await Promise.all(owed)).flat();
  }

  #log(alert: Alert): void {
    this.#options.log.error({ alert }, 'a person has to look into this');
  }

  #notices(subject: string, about: Notice['about']): Notice[] {
    const { clock, operators } = this.#options;
    return operators.map((conversation, index) => {
      const id = `${subject}.alert${index === 0 ? '' : index + 1}`;
      return newNotice({ id, about, conversation }, clock.now());
    });
  }

  /** Owes an alert in a commit of its own, once an hour for each subject at most. */
  async raise(subject: string, alert: Alert): Promise<void> {
    const nowMs = this.#options.clock.now();
    const raisedAtMs = this.#raisedAtMs.get(subject) ?? Number.NEGATIVE_INFINITY;
    // Raised in the future: the clock was set back since, which would suppress it for longer.
    if (Math.abs(nowMs - raisedAtMs) < QUIET_MS) return;
    // Refused: another instance has just owed the same alert.
    await this.#options.store.commit({ put: await this.owed(subject, alert) });
    this.#raisedAtMs.set(subject, nowMs);
  }

  /** The payment service refuses the keys of a merchant, or of the only one. */
  keysRefused(operation: string, merchant: string | undefined): Promise<void> {
    const subject = merchant === undefined ? 'keys' : `keys.${merchant}`;
    return this.raise(subject, { kind: 'keys refused', operation, ...defined({ merchant }) });
  }

  /** Owes an alert that every instance finds out by itself: only the first one stores it. The same alert later is owed again. */
  async tellOnce(subject: string, alert: Alert): Promise<void> {
    const { store, clock } = this.#options;
    const atMs = clock.now();
    const told = toldAlertOf(subject);
    const earlier = await store.get('setting', told.id);
    const last = told.read(earlier);
    const text = JSON.stringify(alert);
    if (last?.alert === text && Math.abs(atMs - last.atMs) < SAME_MOMENT_MS) return;
    // Refused: another instance stored it.
    await store.commit({
      put: [told.put({ atMs, alert: text }, earlier), ...(await this.owed(subject, alert))],
    });
  }

  /** Owes the end of a trouble, if the trouble was told, also by an earlier process. */
  async tellOver(subject: string, alert: Alert): Promise<void> {
    const last = await toldAlertOf(subject).in(this.#options.store);
    if (last !== undefined && last.alert !== JSON.stringify(alert))
      await this.tellOnce(subject, alert);
  }

  /** `problems`: what is wrong with the access file, one line each; empty once it is right again. */
  accessTrouble(file: string, problems: readonly string[]): void {
    const isMended = problems.length === 0;
    const alert = isMended
      ? ({ kind: 'access file mended', file } as const)
      : ({ kind: 'access file', file, problems } as const);
    this.#logFailure(this.tellOnce('access', alert));
  }

  /** `reason`: why a chat platform does not work; undefined once it works again. */
  chatTrouble(platform: string, reason: string | undefined): void {
    const subject = `chat.${platform}`;
    this.#logFailure(
      reason === undefined
        ? this.tellOver(subject, { kind: 'chat back', platform })
        : this.tellOnce(subject, { kind: 'chat away', platform, reason }),
    );
  }

  #logFailure(told: Promise<void>): void {
    told.catch((error) =>
      this.#options.log.error({ err: error }, 'the operators could not be told'),
    );
  }
}
