import type { Config } from '../config/config.ts';
import type { Store } from '../core/store/store.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Engine } from './engine.ts';
import type { Surroundings } from './open-parts.ts';

export type App = {
  readonly port: number;
  readonly store: Store;
  /** Names of the roles in the access file; absent without a file. */
  readonly roles?: readonly string[];
  readonly commands: Engine['commands'];
  /** Only with a local platform: resolves when nothing more can be typed. */
  readonly inputEnded?: Promise<void>;
  /** Only with the built-in sandbox. */
  readonly sandbox?: Sandbox;
  /** Only where the practice page is served: where. */
  readonly practiceUrl?: string;
  /** Takes no more work, finishes the work in flight, closes everything in the reverse of the order it was opened. */
  stop(): Promise<void>;
};

/** As `startApp`. */
export type StartApp = (config: Config, surroundings: Surroundings) => Promise<App>;
