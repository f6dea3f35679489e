import { userInfo } from 'node:os';
import type { Command } from 'commander';
import { platforms } from '../bots/all-platforms.ts';
import type { Config, SettingsSource } from '../config/config.ts';
import { StartError } from '../core/runtime/errors.ts';
import type { Person } from '../core/values/conversation.ts';

/** The terminal with its environment, or what a test puts in their place. */
export type Terminal = {
  /** @default those of the process */
  readonly settings?: SettingsSource;
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
  readonly errors: NodeJS.WritableStream;
};

/** What a command prints to standard output, and how it leaves. */
export type Printed = {
  /** Without the line end behind it; absent: the command has written what there is. */
  readonly text?: string;
  /** 0: done; 1: the answer is no. @default 0 */
  readonly exitCode?: 0 | 1;
};

export type ShellSession = {
  /** @throws {StartError} when a setting is not right. */
  readonly config: () => Config;
  /** Asks the person at the terminal; everything but "yes" is a no. Undefined where there is none, as in a script. */
  readonly ask: ((question: string) => Promise<boolean>) | undefined;
  /** The first line of what is typed after this prompt, or of standard input where no person is; empty without one. */
  readonly line: (prompt: string) => Promise<string>;
  /** Writes to standard output; resolves once it is taken. */
  readonly output: (text: string) => Promise<void>;
  /** As `output`, to standard error. */
  readonly errors: (text: string) => Promise<void>;
};

/**
 * Carries out what a command's action was asked for.
 * @param work returns `undefined` when the process goes on after it, as a started Paythread does.
 */
export type Run = (work: (session: ShellSession) => Promise<Printed | undefined>) => Promise<void>;

/** Declares the arguments, options and help of one command, and its action. */
export type ShellCommand = (command: Command, run: Run) => void;

/** EX_USAGE of sysexits.h: the command line itself is wrong, and nothing was done. */
export const EX_USAGE = 64;

/** The refusal of an argument that has the right place and not the right form. */
export const wrongUsage = (message: string): StartError => new StartError(message, EX_USAGE);

/** The end of a command's help: command lines to copy, each behind `npm run paythread -- `. */
export const exampleText = (...lines: readonly string[]): string =>
  [
    lines.length === 1 ? '\nExample:' : '\nExamples:',
    ...lines.map((line) => `  npm run paythread -- ${line}`),
  ].join('\n');

export const nameOfUser = (): string => {
  try {
    return userInfo().username;
  } catch {
    // A user id without an entry, as containers have.
    return 'you';
  }
};

/** The same in the audit trail: named like a person of the local chat. */
export const personAtShell = (): Person => {
  const name = nameOfUser();
  return { platform: platforms.find(({ isLocal }) => isLocal)?.name ?? '', id: name, name };
};

/** Resolves once the stream took it: a process that exits before may lose the text where pipes are asynchronous. */
export const writeWhole = (stream: NodeJS.WritableStream, text: string): Promise<void> =>
  new Promise((resolve) => {
    stream.write(text, () => resolve());
  });
