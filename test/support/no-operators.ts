import { Alerts } from '../../src/core/notices/alerts.ts';
import type { Clock } from '../../src/core/runtime/clock.ts';
import type { Store } from '../../src/core/store/store.ts';
import { silentLog } from './silent-log.ts';

/** Alerts that nobody is told. */
export const noOperators = ({ store, clock }: { store: Store; clock: Clock }): Alerts =>
  new Alerts({ store, clock, log: silentLog, operators: [] });
