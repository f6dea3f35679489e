import { statSync } from 'node:fs';
import { link, mkdir, open, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises';

/** The files name customers and their numbers, so they are for the owner alone. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

export type FileFacts = {
  /** Tells this file from every other that exists at the same time. */
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
};

/** An open file, or an open folder, which can only be flushed. Fails with the system's error codes. */
export interface DiskFile {
  /** May read less than it was asked for; nothing at the file's end. */
  read(into: Buffer, at: number, length: number, from: number): Promise<{ bytesRead: number }>;
  /** May write less than it was given. */
  write(bytes: Buffer, at: number, length: number, to: number): Promise<{ bytesWritten: number }>;
  truncate(length: number): Promise<void>;
  /** Makes what was written, and how long the file is, safe from a power cut. */
  datasync(): Promise<void>;
  /** The same, and everything else about the file. */
  sync(): Promise<void>;
  stat(): Promise<FileFacts>;
  utimes(readAt: Date, changedAt: Date): Promise<void>;
  close(): Promise<void>;
}

/**
 * What the embedded store needs of a file system, with the meaning `node:fs` gives it. Whatever is made
 * is for the owner alone. New, renamed and removed names are safe once their folder was flushed.
 */
export interface Disk {
  /** `wx+` makes a new file and fails when the name is taken. */
  open(path: string, flags: 'r' | 'r+' | 'wx+'): Promise<DiskFile>;
  readFile(path: string): Promise<Buffer>;
  stat(path: string): Promise<FileFacts>;
  /** Undefined: there is nothing. */
  statSync(path: string): FileFacts | undefined;
  readdir(path: string): Promise<string[]>;
  /** Makes the folders above it as well, as far as they are not there. */
  mkdir(path: string): Promise<void>;
  /** Fails when anything is in it. */
  rmdir(path: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** A second name for a file; fails when it is taken. */
  link(path: string, name: string): Promise<void>;
  /** Does nothing when there is nothing. */
  rm(path: string): Promise<void>;
}

/** A folder and the disk it is on. */
export type Folder = { readonly disk: Disk; readonly dir: string };

/** The file system of this machine. */
export const systemDisk: Disk = {
  open: (path, flags) => open(path, flags, FILE_MODE),
  readFile: (path) => readFile(path),
  stat: (path) => stat(path),
  statSync: (path) => statSync(path, { throwIfNoEntry: false }),
  readdir: (path) => readdir(path),
  mkdir: async (path) => void (await mkdir(path, { recursive: true, mode: FOLDER_MODE })),
  rmdir,
  rename,
  link,
  rm: (path) => rm(path, { force: true }),
};
