import type { BalanceOutcome, Gateway, Urgency } from '../gateway/gateway.ts';
import type { Alerts } from '../notices/alerts.ts';
import {
  type BalanceWatch,
  balancesOf,
  balanceWatchOf,
  type ToldBalances,
} from '../records/balances.ts';
import type { Merchant } from '../records/merchants.ts';
import type { Put, Setting } from '../records/records.ts';
import type { Clock } from '../runtime/clock.ts';
import { defined } from '../runtime/defined.ts';
import type { Store } from '../store/store.ts';
import { STALE, untilStored } from '../store/until-stored.ts';
import { type CalendarDay, dayAt } from '../values/calendar-day.ts';
import { removeRecord } from '../work/remove-record.ts';
import { type BalanceLimits, lowBalances } from './low-balances.ts';

/** How far back the ends of days are known. */
const KEEP_MS = 400 * 24 * 3_600_000;
/** A start comes first: the first answer would take 20 ms of it. */
const FIRST_ASK_MS = 1_000;

/** The watch as due at once, for a commit; refused where another instance keeps an answer at this moment. */
export const balancesDueNow = async (
  store: Pick<Store, 'get'>,
  nowMs: number,
  merchant: string | undefined,
): Promise<Put> => {
  const watch = balanceWatchOf(merchant);
  const earlier = await store.get('setting', watch.id);
  const watched = watch.read(earlier) ?? { low: [], ...defined({ merchant }) };
  return watch.put(watched, earlier, { queue: 'check', atMs: nowMs });
};

type BalancesOptions = {
  readonly store: Store;
  readonly gateway: Pick<Gateway, 'checkBalance'>;
  readonly clock: Clock;
  readonly alerts: Pick<Alerts, 'owed'>;
  readonly settings: {
    readonly timeZone: string;
    readonly currency: string;
    /** @default one, without a name */
    readonly merchants: readonly Pick<Merchant, 'name'>[];
  };
  readonly alertBelow: BalanceLimits;
  readonly balancesEveryMs: number;
};

/** Asks the payment service for the balances and keeps each answer, the last of a day as the day's end. */
export class Balances {
  readonly #options: BalancesOptions;

  constructor(options: BalancesOptions) {
    this.#options = options;
  }

  /** The answer to a question asked now. Balances are kept before they are returned. */
  async ask(urgency: Urgency, merchant?: string): Promise<BalanceOutcome> {
    const { gateway, clock } = this.#options;
    const atMs = clock.now();
    const outcome = await gateway.checkBalance(urgency, merchant);
    if (outcome.kind === 'balances') {
      const { kind: _kind, answer: _answer, ...balances } = outcome;
      const told = { ...balances, atMs, answeredAtMs: clock.now() };
      await untilStored('the balances', () => this.#keep(told, merchant));
    }
    return outcome;
  }

  /** Those whose balances there are; `undefined`: the only one. */
  get merchants(): readonly (string | undefined)[] {
    const { merchants } = this.#options.settings;
    return merchants.length === 0 ? [undefined] : merchants.map(({ name }) => name);
  }

  /** Each as due once the start is over. Refused where another instance has it asked. */
  async begin(): Promise<void> {
    const { store, clock } = this.#options;
    const atMs = clock.now() + FIRST_ASK_MS;
    for (const merchant of this.merchants)
      await store.commit({ put: [await balancesDueNow(store, atMs, merchant)] });
  }

  /** Asks because it is due; without an answer once more after as long as with one. */
  async serve(due: Setting): Promise<void> {
    const { store, clock, balancesEveryMs } = this.#options;
    const merchant = balanceWatchOf().read(due)?.merchant;
    // Of a merchant that is gone, or of the one from before there were several.
    if (!this.merchants.includes(merchant))
      return void (await removeRecord(store, { kind: 'setting', record: due }));
    const { kind } = await this.ask('background', merchant);
    if (kind !== 'balances') await store.release('setting', due.id, clock.now() + balancesEveryMs);
  }

  /** The last answer of a day; undefined without one. */
  ofDay(day: CalendarDay, merchant?: string): Promise<ToldBalances | undefined> {
    return balancesOf(day, merchant).in(this.#options.store);
  }

  /** The last answer that is kept, and the last one of the day before today; undefined where there was none. */
  async kept(
    merchant?: string,
  ): Promise<{ last: ToldBalances | undefined; yesterday: ToldBalances | undefined }> {
    const { store, clock, settings } = this.#options;
    const [watch, yesterday] = await Promise.all([
      balanceWatchOf(merchant).in(store),
      this.ofDay(dayAt(clock.now(), settings.timeZone) - 1, merchant),
    ]);
    return { last: watch?.told, yesterday };
  }

  /** One commit: the last answer, the day's end, what is low, what the operators are owed about it, and the next question. */
  async #keep(told: ToldBalances, merchant: string | undefined): Promise<boolean | typeof STALE> {
    const { store, clock, alerts, settings, alertBelow, balancesEveryMs } = this.#options;
    const watch = balanceWatchOf(merchant);
    const ofDay = balancesOf(dayAt(told.atMs, settings.timeZone), merchant);
    const [earlier, earlierOfDay] = await Promise.all([
      store.get('setting', watch.id),
      store.get('setting', ofDay.id),
    ]);
    const nowMs = clock.now();
    const whose = defined({ merchant });
    const before: BalanceWatch = watch.read(earlier) ?? { low: [] };
    if (isOvertaken(told, before.told, nowMs)) return false;
    const { low, news } = lowBalances(told, before.low, { ...settings, limits: alertBelow });
    const owed = await Promise.all(
      news.map((alert) => alerts.owed(`${watch.id}.${alert.of}`, { ...alert, ...whose })),
    );
    const due = { queue: 'check', atMs: nowMs + balancesEveryMs } as const;
    const isStored = await store.commit({
      put: [
        watch.put({ ...whose, told, low }, earlier, due),
        ofDay.put(told, earlierOfDay, { queue: 'tidy', atMs: nowMs + KEEP_MS }),
        ...owed.flat(),
      ],
    });
    // Stale: another answer was kept at this moment, or the outbox changed a notice.
    return isStored || STALE;
  }
}

/** Whether a later answer is kept already. One from the future was kept before the clock was set back. */
const isOvertaken = (told: ToldBalances, kept: ToldBalances | undefined, nowMs: number): boolean =>
  kept !== undefined && kept.atMs > told.atMs && kept.atMs <= nowMs;
