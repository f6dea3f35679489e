import { plainLines } from '../bots/terminal/card-to-text.ts';
import { loadConfig } from '../config/config.ts';
import { StartError } from '../core/runtime/errors.ts';
import { secretHider } from '../core/runtime/masking.ts';
import { type Terminal, writeWhole } from './shell-command.ts';

/**
 * Runs the command that the words name; without words, shows the help.
 * @returns the exit code, once everything is written: 0, 1 for "no", 64 for wrong usage, 78 for the configuration;
 * `undefined` when the process goes on.
 */
export const runCommandLine = async (
  words: readonly string[],
  terminal: Terminal,
): Promise<number | undefined> => {
  try {
    // A start needs neither the parser nor the other commands: commander alone costs 13 ms and 9 MB.
    if (words.length === 1 && words[0] === 'start') {
      const { startPaythread } = await import('./start.ts');
      return await startPaythread(loadConfig(terminal.settings));
    }
    for (const stream of [terminal.output, terminal.errors]) stream.on('error', ignoreClosedPipe);
    const { runWords } = await import('./run-words.ts');
    return await runWords(words.length === 0 ? ['--help'] : words, terminal);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    const message = secretHider(secretsOrNone(terminal))(error.message);
    await writeWhole(terminal.errors, `${plainLines(message)}\n`);
    return error.exitCode;
  }
};

/** A reader such as `head -1` closes the pipe when it has read enough: the rest of the text is not wanted. */
const ignoreClosedPipe = (error: NodeJS.ErrnoException): void => {
  if (error.code !== 'EPIPE') throw error;
};

/** What is masked in an error's text, which may quote a database or a chat platform, and those what they were sent. */
const secretsOrNone = ({ settings }: Terminal): readonly string[] => {
  try {
    return loadConfig(settings).secrets;
  } catch (error) {
    // Settings that cannot be read are the error themselves, and its text holds no value.
    if (error instanceof StartError) return [];
    throw error;
  }
};
