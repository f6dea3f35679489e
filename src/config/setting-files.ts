import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { EX_CONFIG, StartError } from '../core/runtime/errors.ts';
import { closingCommand, isHandedIn, isOpenToOthers } from './file-rights.ts';
import { type Name, names, variables } from './variables.ts';

/** No secret is as long; what is longer was named by mistake. */
const LARGEST_BYTES = 16 * 1024;

/** What `<NAME>_FILE` gave for a secret: its text, or what is wrong with the file. Never both. */
export type FileSecret =
  | { readonly ok: true; readonly text: string }
  | {
      readonly ok: false;
      /** Goes on after the variable's name. Says nothing of the content, nor of a path that leads nowhere: it may be the secret itself. */
      readonly what: string;
      /** What to type against it. */
      readonly command?: string;
    };

export type FileSecrets = { readonly [N in Name]?: FileSecret };

export const fileVariable = (name: Name): string => `${name}_FILE`;

/** All variables that name the file of a secret. */
export const fileVariables: ReadonlySet<string> = new Set(
  names.filter((name) => variables[name].secret).map(fileVariable),
);

/**
 * Reads the files that these settings name.
 * @param handedIn folders that a container runtime or systemd fills.
 */
export const readSecretFiles = (
  settings: Readonly<Record<string, string>>,
  handedIn: readonly string[],
): FileSecrets =>
  Object.fromEntries(
    names.flatMap((name) => {
      const path = settings[fileVariable(name)];
      if (path === undefined || !fileVariables.has(fileVariable(name))) return [];
      return [[name, settings[name] === undefined ? readSecretFile(path, handedIn) : both(name)]];
    }),
  );

/** With both set, a secret rotated in one of them would stay valid in the other. */
const both = (name: Name): FileSecret =>
  wrong(`is set, and ${name} as well: take one of the two away`);

/** The whole file, without the one line end that editors and `echo` put behind it. */
export const readSecretFile = (path: string, handedIn: readonly string[]): FileSecret => {
  let file: number | undefined;
  try {
    // A pipe without a writer would block the start. Windows has no such thing.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    return readOpenFile(file, path, handedIn);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return wrong(
      code === 'ENOENT' ? 'names a file that is not there' : `names what cannot be read (${code})`,
    );
  } finally {
    if (file !== undefined) closeSync(file);
  }
};

const readOpenFile = (file: number, path: string, handedIn: readonly string[]): FileSecret => {
  // Of the open file and not of its path, which may lead elsewhere a moment later.
  const stats = fstatSync(file);
  if (stats.isDirectory()) return wrong('names a folder');
  if (!stats.isFile()) return wrong('names something that is not a file');
  if (isOpenToOthers(stats) && !isHandedIn(path, stats, handedIn)) {
    const what = 'names a file that others on this machine may open';
    return { ok: false, what, command: closingCommand(path, stats) };
  }
  const bytes = readUpTo(file, LARGEST_BYTES + 1);
  if (bytes.length > LARGEST_BYTES) return wrong('names a file that is too large for a secret');
  const text = textOf(bytes)?.replace(/\r?\n$/, '');
  if (text === undefined) return wrong('names a file that is not text');
  return text.trim() === '' ? wrong('names a file that is empty') : { ok: true, text };
};

const wrong = (what: string): FileSecret => ({ ok: false, what });

const readUpTo = (file: number, bytes: number): Buffer => {
  const buffer = Buffer.alloc(bytes);
  let length = 0;
  for (let read = -1; read !== 0 && length < bytes; length += read)
    read = readSync(file, buffer, length, bytes - length, null);
  return buffer.subarray(0, length);
};

/** Without the byte order mark that some editors put first; undefined: not UTF-8. */
const textOf = (bytes: Buffer): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // A TypeError is how the decoder says so.
    return undefined;
  }
};

const ENV_FILE = '.env';

/**
 * The text of `.env` in the working directory, empty when there is none, and what the log should say of it. A file
 * with secrets that is open to others is read all the same: a copied file is, and what runs must not stop over it.
 * @throws {StartError} with exit code 78 when it cannot be read.
 */
export const readEnvFile = (
  folder: string,
): { readonly text: string; readonly warnings: readonly string[] } => {
  const path = join(folder, ENV_FILE);
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return { text: '', warnings: [] };
    // Some editors put a byte order mark first; it would become part of the first name.
    const text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
    const secrets = secretsIn(text);
    if (!isOpenToOthers(stats) || secrets.length === 0) return { text, warnings: [] };
    const warning = `others on this machine may open the file .env, which holds ${secrets.join(', ')}; take that away with: ${closingCommand(ENV_FILE, stats)}`;
    return { text, warnings: [warning] };
  } catch (error) {
    throw new StartError('The file .env is there but cannot be read.', EX_CONFIG, { cause: error });
  }
};

const secretsIn = (text: string): string[] => {
  const settings = parseEnv(text);
  return names.filter((name) => variables[name].secret && settings[name]?.trim());
};
