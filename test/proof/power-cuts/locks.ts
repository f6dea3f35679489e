import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { examine } from './examine.ts';
import type { Call } from './record.ts';
import { commandOf, recorded, writeImage } from './recorder.ts';
import { Story } from './story.ts';
import { Told } from './told.ts';

const LENGTH = { groups: 2, hasBurst: false } as const;

type LockOptions = { readonly library: string; readonly folder: string; readonly seed: number };

/**
 * A second process on a folder, and a folder on a file system without locks: refused, and nothing is changed.
 * What was wrong; nothing, if all is well.
 */
export const replayLocks = async (options: LockOptions): Promise<string[]> => [
  ...(await wrongWithSecondProcess(options)),
  ...wrongWithoutLocks(options, 'none', /on a file system that keeps no locks/),
  ...wrongWithoutLocks(options, 'pretended', /overlay file system that keeps no locks/),
];

/** The first process is held while it has the folder, so that it is at work for as long as the second one tries. */
const wrongWithSecondProcess = async ({
  library,
  folder,
  seed,
}: LockOptions): Promise<string[]> => {
  const root = join(folder, 'shared');
  const life = { seed, length: LENGTH };
  writeImage(root, new Map());
  const { args, env } = commandOf(library, root, life);
  const first = spawn(process.execPath, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...env, HOLD: '1' },
  });
  const ended = once(first, 'close');
  const told = new Told();
  const heard: string[] = [];
  first.stdout.setEncoding('utf8').on('data', (text: string) => heard.push(text));
  await once(first.stdout, 'data');
  const before = contentsOf(root);
  const second = commandOf(library, root, life);
  const other = spawn(process.execPath, second.args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...env, RECORD_TO: `${root}.second` },
  });
  let said = '';
  other.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  const [code] = await once(other, 'close');
  const problems: string[] = [];
  if (code !== 3 || !said.includes(`in use by process ${first.pid} `))
    problems.push(`a second process ended with ${code}: ${said}`);
  if (contentsOf(root) !== before) problems.push('a second process changed the folder');
  first.stdin.end();
  const [firstCode] = await ended;
  if (firstCode !== 0) problems.push(`the first process ended with ${firstCode}`);
  told.hear(heard.join(''));
  const { problems: found } = await examine(root, new Story(seed, LENGTH), told);
  for (const name of ['record', 'second']) rmSync(`${root}.${name}`, { force: true });
  return [...problems, ...found].map((one) => `second process: ${one}`);
};

/** Names and bytes of the files that hold something. */
const contentsOf = (root: string): string =>
  JSON.stringify(
    readdirSync(join(root, 'data'))
      .filter((name) => !name.endsWith('-shm'))
      .sort()
      .map((name) => [name, readFileSync(join(root, 'data', name), 'base64')]),
  );

const wrongWithoutLocks = (
  { library, folder, seed }: LockOptions,
  locks: 'none' | 'pretended',
  why: RegExp,
): string[] => {
  const root = join(folder, 'lockless');
  const variables = { LOCKS: locks };
  const { calls, code } = recorded(library, root, { seed, length: LENGTH, variables });
  const said = calls.flatMap((call: Call) => (call.kind === 'told' ? [call.text] : [])).join('');
  const names = readdirSync(join(root, 'data')).filter((name) => name.startsWith('paythread.db'));
  return code === 3 && why.test(said) && names.length === 0
    ? []
    : [`locks ${locks}: ended with ${code}, left ${names}, said ${said}`];
};
