import type { AuditRow, Put } from '../../../src/core/records/records.ts';
import type { Store } from '../../../src/core/store/store.ts';
import type { Instance } from './instance.ts';

/** Where instances keep what they store. */
export interface Premises {
  /** `onFatal`: the store gave up, and the process with it. */
  open(instance: Instance, onFatal: () => void): Promise<Store>;
  close(instance: Instance): Promise<void>;
  /** The process is gone; what it had not made safe may be gone as well. */
  died(instance: Instance): void;
  /** Whether a start may be refused with this error. */
  mayRefuse(error: unknown): boolean;
  heal(): void;
  /** When work that waits may be claimed; work that is overdue counts as of `overdueMs`. */
  nextDueMs(overdueMs: number): Promise<number>;
  /** Read when all is over: the records, and the audit rows since the beginning. */
  stored(): Promise<Stored>;
  /** Frees what the world held; nothing is read afterwards. */
  demolish(): void;
}

export type Stored = {
  readonly records: readonly Put[];
  readonly audit: readonly AuditRow[];
  /** Of every byte of the audit, salts included; the shared premises are a model and have none. */
  readonly digest?: string;
};
