import { PostgresServer } from '../../support/postgres-server.ts';
import { Dice } from '../storm/dice.ts';
import { type Round, roundsFor, type StoreKind } from './plan.ts';
import { Shop } from './shop.ts';
import type { Finding } from './verdict.ts';

/** A shop closes after so many rounds at most, and another one opens. */
const MOST_ROUNDS_OF_A_SHOP = 30;
/** Of the rounds on both stores, every fourth is on PostgreSQL: there an orphan waits for its lease. */
const POSTGRES_SHARE = 4;
/** Side by side: much of a round is waiting, for a chat's pace or for a service. */
const EMBEDDED_LANES = 3;

export type CrashOptions = {
  readonly rounds: number;
  readonly seed: number;
  /** @default both, each with its share */
  readonly store?: StoreKind;
  /** The same deaths in every round. */
  readonly at?: Pick<Round, 'during' | 'recoveries'>;
  readonly say: (text: string) => void;
  readonly signal: AbortSignal;
};

/** What the world outside complains of, in which shop and after which round. */
export type Failure = {
  readonly shop: Shop;
  /** Absent: after the last one. */
  readonly round?: Round;
  readonly findings: readonly Finding[];
};

export type Played = { readonly shops: readonly Shop[]; readonly failures: readonly Failure[] };

/** Plays all rounds, some shops side by side. After the first failure nothing new is begun. */
export const playAll = async (options: CrashOptions): Promise<Played> => {
  const { rounds, store } = options;
  const onPostgres =
    store === 'postgres' ? rounds : store === 'embedded' ? 0 : Math.floor(rounds / POSTGRES_SHARE);
  await using everything = new AsyncDisposableStack();
  const street = new Street(options, everything);
  const embedded = numbered(planned('embedded', rounds - onPostgres, options));
  const shared = numbered(planned('postgres', onPostgres, options), rounds - onPostgres);
  await Promise.all([
    ...(shared.length === 0 ? [] : [street.lane('postgres', shared)]),
    ...Array.from({ length: EMBEDDED_LANES }, (_, lane) =>
      street.lane(
        'embedded',
        embedded.filter((_each, at) => at % EMBEDDED_LANES === lane),
      ),
    ),
  ]);
  return street;
};

const planned = (
  store: StoreKind,
  count: number,
  { seed, at }: CrashOptions,
): Omit<Round, 'number'>[] => {
  const rounds = roundsFor(store, new Dice(seed));
  return Array.from({ length: count }, () => at ?? rounds.next().value);
};

const numbered = (rounds: readonly Omit<Round, 'number'>[], from = 0): Round[] =>
  rounds.map((round, at) => ({ ...round, number: from + at + 1 }));

/** All shops of a run. */
class Street implements Played {
  readonly shops: Shop[] = [];
  readonly failures: Failure[] = [];
  readonly #options: CrashOptions;
  readonly #everything: AsyncDisposableStack;
  #postgres: Promise<PostgresServer> | undefined;

  constructor(options: CrashOptions, everything: AsyncDisposableStack) {
    this.#options = options;
    this.#everything = everything;
  }

  /** One shop after the other; while one waits for its last outcomes the next one works. */
  async lane(store: StoreKind, rounds: readonly Round[]): Promise<void> {
    const closing: Promise<void>[] = [];
    const each = Math.ceil(rounds.length / Math.ceil(rounds.length / MOST_ROUNDS_OF_A_SHOP));
    for (let from = 0; from < rounds.length && this.#goesOn; from += each) {
      const shop = await this.#open(store, rounds[from]?.number ?? 0);
      if (await this.#work(shop, rounds.slice(from, from + each))) closing.push(this.#close(shop));
    }
    await Promise.all(closing);
  }

  get #goesOn(): boolean {
    return this.failures.length === 0 && !this.#options.signal.aborted;
  }

  /** False: something is wrong, and everything stays as it is. */
  async #work(shop: Shop, rounds: readonly Round[]): Promise<boolean> {
    if (!(await this.#judge(shop, () => shop.playFirst()))) return false;
    for (const round of rounds) {
      if (!this.#goesOn) break;
      if (!(await this.#judge(shop, () => shop.play(round), round))) return false;
    }
    const isPlain = this.#options.at === undefined && shop.store === 'embedded';
    return !isPlain || !this.#goesOn || this.#judge(shop, () => shop.playPoison(0));
  }

  async #close(shop: Shop): Promise<void> {
    await this.#judge(shop, () => shop.settle());
    this.#options.say(
      `${shop.store} shop closed after ${shop.rounds.length} rounds and ${shop.program.lives.length} starts`,
    );
  }

  async #judge(shop: Shop, act: () => Promise<Finding[]>, round?: Round): Promise<boolean> {
    if (this.#options.signal.aborted) return false;
    const findings = await act().catch((error: unknown) => [
      { what: error instanceof Error ? (error.stack ?? error.message) : String(error) },
    ]);
    const complaints = shop.program.complaints.map((what) => ({ what }));
    if (findings.length + complaints.length === 0) return true;
    const all = [...findings, ...complaints];
    this.failures.push({ shop, findings: all, ...(round === undefined ? {} : { round }) });
    return false;
  }

  async #open(store: StoreKind, number: number): Promise<Shop> {
    const dice = new Dice(this.#options.seed * 1_000 + number);
    const shop = await Shop.open({
      dice,
      store,
      ...(store === 'postgres' ? { databaseUrl: await this.#database(`crash_${number}`) } : {}),
    });
    this.shops.push(shop);
    this.#everything.defer(() =>
      shop.close({ keep: this.failures.some((failure) => failure.shop === shop) }),
    );
    return shop;
  }

  async #database(name: string): Promise<string> {
    this.#postgres ??= this.#launched();
    const server = await this.#postgres;
    await server.query(`CREATE DATABASE ${name}`);
    return server.url({ database: name });
  }

  async #launched(): Promise<PostgresServer> {
    const server = new PostgresServer(await PostgresServer.launch());
    this.#everything.defer(() => server.stop());
    return server;
  }
}
