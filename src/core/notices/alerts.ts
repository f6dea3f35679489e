import type { Alert } from '../records/alert.ts';
import { newNotice } from '../records/notice.ts';
import type { Put } from '../records/records.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { Store } from '../store/store.ts';
import type { Conversation } from '../values/conversation.ts';
import { oweNotices } from './owed-notices.ts';

/** That something is over is nothing to look into. */
const GOOD_NEWS: ReadonlySet<Alert['kind']> = new Set(['access file mended', 'chat back']);
/** A matter that lasts is told again after this, and not with every payment it touches. */
const QUIET_MS = 3_600_000;
/** Instances that look at the same thing notice it within this. */
const SAME_MOMENT_MS = 60_000;

/** Owes alerts to the operators' conversations. Without any they stand in the log alone. */
export class Alerts {
  readonly operators: readonly Conversation[];
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #raisedAtMs = new Map<string, number>();

  constructor(options: {
    store: Store;
    clock: Clock;
    log: Log;
    operators: readonly Conversation[];
  }) {
    this.operators = options.operators;
    this.#store = options.store;
    this.#clock = options.clock;
    this.#log = options.log;
  }

  /**
   * An alert as notices, for the change that gives the reason. `subject` names the matter: one that is
   * still owed is overwritten, so that only the newest is told.
   */
  async owed(subject: string, alert: Alert): Promise<Put[]> {
    if (!GOOD_NEWS.has(alert.kind)) this.#log.error({ alert }, 'a person has to look into this');
    const nowMs = this.#clock.now();
    return oweNotices(
      this.#store,
      this.operators.map((conversation, index) => {
        const id = `${subject}.alert${index === 0 ? '' : index + 1}`;
        return newNotice({ id, about: { kind: 'alert', alert }, conversation }, nowMs);
      }),
    );
  }

  /** An alert of its own; the same subject is quiet for an hour afterwards. */
  async raise(subject: string, alert: Alert): Promise<void> {
    const nowMs = this.#clock.now();
    const raisedAtMs = this.#raisedAtMs.get(subject) ?? Number.NEGATIVE_INFINITY;
    // Raised in the future: the clock was set back since, and would keep it quiet for longer.
    if (Math.abs(nowMs - raisedAtMs) < QUIET_MS) return;
    // Refused: another instance has just owed the same one.
    await this.#store.commit({ put: await this.owed(subject, alert) });
    this.#raisedAtMs.set(subject, nowMs);
  }

  /** News that every instance finds out by itself, told by the first one; the same again later is news again. */
  async tellOnce(subject: string, alert: Alert): Promise<void> {
    const atMs = this.#clock.now();
    const told = await this.#told(subject);
    const isSame = told?.last.alert === JSON.stringify(alert);
    if (isSame && Math.abs(atMs - told.last.atMs) < SAME_MOMENT_MS) return;
    const value = JSON.stringify({ atMs, alert: JSON.stringify(alert) } satisfies Told);
    const record = { id: toldId(subject), version: (told?.version ?? 0) + 1, value };
    // Refused: another instance tells it.
    await this.#store.commit({
      put: [{ kind: 'setting', record }, ...(await this.owed(subject, alert))],
    });
  }

  /** That a trouble is over: told where the trouble was, also by a process before this one. */
  async tellOver(subject: string, alert: Alert): Promise<void> {
    const told = await this.#told(subject);
    if (told !== undefined && told.last.alert !== JSON.stringify(alert))
      await this.tellOnce(subject, alert);
  }

  async #told(subject: string): Promise<{ version: number; last: Told } | undefined> {
    const kept = await this.#store.get('setting', toldId(subject));
    return kept && { version: kept.version, last: JSON.parse(kept.value) as Told };
  }
}

/** What was told last about a subject. */
type Told = { readonly atMs: number; readonly alert: string };

const toldId = (subject: string): string => `told:${subject}`;
