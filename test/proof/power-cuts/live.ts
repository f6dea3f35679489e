import { readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { forget } from '../../../src/core/privacy/forget.ts';
import { systemClock } from '../../../src/core/runtime/clock.ts';
import {
  eraseInFolder,
  openSqliteStore,
} from '../../../src/core/store/sqlite/open-sqlite-store.ts';
import { takeBackup } from '../../../src/core/store/sqlite/take-backup.ts';
import { verifyFolder } from '../../../src/core/store/sqlite/verify-folder.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { ama } from '../../support/a-payment.ts';
import { silentLog } from '../../support/silent-log.ts';
import { COUNTER, customerOf, type Step, Story, type StoryLength } from './story.ts';

/**
 * A process of its own: takes the steps of a story with the store in the folder `data`, and says in lines what it asks
 * for and what was acknowledged (`told.ts` reads them). With a store that is there already it goes on after its last commit.
 */
type Order = { readonly root: string; readonly seed: number; readonly length: StoryLength };

/** Commits of a process that starts on what a power cut left. */
const GOES_ON_FOR = 12;

const say = (line: string): void => void writeSync(1, `${line}\n`);

class Life {
  readonly #dir: string;
  readonly #order: Order;
  readonly #story: Story;
  #store: Store | undefined;

  constructor(order: Order) {
    this.#order = order;
    this.#dir = join(order.root, 'data');
    this.#story = new Story(order.seed, order.length);
  }

  async run(): Promise<void> {
    const store = await this.#open();
    // Held until the parent closes its input.
    if (process.env['HOLD'] !== undefined) readSync(0, Buffer.alloc(1));
    const stored = (await store.get('setting', COUNTER))?.version ?? 0;
    const rest: Step[] = [
      { kind: 'commit', first: stored + 1, last: stored + GOES_ON_FOR },
      { kind: 'restart' },
    ];
    for (const step of stored === 0 ? this.#story.steps : rest) await this.#take(step);
    await this.#close();
  }

  async #open(): Promise<Store> {
    const { store } = await openSqliteStore({
      ...{ dir: this.#dir, clock: systemClock, log: silentLog },
      onFatal: ({ message, cause }) => say(`fatal ${message} ${cause}`),
    });
    this.#store = store;
    say('open');
    return store;
  }

  async #close(): Promise<void> {
    await this.#store?.close();
    say('closed');
  }

  async #take(step: Step): Promise<void> {
    if (step.kind === 'commit') {
      await this.#commit(step);
      return;
    }
    await this.#close();
    if (step.kind === 'forget') await this.#forget(step.made);
    else if (step.kind === 'backup') await this.#backup(step.name);
    else say(`head ${(await verifyFolder(this.#dir)).head}`);
    await this.#open();
  }

  async #commit({ first, last }: { first: number; last: number }): Promise<void> {
    const store = await (this.#store ?? this.#open());
    say(`asked ${last}`);
    const commits: Promise<void>[] = [];
    for (let n = first; n <= last; n++) {
      const commit = store.commit(this.#story.change(n));
      commits.push(commit.then((isStored) => say(`${isStored ? 'stored' : 'stale'} ${n}`)));
    }
    const results = await Promise.allSettled(commits);
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }

  async #forget(made: number): Promise<void> {
    say(`forget ${made}`);
    const { kind } = await forget(
      eraseInFolder({ dir: this.#dir, log: silentLog }),
      { number: customerOf(made), who: ama, isSure: true, key: 'a key of the shop' },
      systemClock,
    );
    say(`${kind} ${made}`);
  }

  async #backup(name: string): Promise<void> {
    say(`backup ${name}`);
    await takeBackup({ dir: this.#dir, to: join(this.#order.root, name), clock: systemClock });
    say(`backed-up ${name}`);
  }
}

try {
  await new Life(JSON.parse(process.argv[2] ?? '') as Order).run();
} catch (error) {
  const { message, cause } = error as Error;
  say(`ended ${message} ${cause ?? ''}`.replaceAll('\n', ' '));
  process.exit(3);
}
