import { StartError } from './core/errors.ts';
import { lastWords } from './last-words.ts';

/** What a command of the command line has to say, and how it leaves. */
export type Said = { readonly text: string /** @default 0 */; readonly exitCode?: number };

/** Runs it: what it says goes to standard output, and a reason not to do it at all to standard error. */
export const runCommand = async (
  command: (args: readonly string[]) => Promise<Said>,
): Promise<void> => {
  // Whatever is written from here on is for this user alone.
  process.umask(0o077);
  try {
    const { text, exitCode = 0 } = await command(process.argv.slice(2));
    process.stdout.write(`${text}\n`);
    process.exitCode = exitCode;
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    process.stderr.write(lastWords(error));
    process.exitCode = error.exitCode;
  }
};
