import type { AccessRules } from '../../commands/access/access-file.ts';
import type { Config } from '../../config/config.ts';
import type { Clock } from '../../core/runtime/clock.ts';
import type { Network } from './network.ts';
import type { Findings } from './report.ts';

/** What every area may ask with, and where it says what it found. */
export type Examined = {
  readonly config: Config;
  readonly clock: Clock;
  readonly network: Network;
  readonly access: AccessFacts;
  readonly findings: Findings;
};

export type AccessFacts = AccessRules & {
  readonly problems: readonly string[];
  readonly isMissing: boolean;
  /** Others on this machine than its owner may write it. */
  readonly isOpen: boolean;
};
