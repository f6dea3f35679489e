import { StartError } from '../core/runtime/errors.ts';
import { askYes } from './ask-yes.ts';
import { startErrorText } from './start-error-text.ts';

/** What a command of the command line has to say, and how it leaves. */
export type Said = { readonly text: string /** @default 0 */; readonly exitCode?: number };

/** Asks the person at the terminal. */
export type Ask = (question: string) => Promise<boolean>;

/** Runs it: what it says goes to standard output, and a reason not to do it at all to standard error. */
export const runCommand = async (
  command: (args: readonly string[], ask: Ask | undefined) => Promise<Said>,
): Promise<void> => {
  // Whatever is written from here on is for this user alone.
  process.umask(0o077);
  try {
    const { stdin: input, stdout: output } = process;
    // Undefined where nobody sits at one.
    const ask = input.isTTY ? (question: string) => askYes(question, { input, output }) : undefined;
    const { text, exitCode = 0 } = await command(process.argv.slice(2), ask);
    process.stdout.write(`${text}\n`);
    process.exitCode = exitCode;
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    process.stderr.write(startErrorText(error));
    process.exitCode = error.exitCode;
  }
};
