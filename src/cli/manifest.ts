import { platforms } from '../bots/all-platforms.ts';
import type { ManifestOptions } from '../bots/platform.ts';
import { exampleText, type Printed, type ShellCommand, wrongUsage } from './shell-command.ts';

/** `paythread manifest`: the app to paste where the chat platform makes apps. */
export const manifest: ShellCommand = (command, run) => {
  command
    .description(
      'Prints the manifest of the chat app: manifest.yml, or what the options make of it.',
    )
    .option('--prefix <prefix>', 'in front of every slash command, as in the setting')
    .option('--http <address>', 'where requests reach Paythread, in place of a socket')
    .addHelpText('after', exampleText('manifest --prefix pay- --http https://pay.example.com'))
    .action((options: ManifestOptions) => run(() => print(options)));
};

const print = async (options: ManifestOptions): Promise<Printed> => {
  const text = await platforms.find((each) => each.manifest)?.manifest?.(options);
  if (text?.ok === false)
    throw wrongUsage(
      `${text.problem.message} Example: npm run paythread -- ${text.problem.example}`,
    );
  return text === undefined ? { exitCode: 1 } : { text: text.value };
};
