import type { Config } from '../../config/config.ts';
import type { Clock } from '../../core/runtime/clock.ts';
import type { AccessFacts } from './access.ts';
import type { Network } from './network.ts';

/** What every area may ask with. */
export type Examined = {
  readonly config: Config;
  readonly clock: Clock;
  readonly network: Network;
  readonly access: AccessFacts;
};
