import { StartError } from '../core/runtime/errors.ts';
import { startErrorText } from './start-error-text.ts';
import { writeWhole } from './write-whole.ts';

/** The terminal, or what stands in for it. */
export type Terminal = {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream;
  readonly errors: NodeJS.WritableStream;
};

/**
 * Runs the command that the words name; without words, `start`.
 * @returns the exit code, once everything is written: 0, 1 for "no", 64 for wrong usage, 78 for the configuration;
 * `undefined` when the process goes on.
 */
export const runCommandLine = async (
  words: readonly string[],
  terminal: Terminal,
): Promise<number | undefined> => {
  try {
    // A start needs neither the parser nor the other commands: commander alone costs 13 ms and 9 MB.
    if (words.length === 0 || (words.length === 1 && words[0] === 'start')) {
      const { startPaythread } = await import('./start.ts');
      return await startPaythread();
    }
    const { runWords } = await import('./run-words.ts');
    return await runWords(words, terminal);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    await writeWhole(terminal.errors, startErrorText(error));
    return error.exitCode;
  }
};
