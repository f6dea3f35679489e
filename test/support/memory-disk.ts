import type { Disk, DiskFile, FileFacts } from '../../src/core/store/disk.ts';
import { MemoryFile, type Random } from './memory-file.ts';
import { isFile, MemoryFolder, type MemoryNode } from './memory-folder.ts';
import { factsOf, failure, OpenMemoryFile, type Room } from './memory-open-file.ts';

/** What a process asked of the disk. */
export type DiskOperation = {
  /** Counted from 1 for each process. */
  readonly n: number;
  readonly kind: keyof Disk | keyof DiskFile;
  readonly path: string;
};

/** An error of the system; `short`: it reads or writes only a part; `crash`: the power is cut before. */
export type DiskFault =
  | 'EIO'
  | 'ENOSPC'
  | 'EACCES'
  | 'EROFS'
  | 'EMFILE'
  | 'short'
  | 'crash'
  | 'kill';

type DiskOptions = {
  readonly random: Random;
  /** For the times of files. @default always 0 */
  readonly now?: () => number;
  /** How many turns of the event loop the next flush takes. @default always 0 */
  readonly flushTurns?: () => number;
};

/** What all processes of one machine share. */
type Machine = Room & {
  readonly root: MemoryFolder;
  readonly processes: Set<MemoryDisk>;
  lastIno: number;
};

/**
 * A disk in memory, as one process sees it, that loses what a real one may lose: after `crash` what was
 * not flushed is gone, torn or there, as chance has it. It answers at once and is driven by `random` alone.
 */
export class MemoryDisk implements Disk {
  readonly #machine: Machine;
  #operations = 0;
  #isDead = false;
  /** Says of each operation what goes wrong with it; undefined: nothing. */
  fault: (operation: DiskOperation) => DiskFault | undefined = () => undefined;

  constructor(options: DiskOptions | Machine) {
    this.#machine =
      'root' in options
        ? options
        : {
            random: options.random,
            now: options.now ?? (() => 0),
            flushTurns: options.flushTurns ?? (() => 0),
            root: new MemoryFolder(1, 0),
            processes: new Set(),
            lastIno: 1,
            flushing: 0,
            freeBytes: Number.POSITIVE_INFINITY,
          };
    this.#machine.processes.add(this);
  }

  /** How many operations this process has asked for. */
  get operations(): number {
    return this.#operations;
  }

  get isFlushing(): boolean {
    return this.#machine.flushing > 0;
  }

  /** Nothing this process asks for happens any more. */
  get isDead(): boolean {
    return this.#isDead;
  }

  /** How much files may still grow; beyond that the disk is full. */
  set freeBytes(bytes: number) {
    this.#machine.freeBytes = bytes;
  }

  /** The same disk for another process that runs beside. */
  beside(): MemoryDisk {
    return new MemoryDisk(this.#machine);
  }

  /** The process is killed; the system lives on and forgets nothing. The disk for the next process. */
  kill(): MemoryDisk {
    this.#isDead = true;
    this.#machine.processes.delete(this);
    return this.beside();
  }

  /** The power is cut under all processes. The disk for the first process after it. */
  crash(): MemoryDisk {
    for (const disk of this.#machine.processes) disk.#isDead = true;
    this.#machine.processes.clear();
    this.#machine.root.crash(this.#machine.random);
    return this.beside();
  }

  async open(path: string, flags: 'r' | 'r+' | 'wx+'): Promise<DiskFile> {
    this.#begin('open', path);
    const node = flags === 'wx+' ? this.#makeFile(path) : this.#nodeAt('open', path);
    if (flags === 'r+' && !isFile(node)) throw failure('EISDIR', 'open', path);
    return new OpenMemoryFile(node, path, this.#machine, (kind) => this.#begin(kind, path));
  }

  async readFile(path: string): Promise<Buffer> {
    this.#begin('readFile', path);
    const node = this.#nodeAt('readFile', path);
    if (!isFile(node)) throw failure('EISDIR', 'readFile', path);
    return node.content();
  }

  async stat(path: string): Promise<FileFacts> {
    this.#begin('stat', path);
    return factsOf(this.#nodeAt('stat', path));
  }

  statSync(path: string): FileFacts | undefined {
    this.#begin('statSync', path);
    const node = this.#find(path);
    return node && factsOf(node);
  }

  async readdir(path: string): Promise<string[]> {
    this.#begin('readdir', path);
    return this.#folderAt('readdir', path).names();
  }

  async mkdir(path: string): Promise<void> {
    this.#begin('mkdir', path);
    let folder = this.#machine.root;
    let at = '';
    for (const name of partsOf(path)) {
      at += `/${name}`;
      let node = folder.get(name);
      if (node === undefined) {
        node = new MemoryFolder(this.#newIno(), this.#nowMs());
        folder.change({ node, name });
      }
      if (isFile(node)) throw failure(at === path ? 'EEXIST' : 'ENOTDIR', 'mkdir', path);
      folder = node;
    }
  }

  async rmdir(path: string): Promise<void> {
    this.#begin('rmdir', path);
    const inside = this.#folderAt('rmdir', path);
    if (inside.names().length > 0) throw failure('ENOTEMPTY', 'rmdir', path);
    const [folder, gone] = this.#placeOf('rmdir', path);
    folder.change({ node: inside, gone });
  }

  async rename(from: string, to: string): Promise<void> {
    this.#begin('rename', from);
    const node = this.#nodeAt('rename', from);
    const [folder, gone] = this.#placeOf('rename', from);
    const [target, name] = this.#placeOf('rename', to);
    if (target !== folder) throw failure('EXDEV', 'rename', from);
    folder.change({ node, gone, name });
  }

  async link(path: string, name: string): Promise<void> {
    this.#begin('link', path);
    this.#add('link', name, this.#nodeAt('link', path));
  }

  async rm(path: string): Promise<void> {
    this.#begin('rm', path);
    const node = this.#find(path);
    if (node === undefined) return;
    if (!isFile(node)) throw failure('EISDIR', 'rm', path);
    const [folder, gone] = this.#placeOf('rm', path);
    folder.change({ node, gone });
  }

  /** Counts, and lets happen what is to happen; true: the operation does only a part of its work. */
  #begin(kind: DiskOperation['kind'], path: string): boolean {
    if (this.#isDead) throw new Error('This process is dead.');
    this.#operations++;
    const fault = this.fault({ n: this.#operations, kind, path });
    if (fault === undefined) return false;
    if (fault === 'short') return true;
    if (fault === 'crash') this.crash();
    else if (fault === 'kill') this.kill();
    else throw failure(fault, kind, path);
    throw new Error('This process is dead.');
  }

  #makeFile(path: string): MemoryFile {
    const file = new MemoryFile(this.#newIno(), this.#nowMs());
    this.#add('open', path, file);
    return file;
  }

  #add(kind: string, path: string, node: MemoryNode): void {
    const [folder, name] = this.#placeOf(kind, path);
    if (folder.get(name) !== undefined) throw failure('EEXIST', kind, path);
    folder.change({ node, name });
  }

  #find(path: string): MemoryNode | undefined {
    let node: MemoryNode | undefined = this.#machine.root;
    for (const name of partsOf(path)) {
      if (node === undefined || isFile(node)) return undefined;
      node = node.get(name);
    }
    return node;
  }

  #nodeAt(kind: string, path: string): MemoryNode {
    const node = this.#find(path);
    if (node === undefined) throw failure('ENOENT', kind, path);
    return node;
  }

  #folderAt(kind: string, path: string): MemoryFolder {
    const node = this.#nodeAt(kind, path);
    if (isFile(node)) throw failure('ENOTDIR', kind, path);
    return node;
  }

  #placeOf(kind: string, path: string): [folder: MemoryFolder, name: string] {
    const cut = path.lastIndexOf('/');
    return [this.#folderAt(kind, path.slice(0, cut)), path.slice(cut + 1)];
  }

  #newIno(): number {
    return ++this.#machine.lastIno;
  }

  #nowMs(): number {
    return this.#machine.now();
  }
}

const partsOf = (path: string): string[] => path.split('/').filter((part) => part !== '');
