import { runProgram } from '../app/program.ts';
import type { Config } from '../config/config.ts';
import { nameOfUser, type ShellCommand } from './shell-command.ts';

/** `paythread start`: runs until a signal, or until the input of the terminal chat ends. */
export const start: ShellCommand = (command, run) => {
  command
    .description(
      'Runs Paythread with the settings of the environment and of .env until SIGTERM or SIGINT. Without a chat platform the chat is in this terminal, and ends with its input.',
    )
    .action(() => run(({ config }) => startPaythread(config())));
};

/** The same without reading arguments. Resolves once it works; the process then goes on. */
export const startPaythread = async (config: Config): Promise<undefined> => {
  await runProgram(config, { userName: nameOfUser() });
};
