import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type RestoreMark, restoreMark } from '../../core/records/stored-values.ts';
import { StartError } from '../../core/runtime/errors.ts';
import { lockHolder } from '../../core/store/sqlite/folder-lock.ts';
import { isMarkedAsMoved } from '../../core/store/sqlite/store-folder.ts';
import { showTime } from '../../core/values/format-time.ts';
import { readStored } from '../read-store.ts';
import type { Examined } from './examined.ts';

const LEAST_FREE_BYTES = 200 * 1024 * 1024;

/** The folder of the embedded store: whether it can be used, who uses it, how much room there is. Takes no lock. */
export const examineDataFolder = async (examined: Examined): Promise<void> => {
  const { findings } = examined;
  const { dataDir } = examined.config;
  const folder = await orUndefined(stat(dataDir));
  if (folder === undefined) await examineParent(examined);
  else if (!folder.isDirectory())
    findings.wrong(`DATA_DIR ${dataDir} is not a folder.`, 'Set DATA_DIR to a folder.');
  else {
    await examineRights(examined, folder.mode);
    const holder = lockHolder(dataDir);
    findings.note(holder === undefined ? 'No process uses it now.' : `In use by ${holder}.`);
    if (isMarkedAsMoved(dataDir))
      findings.wrong(
        `The payments in ${dataDir} were moved to PostgreSQL, and nothing starts from it any more.`,
        'Set DATABASE_URL, or set DATA_DIR to another folder.',
      );
    else await examineStore(examined);
  }
  await examineRoom(examined);
};

const examineRights = async ({ config, findings }: Examined, mode: number): Promise<void> => {
  const { dataDir: dir } = config;
  if (!(await mayUse(dir)))
    findings.wrong(
      `This user may not read and write in ${dir}.`,
      `Run this as the user Paythread runs as, or give that user the folder with: chown -R USER ${dir}`,
    );
  if ((mode & 0o077) !== 0)
    findings.wrong(
      `Others on this machine may look into ${dir}, which holds numbers and names.`,
      `Take that away with: chmod 700 ${dir}`,
    );
};

const examineParent = async ({ config: { dataDir: dir }, findings }: Examined): Promise<void> => {
  const parent = await nearest(dir);
  if (await mayUse(parent)) findings.note(`${dir} is made at the first start.`);
  else
    findings.wrong(
      `DATA_DIR ${dir} is not there, and this user may not make it.`,
      `Make it for the user Paythread runs as, or set DATA_DIR to another folder.`,
    );
};

const examineStore = async (examined: Examined): Promise<void> => {
  try {
    examineRestore(await readStored(examined.config, restoreMark), examined);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    examined.findings.wrong(error.message, 'Until then nothing starts from this folder.');
  }
};

const examineRoom = async ({ config: { dataDir: dir }, findings }: Examined): Promise<void> => {
  const { bavail, bsize } = await statfs(await nearest(dir));
  const freeBytes = bavail * bsize;
  if (freeBytes < LEAST_FREE_BYTES)
    findings.wrong(
      `The disk of ${dir} has only ${Math.round(freeBytes / 1_000_000)} MB left.`,
      'Make room: a disk that is full stops Paythread.',
    );
};

/** The folder itself, or the nearest one above it that is there. */
const nearest = async (dir: string): Promise<string> => {
  for (let at = resolve(dir); ; at = dirname(at))
    if ((await orUndefined(stat(at))) !== undefined || at === dirname(at)) return at;
};

const mayUse = async (path: string): Promise<boolean> => {
  const { R_OK, W_OK, X_OK } = constants;
  return (await orUndefined(access(path, R_OK | W_OK | X_OK).then(() => true))) === true;
};

/** What cannot be looked at is not there for us. */
const orUndefined = <T>(looking: Promise<T>): Promise<T | undefined> =>
  looking.catch(() => undefined);

/** Whether charges wait because the store was restored. */
export const examineRestore = (
  mark: RestoreMark | undefined,
  { config: { timeZone }, findings }: Examined,
): void => {
  if (mark === undefined || mark.liftedAtMs !== undefined) return;
  findings.wrong(
    `The store was restored from a backup of ${showTime(mark.backupAtMs, timeZone)}, so nothing is charged.`,
    'Run "npm run reconcile": it asks the payment service about everything that may have been lost.',
  );
};
