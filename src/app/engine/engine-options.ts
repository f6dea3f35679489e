import type { Access } from '../../commands/access/access.ts';
import type { Card } from '../../commands/cards/card.ts';
import type { Label } from '../../commands/cards/sandbox-label.ts';
import type { Services } from '../../commands/command.ts';
import type { Gateway } from '../../core/gateway/gateway.ts';
import type { Chat } from '../../core/notices/chats.ts';
import type { CheckPolicy } from '../../core/payments/check-schedule.ts';
import type { Notice } from '../../core/records/notice.ts';
import type { Put } from '../../core/records/records.ts';
import type { Clock } from '../../core/runtime/clock.ts';
import type { Log } from '../../core/runtime/log.ts';
import type { Random } from '../../core/runtime/random.ts';
import type { Store } from '../../core/store/store.ts';
import type { Conversation } from '../../core/values/conversation.ts';

/** Who looks on, for figures and traces. */
export type Onlooker = {
  /** `what`: the kind of the notice, or `new card`. */
  readonly noticeTried: (notice: Notice, what: string, result: string) => void;
  readonly aroundWork: (work: Put, serve: () => Promise<void>) => Promise<void>;
};

/** Looks on at nothing. */
export const NOBODY: Onlooker = {
  noticeTried: () => {},
  aroundWork: (_, serve) => serve(),
};

export type EngineOptions = {
  readonly store: Store;
  /** Other instances use the store as well. */
  readonly isShared: boolean;
  readonly gateway: Gateway;
  readonly access: Pick<Access, 'grantsOf'> & Partial<Pick<Access, 'approvers'>>;
  /** By platform; read when something is sent, so they may come later. */
  readonly chats: ReadonlyMap<string, Chat<Card>>;
  readonly clock: Clock;
  readonly log: Log;
  readonly mark: Label;
  readonly settings: Services['settings'];
  readonly platforms: Services['platforms'];
  readonly checks: CheckPolicy;
  readonly confirmWithinMs: number;
  /** Longest time that one request to the service takes. */
  readonly requestTimeoutMs: number;
  /** Not in the store; what is confirmed is sealed with it. */
  readonly sealSecret: string;
  readonly callbacks: { readonly secrets: readonly string[]; readonly publicUrl: string };
  /** Where alerts go. */
  readonly operators?: readonly Conversation[];
  readonly onlooker?: Onlooker;
  /** A worker stands still, and only a new process can mend that. */
  readonly onStuck?: (queue: string) => void;
  /** @default the system's */
  readonly random?: Random;
};
