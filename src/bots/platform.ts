import type { Readable, Writable } from 'node:stream';
import type { z } from 'zod';
import type { Card } from '../commands/cards/card.ts';
import type { Annotations, Answers, Form } from '../commands/forms/form.ts';
import type { Home, IsIn } from '../commands/home.ts';
import type { AskedForm, Caller, Inbound, InboundHandler } from '../commands/inbound.ts';
import type { ValuesOf, Variables } from '../config/variable.ts';
import type { Pace } from '../core/cluster/rate-limiter.ts';
import type { Clock } from '../core/runtime/clock.ts';
import type { Parsed } from '../core/runtime/errors.ts';
import type { Log } from '../core/runtime/log.ts';
import type { Store } from '../core/store/store.ts';
import type { Platform, PlatformId } from '../core/values/platform.ts';
import type { Bot, Directory } from './bot.ts';

/**
 * A platform with all that makes it run. `V` are its variables, `S` what they come to. The record loads neither
 * the platform's library nor its bot: `create`, `examine` and `directory` do.
 */
export interface ChatPlatform<V extends Variables = Variables, S = unknown> extends Platform {
  /** In the order of docs/settings.md. */
  readonly variables: V;
  /** The variable that turns the platform on; a local platform has none. */
  readonly token?: string;
  /** Variables each of which shows that the platform is meant, even where the others are missing. */
  readonly signs: readonly string[];
  /** Which variables need which others; `isSet` is also true for a variable whose file cannot be read. */
  needs(isSet: (name: string) => boolean): readonly Need[];
  /** Undefined: the platform is not configured. Called only with values that `needs` has nothing against. */
  settingsFrom(values: ValuesOf<V>): S | undefined;
  /** Its name and how it is connected, for the doctor: `Slack (socket)`. */
  describe(settings: S): string;
  /** Where the platform sends its requests; undefined when it sends none. */
  webhookPath(settings: S): string | undefined;
  /** Loads the platform's library. */
  create(settings: S, parts: BotParts): Promise<Bot>;
  /** Asks the platform about the settings; starts nothing, sends and changes nothing. */
  examine?(settings: S, examination: Examination): Promise<void>;
  /** Where the platform tells whether it takes a card or a form; needs no token. */
  cardsAt?(values: ValuesOf<V>): string;
  /** Asks there about samples; they are shown to no one. */
  examineCards?(
    address: string,
    samples: readonly Sample[],
    examination: CardExamination,
  ): Promise<void>;
  /** The manifest of the app that people make there. */
  manifest?(options: ManifestOptions): Promise<Parsed<string>>;
  /** The platform's people, for a program that runs no bot. */
  directory?(settings: S, parts: Pick<BotParts, 'clock' | 'log'>): Promise<Directory>;
}

/** `prefix`: in front of every command. `http`: where requests reach Paythread, in place of a socket. */
export type ManifestOptions = { readonly prefix?: string; readonly http?: string };

/** Variables that must be set `when` others are; `because` goes on after "… is not set, ". */
export type Need = {
  readonly when: boolean;
  readonly needs: readonly string[];
  readonly because: string;
  /** The address that the platform must be able to trust. */
  readonly https?: 'PUBLIC_URL';
};

export type ConfiguredChat = { readonly platform: ChatPlatform; readonly settings: unknown };

export type BotParts = {
  /** Where the listener is reached from outside, without a slash at its end. */
  readonly publicUrl: string;
  readonly inbound: InboundHandler;
  /** Asks a form's questions one by one, on platforms without forms. */
  readonly askStepByStep: (inbound: Inbound, ...asked: AskedForm) => Promise<void>;
  /** What a page of the person's own shows, where the platform has one; the caller's conversation is their own. */
  readonly homeOf: (caller: Caller, isIn: IsIn) => Promise<Home>;
  /** The address of a payment's card, by transaction id, on any platform with such addresses. May reject. */
  readonly linkToPayment: (id: string) => Promise<string | undefined>;
  /** For menus, in their order. */
  readonly commands: readonly { readonly name: string; readonly summary: string }[];
  /** The commands that a person may use, here and now; rejects when the rights cannot be read. */
  readonly usableBy: (caller: Caller) => Promise<BotParts['commands']>;
  /** Ids of the people and conversations of this platform to which the access file gives a role. */
  readonly named: () => readonly string[];
  readonly onMoved: (from: string, to: string) => Promise<void>;
  readonly pacer: Pace;
  /** For what a bot has to know of itself after a restart. */
  readonly store: Pick<Store, 'get' | 'commit'>;
  /** Runs `work` while no other instance runs work for this platform. */
  readonly lead: (work: (signal: AbortSignal) => Promise<void>, stop: AbortSignal) => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
  /** The process's own streams and user, for a local platform. */
  readonly input: Readable;
  readonly output: Writable;
  readonly userName: string;
  /** Where a local platform puts files for its person. */
  readonly filesFolder: string;
  /** Payments go to the simulator: no money moves. */
  readonly isSandbox: boolean;
  /** Where the practice page is; absent: it is not served. */
  readonly practiceUrl?: string;
};

export type Sample = { readonly name: string } & (
  | { readonly card: Card }
  | { readonly form: Form; readonly answers?: Answers; readonly annotations?: Annotations }
);

export type CardExamination = Pick<Examination, 'ask' | 'wrong' | 'note'> & {
  readonly clock: Clock;
};

export type Examination = {
  /**
   * Asks for JSON of a known form. Never rejects, follows no redirect. Undefined: no usable answer, which is noted as
   * something wrong; the note does not have the address, which may hold a token, but `setting`, the variable it is from.
   */
  ask<T>(
    setting: string,
    schema: z.ZodType<T>,
    url: string,
    init?: RequestInit,
  ): Promise<{ readonly said: T; readonly headers: Headers } | undefined>;
  /** Something to correct, and one sentence on how. */
  wrong(what: string, remedy: string): void;
  /** Something worth knowing, with nothing to correct. */
  note(text: string): void;
  readonly nowMs: number;
  /** Empty: it is not set. */
  readonly publicUrl: string;
  /** The ids of this platform that the access file names. */
  readonly named: readonly PlatformId[];
};
