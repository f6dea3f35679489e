import { constants } from 'node:fs';
import { access, readFile, stat, statfs } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { jsonOf } from '../../bots/platform.ts';
import type { Config } from '../../config/config.ts';
import { restoreMark } from '../../core/records/settings.ts';
import { StartError } from '../../core/runtime/errors.ts';
import { systemDisk } from '../../core/store/disk.ts';
import { mustNotBeMoved } from '../../core/store/moved-mark.ts';
import { peekSetting } from '../../core/store/peek-setting.ts';
import { isRunning, ownMark } from '../../core/store/process-mark.ts';
import { Findings, type Report } from './report.ts';
import { examineRestore } from './restored.ts';

const LEAST_FREE_BYTES = 200 * 1024 * 1024;

const holder = z.object({
  pid: z.number(),
  host: z.string(),
  startedAt: z.string().optional(),
  space: z.string().optional(),
});

/** The folder of the embedded store: whether it can be used, who uses it, how much room there is. Takes no lock. */
export const examineDataFolder = async (config: Config): Promise<Report> => {
  const { dataDir } = config;
  const findings = new Findings();
  const folder = await modeOf(dataDir);
  if (folder === undefined) await examineParent(dataDir, findings);
  else if (!folder.isFolder)
    findings.wrong(`DATA_DIR ${dataDir} is not a folder.`, 'Set DATA_DIR to a folder.');
  else {
    await examineRights(dataDir, folder.mode, findings);
    await examineLock(dataDir, findings);
    await examineMark(dataDir, findings);
    const mark = await peekSetting({ disk: systemDisk, dir: dataDir }, restoreMark.id);
    examineRestore(mark, config, findings);
  }
  await examineRoom(dataDir, findings);
  return findings.report('Data folder');
};

const examineRights = async (dir: string, mode: number, findings: Findings): Promise<void> => {
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

const examineParent = async (dir: string, findings: Findings): Promise<void> => {
  const parent = await nearest(dir);
  if (await mayUse(parent)) findings.note(`${dir} is made at the first start.`);
  else
    findings.wrong(
      `DATA_DIR ${dir} is not there, and this user may not make it.`,
      `Make it for the user Paythread runs as, or set DATA_DIR to another folder.`,
    );
};

const examineLock = async (dir: string, findings: Findings): Promise<void> => {
  const text = await orUndefined(readFile(join(dir, 'paythread.lock'), 'utf8'));
  if (text === undefined) return findings.note('No process uses it now.');
  const read = holder.safeParse(jsonOf(text));
  if (!read.success)
    return findings.note('Its lock is half written; the next start looks whether it is held.');
  const { pid, host, startedAt, space } = read.data;
  const who = `process ${pid} on ${host}`;
  const here = await ownMark();
  if (host !== hostname() || space !== here.space)
    return findings.note(`Its lock is held by ${who}, which cannot be looked at from here.`);
  const runs = await isRunning({ pid, ...(startedAt === undefined ? {} : { startedAt }) });
  findings.note(
    runs
      ? `In use by ${who}.`
      : `Its lock was left by ${who}, which is gone; the next start takes it over.`,
  );
};

const examineMark = async (dir: string, findings: Findings): Promise<void> => {
  try {
    await mustNotBeMoved({ disk: systemDisk, dir });
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    findings.wrong(
      `The payments in ${dir} were moved to PostgreSQL, and nothing starts from it any more.`,
      'Set DATABASE_URL, or set DATA_DIR to another folder.',
    );
  }
};

const examineRoom = async (dir: string, findings: Findings): Promise<void> => {
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
    if ((await modeOf(at)) !== undefined || at === dirname(at)) return at;
};

const modeOf = async (path: string): Promise<{ mode: number; isFolder: boolean } | undefined> => {
  const found = await orUndefined(stat(path));
  return found === undefined ? undefined : { mode: found.mode, isFolder: found.isDirectory() };
};

const mayUse = async (path: string): Promise<boolean> => {
  const { R_OK, W_OK, X_OK } = constants;
  return (await orUndefined(access(path, R_OK | W_OK | X_OK).then(() => true))) === true;
};

/** What cannot be looked at is not there for us. */
const orUndefined = <T>(looking: Promise<T>): Promise<T | undefined> =>
  looking.catch(() => undefined);
