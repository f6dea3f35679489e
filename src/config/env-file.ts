import { closeSync, fstatSync, openSync, readFileSync, type Stats } from 'node:fs';
import { parseEnv } from 'node:util';
import { EX_CONFIG, StartError } from '../core/runtime/errors.ts';
import { closingCommand, isOpenToOthers } from './file-rights.ts';
import { names, variables } from './variables.ts';

const ENV_FILE = '.env';

/** The text of `.env`, and what the log should say of it. */
export type EnvFile = { readonly text: string; readonly warnings: readonly string[] };

/**
 * `.env` in the working directory; empty when there is none. One that holds secrets and is open to others is
 * read all the same, because that is how a copied file comes about, and what is running must not stop over it.
 * @throws {StartError} with exit code 78 when it cannot be read.
 */
export const readEnvFile = (): EnvFile => {
  const { text, stats } = readWhole();
  const secrets = secretsIn(text);
  if (stats === undefined || !isOpenToOthers(stats) || secrets.length === 0)
    return { text, warnings: [] };
  const warning = `others on this machine may open the file .env, which holds ${secrets.join(', ')}; take that away with: ${closingCommand(ENV_FILE, stats)}`;
  return { text, warnings: [warning] };
};

const readWhole = (): { text: string; stats?: Stats } => {
  let file: number | undefined;
  try {
    file = openSync(ENV_FILE, 'r');
    // Some editors put a byte order mark first; it would become part of the first name.
    return { stats: fstatSync(file), text: readFileSync(file, 'utf8').replace(/^\uFEFF/, '') };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { text: '' };
    throw new StartError('The file .env is there but cannot be read.', EX_CONFIG, { cause: error });
  } finally {
    if (file !== undefined) closeSync(file);
  }
};

const secretsIn = (text: string): string[] => {
  const settings = parseEnv(text);
  return names.filter((name) => variables[name].secret && settings[name]?.trim());
};
