import { type Suspension, suspensionList } from '../records/settings.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Store } from '../store/store.ts';
import { type Conversation, type Person, personOf } from '../values/conversation.ts';
import { limitGuard } from './limit-guards.ts';

/** Who is suspended. */
export class Suspensions {
  readonly #store: Store;
  readonly #clock: Clock;

  constructor(options: { store: Store; clock: Clock }) {
    this.#store = options.store;
    this.#clock = options.clock;
  }

  async all(): Promise<readonly Suspension[]> {
    return suspensionList.read(await this.#store.get('setting', suspensionList.id)) ?? [];
  }

  /** `of` is `platform:id`. */
  async find(of: string): Promise<Suspension | undefined> {
    return (await this.all()).find((each) => each.of === of);
  }

  /** From now on, durably. False: it stood already. */
  suspend(of: string, by: Person, where: Conversation, why?: string): Promise<boolean> {
    const suspension: Suspension = {
      of,
      by: personOf(by),
      atMs: this.#clock.now(),
      ...(why === undefined ? {} : { why }),
    };
    return this.#change('suspended', of, by, where, (all) =>
      all.some((each) => each.of === of) ? undefined : [...all, suspension],
    );
  }

  /** False: nobody with this id was suspended. */
  reinstate(of: string, by: Person, where: Conversation): Promise<boolean> {
    return this.#change('reinstated', of, by, where, (all) =>
      all.some((each) => each.of === of) ? all.filter((each) => each.of !== of) : undefined,
    );
  }

  async #change(
    what: 'suspended' | 'reinstated',
    of: string,
    by: Person,
    where: Conversation,
    next: (all: readonly Suspension[]) => readonly Suspension[] | undefined,
  ): Promise<boolean> {
    const before = await this.#store.get('setting', suspensionList.id);
    const after = next(suspensionList.read(before) ?? []);
    if (after === undefined) return false;
    const nowMs = this.#clock.now();
    const stored = await this.#store.commit({
      put: [
        suspensionList.put(after, before),
        // A confirmation on its way, that asked a moment ago whether it may, is refused by the store.
        await limitGuard({ store: this.#store, clock: this.#clock }, of, what),
      ],
      audit: [
        {
          atMs: nowMs,
          kind: 'setting',
          id: `${suspensionList.id}.${of}`,
          what,
          before: what === 'suspended' ? null : 'suspended',
          after: what === 'suspended' ? 'suspended' : null,
          who: personOf(by),
          where,
          detail: { of, ...after.find((each) => each.of === of) },
        },
      ],
    });
    // Refused: another administrator changed the list at the same moment, or the person charged.
    return stored || this.#change(what, of, by, where, next);
  }
}
