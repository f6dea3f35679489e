import { createInterface } from 'node:readline';
import { Command, CommanderError } from 'commander';
import { platforms } from '../bots/all-platforms.ts';
import { plainLines } from '../bots/terminal/card-to-text.ts';
import { loadConfig } from '../config/config.ts';
import { programVersion } from '../core/runtime/version.ts';
import { COMMANDS } from './commands.ts';
import {
  EX_USAGE,
  exampleText,
  type Printed,
  type Run,
  type Terminal,
  writeWhole,
} from './shell-command.ts';

/**
 * Reads the words as a command with its arguments, and runs it.
 * @returns the exit code, once everything is written; `undefined` when the process goes on.
 * @throws {StartError} when the command cannot be carried out.
 */
export const runWords = async (
  words: readonly string[],
  terminal: Terminal,
): Promise<number | undefined> => {
  const { input, output, errors } = terminal;
  let said: Printed | undefined;
  const isTyped = input.isTTY === true;
  const line = (prompt: string) => firstLine(isTyped ? prompt : '', terminal);
  const run: Run = async (work) => {
    said = await work({
      config: () => loadConfig(terminal.settings),
      output: (text) => writeWhole(output, text),
      errors: (text) => writeWhole(errors, text),
      ask: isTyped ? async (question) => /^yes$/i.test(await line(question)) : undefined,
      line,
    });
  };
  try {
    const program = await programFor(words, terminal, run);
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Commander has written its text: help to standard output, the rest to standard error.
    await Promise.all([writeWhole(output, ''), writeWhole(errors, '')]);
    return error.exitCode === 0 ? 0 : EX_USAGE;
  }
  if (said === undefined) return undefined;
  if (said.text !== undefined) await writeWhole(output, `${plainLines(said.text)}\n`);
  return said.exitCode ?? 0;
};

/** The whole table of commands; only the one that the words name is loaded and knows its own arguments. */
const programFor = async (
  words: readonly string[],
  { output, errors }: Terminal,
  run: Run,
): Promise<Command> => {
  const program = new Command('paythread')
    .description(`A payment bot for ${CHATS}.`)
    .version(programVersion(), '-V, --version', 'shows the version')
    .helpOption('-h, --help', 'shows this help')
    .helpCommand('help [command]', 'shows the help of a command')
    .addHelpText('after', `${exampleText('backup --help')}\n\n${EXIT_CODES}`)
    .configureOutput({
      writeOut: (text) => output.write(text),
      writeErr: (text) => errors.write(text),
      outputError: (text, write) => write(asSentence(text)),
    })
    .exitOverride()
    .showHelpAfterError('"npm run paythread -- --help" lists the commands.');
  const named = words.find((word) => Object.hasOwn(COMMANDS, word));
  for (const [name, { summary, load }] of Object.entries(COMMANDS)) {
    const command = program.command(name).summary(summary).showHelpAfterError();
    if (name === named) (await load())(command, run);
  }
  return program;
};

const CHATS = new Intl.ListFormat('en-GB').format(
  platforms.map(({ isLocal, title }) => (isLocal ? 'the terminal' : title)),
);

const EXIT_CODES =
  'Exit codes: 0 done, 1 not done or not found, 64 the command line is wrong, 78 a setting is not right.';

/** Commander's `error: unknown command 'bakup'\n(Did you mean backup?)` without its prefix, as sentences. */
const asSentence = (text: string): string => {
  const [what = '', hint = ''] = text.replace(/^error: /, '').split('\n');
  const sentence = `${what.charAt(0).toUpperCase()}${what.slice(1)}${what.endsWith('.') ? '' : '.'}`;
  return `${[sentence, hint.replace(/^\((.*)\)$/, '$1')].join(' ').trim()}\n`;
};

/** Without spaces around it; the end of input is an empty line. */
const firstLine = async (prompt: string, { input, output }: Terminal): Promise<string> => {
  const lines = createInterface({ input, terminal: false });
  try {
    return await new Promise<string>((resolve) => {
      lines.once('line', (text) => resolve(text.trim())).once('close', () => resolve(''));
      output.write(prompt);
    });
  } finally {
    lines.close();
  }
};
