import type { Access } from '../commands/access/access.ts';
import type { Card } from '../commands/cards/card.ts';
import type { Label } from '../commands/cards/sandbox-label.ts';
import type { CommandSettings, Services } from '../commands/command.ts';
import type { DigestPlan } from '../commands/digest/digests.ts';
import type { AroundCommand } from '../commands/inbound.ts';
import { NO_TEXTS } from '../commands/sms/templates.ts';
import type { BalanceLimits } from '../core/balances/low-balances.ts';
import { type Cluster, localCluster } from '../core/cluster/cluster.ts';
import type { Gateway } from '../core/gateway/gateway.ts';
import type { Chat } from '../core/notices/chats.ts';
import type { CheckPolicy } from '../core/payments/check-schedule.ts';
import type { Notice } from '../core/records/notice.ts';
import type { Put } from '../core/records/records.ts';
import type { SealSecrets } from '../core/records/seals.ts';
import type { Clock } from '../core/runtime/clock.ts';
import type { Log } from '../core/runtime/log.ts';
import { type Random, systemRandom } from '../core/runtime/random.ts';
import type { Store } from '../core/store/store.ts';
import type { Conversation } from '../core/values/conversation.ts';

/** Called around work and after deliveries, for metrics and traces. */
export type WorkObserver = {
  /** `what`: the kind of the notice, or `new card`. */
  readonly noticeTried: (notice: Notice, what: string, result: string) => void;
  /** Must call `serve` once. */
  readonly aroundWork: (work: Put, serve: () => Promise<void>) => Promise<void>;
  readonly aroundCommand: AroundCommand;
};

const NO_OBSERVER: WorkObserver = {
  noticeTried: () => {},
  aroundWork: (_, serve) => serve(),
  aroundCommand: (_, work) => work(),
};

/** What files take of `PAYMENTS_RATE`; the rest is for people and status checks. */
export const FILE_SHARE = 0.4;

export type EngineOptions = {
  readonly store: Store;
  /** Other instances use the store as well. */
  readonly isShared: boolean;
  /** How often workers look for due work at least. @default as `Worker` does */
  readonly longestNapMs?: number;
  readonly gateway: Gateway;
  readonly access: Pick<Access, 'grantsOf'> &
    Partial<
      Pick<Access, 'approvers' | 'approverIds' | 'isGuest' | 'named' | 'givableRoles' | 'toldRules'>
    >;
  /** By platform; read at each delivery, so bots may be added later. */
  readonly chats: ReadonlyMap<string, Chat<Card>>;
  readonly clock: Clock;
  readonly log: Log;
  readonly mark: Label;
  /** `texts`: @default no templates; `merchants`: @default one */
  readonly settings: Pick<CommandSettings, 'currency' | 'country' | 'timeZone' | 'senderIds'> &
    Partial<CommandSettings>;
  readonly platforms: Services['platforms'];
  readonly checks: CheckPolicy;
  readonly confirmWithinMs: number;
  /** How long customers are kept after their payments ended. @default for ever */
  readonly retainMs?: number;
  readonly requestTimeoutMs: number;
  /** Key of the seals on drafts, confirmations and SMS; it is not in the store. */
  readonly sealSecret: SealSecrets;
  readonly callbacks: { readonly secrets: readonly string[]; readonly publicUrl: string };
  /** Where alerts go. @default none: alerts are in the log only */
  readonly operators?: readonly Conversation[];
  /** @default nowhere */
  readonly digest?: DigestPlan;
  /** @default no balance is too low */
  readonly alertBelow?: BalanceLimits;
  /** How often the balances are asked. @default 15 minutes; only worlds of many days have their own */
  readonly balancesEveryMs?: number;
  /** How fast the charges of files are asked for, all files and instances together. @default 0.4 of 5 a second */
  readonly filePace?: Services['filePace'];
  /** With whom the pace of files is kept. @default this process alone */
  readonly cluster?: Pick<Cluster, 'reserve'>;
  readonly observer?: WorkObserver;
  /** A worker makes no progress, which only a new process can mend. */
  readonly onStuck?: (queue: string) => void;
  /** @default the system's */
  readonly random?: Random;
};

export const withDefaults = (options: EngineOptions) => ({
  operators: [],
  digest: { places: [], atMinutes: 0 },
  alertBelow: {},
  balancesEveryMs: 15 * 60_000,
  retainMs: Number.POSITIVE_INFINITY,
  observer: NO_OBSERVER,
  onStuck: () => {},
  random: systemRandom,
  filePace: { rowsPerSecond: 5 * FILE_SHARE },
  cluster: localCluster(options.clock),
  ...options,
  settings: { texts: NO_TEXTS, merchants: [], ...options.settings },
});

export type EngineSettings = ReturnType<typeof withDefaults>;
