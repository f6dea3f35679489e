import type { Payment } from '../records/payment.ts';
import type { Change, Kind, Put } from '../records/records.ts';

/** A record as one commit left it. Each commit makes a new slot, so a slot is also the name of that moment. */
export type Slot = {
  /** The number of the commit; until its line is durable the slot must have no effect outside. */
  readonly seq: number;
  /** Absent: the commit removed the record. */
  readonly put?: Put;
};

/** The records in memory: all that is not in the archive. */
export class LiveRecords {
  readonly #slots: Readonly<Record<Kind, Map<string, Slot>>> = {
    payment: new Map(),
    draft: new Map(),
    sms: new Map(),
    notice: new Map(),
    form: new Map(),
    setting: new Map(),
    watch: new Map(),
  };

  get(kind: Kind, id: string): Slot | undefined {
    return this.#slots[kind].get(id);
  }

  /** Whether every version in a change is the expected one. `archived` has versions of payments that are not live. */
  accepts({ put = [], remove = [] }: Change, archived: ReadonlyMap<string, number>): boolean {
    const version = (kind: Kind, id: string): number => {
      const slot = this.get(kind, id);
      if (slot !== undefined) return slot.put?.record.version ?? 0;
      return (kind === 'payment' ? archived.get(id) : undefined) ?? 0;
    };
    return (
      put.every(({ kind, record }) => record.version === version(kind, record.id) + 1) &&
      remove.every((gone) => gone.version === version(gone.kind, gone.id) && gone.version > 0)
    );
  }

  /** Applies a change and returns the slots it replaced and those it made. */
  apply({ put = [], remove = [] }: Change, seq: number): { old: Slot[]; made: Slot[] } {
    const old: Slot[] = [];
    const made: Slot[] = [];
    const place = (kind: Kind, id: string, slot: Slot) => {
      const before = this.get(kind, id);
      if (before !== undefined) old.push(before);
      made.push(slot);
      this.#slots[kind].set(id, slot);
    };
    for (const one of put) place(one.kind, one.record.id, { seq, put: frozen(one) });
    for (const { kind, id } of remove) place(kind, id, { seq });
    return { old, made };
  }

  /** Whether no later commit has changed the record. */
  isCurrent(slot: Slot): boolean {
    return slot.put !== undefined && this.get(slot.put.kind, slot.put.record.id) === slot;
  }

  /** Forgets the marks of removed records, once their removal is durable. */
  sweep({ remove = [] }: Change, seq: number): void {
    for (const { kind, id } of remove)
      if (this.get(kind, id)?.seq === seq) this.#slots[kind].delete(id);
  }

  /** Forgets a payment that is in the archive now, unless it was changed meanwhile. */
  drop(payment: Payment): void {
    if (this.get('payment', payment.id)?.put?.record === payment)
      this.#slots.payment.delete(payment.id);
  }

  *slots(): Generator<Slot> {
    for (const slots of Object.values(this.#slots)) yield* slots.values();
  }

  *all(): Generator<Put> {
    for (const { put } of this.slots()) if (put !== undefined) yield put;
  }

  *payments(): Generator<Payment> {
    for (const { put } of this.#slots.payment.values())
      if (put?.kind === 'payment') yield put.record;
  }
}

/** Everybody who asks gets the same object, so nobody may change it. */
const frozen = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
};
