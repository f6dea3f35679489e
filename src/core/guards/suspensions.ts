import type { Payment } from '../records/payment.ts';
import { type Suspension, suspensionList } from '../records/stored-values.ts';
import type { Store } from '../store/store.ts';
import { STALE, untilStored } from '../store/until-stored.ts';
import { type Conversation, type Person, personOf } from '../values/conversation.ts';
import { type GuardNeeds, limitGuard } from './limit-guards.ts';

/** Returns why something confirmed must not be sent any more, as a sentence; undefined when it may be sent. */
export const whyStopped = async (
  store: Pick<Store, 'get'>,
  { requester, approver, rateLimits }: Pick<Payment, 'requester' | 'approver' | 'rateLimits'>,
): Promise<string | undefined> => {
  const suspended = (await suspensionList.in(store)) ?? [];
  const ids = new Set(suspended.map(({ of }) => of));
  const stopped = [requester, approver].find(
    (person) => person !== undefined && ids.has(`${person.platform}:${person.id}`),
  );
  if (stopped === undefined) return undefined;
  return `${stopped.name} was stopped before it was sent${rateLimits === 0 ? '' : ' again'}.`;
};

export class Suspensions {
  readonly #needs: GuardNeeds;

  constructor(needs: GuardNeeds) {
    this.#needs = needs;
  }

  async all(): Promise<readonly Suspension[]> {
    return (await suspensionList.in(this.#needs.store)) ?? [];
  }

  /** `of` is `platform:id`. */
  async find(of: string): Promise<Suspension | undefined> {
    return (await this.all()).find((each) => each.of === of);
  }

  /** Durable once it resolves. False: the person was suspended already. */
  suspend(of: string, by: Person, where: Conversation, why?: string): Promise<boolean> {
    const suspension: Suspension = {
      of,
      by: personOf(by),
      atMs: this.#needs.clock.now(),
      ...(why === undefined ? {} : { why }),
    };
    return this.#change('suspended', of, by, where, (all) =>
      all.some((each) => each.of === of) ? undefined : [...all, suspension],
    );
  }

  /** False: this id was not suspended. */
  reinstate(of: string, by: Person, where: Conversation): Promise<boolean> {
    return this.#change('reinstated', of, by, where, (all) =>
      all.some((each) => each.of === of) ? all.filter((each) => each.of !== of) : undefined,
    );
  }

  #change(
    what: 'suspended' | 'reinstated',
    of: string,
    by: Person,
    where: Conversation,
    next: (all: readonly Suspension[]) => readonly Suspension[] | undefined,
  ): Promise<boolean> {
    const { store, clock } = this.#needs;
    return untilStored('the list of suspended people', async () => {
      const before = await store.get('setting', suspensionList.id);
      const after = next(suspensionList.read(before) ?? []);
      if (after === undefined) return false;
      const id = `${suspensionList.id}.${of}`;
      const row = { atMs: clock.now(), kind: 'setting', id, what } as const;
      const [was, is] = what === 'suspended' ? [null, what] : ['suspended', null];
      const detail = { of, ...after.find((each) => each.of === of) };
      const stored = await store.commit({
        put: [
          suspensionList.put(after, before),
          // A confirmation on its way, that asked a moment ago whether it may, is refused by the store.
          await limitGuard(this.#needs, of, what),
        ],
        audit: [{ ...row, before: was, after: is, who: personOf(by), where, detail }],
      });
      // Stale: another administrator changed the list at the same moment, or the person charged.
      return stored || STALE;
    });
  }
}
