import { nextTurn } from '../../src/core/runtime/next-turn.ts';
import type { DiskFile, FileFacts } from '../../src/core/store/disk.ts';
import type { MemoryFile, Random } from './memory-file.ts';
import { isFile, type MemoryNode } from './memory-folder.ts';

/** What all open files share. */
export type Room = {
  readonly random: Random;
  readonly now: () => number;
  /** How many turns of the event loop a flush takes, in which others go on. */
  readonly flushTurns: () => number;
  /** How many flushes are under way. */
  flushing: number;
  /** How much files may still grow; what is cut off or removed is not given back. */
  freeBytes: number;
};

/** A file or folder opened by a process. */
export class OpenMemoryFile implements DiskFile {
  readonly #node: MemoryNode;
  readonly #path: string;
  readonly #room: Room;
  readonly #begin: (kind: keyof DiskFile) => boolean;
  #isOpen = true;

  constructor(
    node: MemoryNode,
    path: string,
    room: Room,
    begin: (kind: keyof DiskFile) => boolean,
  ) {
    this.#node = node;
    this.#path = path;
    this.#room = room;
    this.#begin = begin;
  }

  async read(
    into: Buffer,
    at: number,
    length: number,
    from: number,
  ): Promise<{ bytesRead: number }> {
    const isShort = this.#start('read');
    return { bytesRead: this.#file('read').read(into, at, this.#part(length, isShort), from) };
  }

  async write(
    bytes: Buffer,
    at: number,
    length: number,
    to: number,
  ): Promise<{ bytesWritten: number }> {
    const isShort = this.#start('write');
    const file = this.#file('write');
    const room = file.size + this.#room.freeBytes - to;
    const bytesWritten = Math.min(this.#part(length, isShort), room);
    if (bytesWritten <= 0 && length > 0) throw failure('ENOSPC', 'write', this.#path);
    this.#room.freeBytes -= Math.max(0, to + bytesWritten - file.size);
    file.write(bytes.subarray(at, at + bytesWritten), to);
    file.mtimeMs = this.#room.now();
    return { bytesWritten };
  }

  async truncate(length: number): Promise<void> {
    this.#start('truncate');
    this.#file('truncate').truncate(length);
  }

  datasync(): Promise<void> {
    return this.#flush('datasync');
  }

  sync(): Promise<void> {
    return this.#flush('sync');
  }

  async stat(): Promise<FileFacts> {
    this.#start('stat');
    return factsOf(this.#node);
  }

  async utimes(_readAt: Date, changedAt: Date): Promise<void> {
    this.#start('utimes');
    this.#file('utimes').mtimeMs = changedAt.getTime();
  }

  async close(): Promise<void> {
    this.#isOpen = false;
    this.#begin('close');
  }

  #start(kind: keyof DiskFile): boolean {
    if (!this.#isOpen) throw failure('EBADF', kind, this.#path);
    return this.#begin(kind);
  }

  async #flush(kind: 'datasync' | 'sync'): Promise<void> {
    this.#room.flushing++;
    for (let turns = this.#room.flushTurns(); turns > 0; turns--) await nextTurn();
    this.#room.flushing--;
    try {
      this.#start(kind);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EIO') this.#node.failFlush();
      throw error;
    }
    this.#node.flush();
  }

  #file(kind: keyof DiskFile): MemoryFile {
    if (!isFile(this.#node)) throw failure('EISDIR', kind, this.#path);
    return this.#node;
  }

  /** At least one byte: nothing at all would be the end of the file, or of the disk. */
  #part(length: number, isShort: boolean): number {
    return isShort ? Math.min(length, 1 + Math.floor(this.#room.random() * length)) : length;
  }
}

export const factsOf = ({ ino, size, mtimeMs }: MemoryNode): FileFacts => ({ ino, size, mtimeMs });

export const failure = (code: string, kind: string, path: string): Error =>
  Object.assign(new Error(`${code}: the disk says so, ${kind} '${path}'`), { code, syscall: kind });
