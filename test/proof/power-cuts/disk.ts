import { dirname } from 'node:path';
import type { Dice } from '../storm/dice.ts';
import type { Call } from './record.ts';

/** What a disk writes whole or not at all. */
const SECTOR_BYTES = 512;

/** What becomes of writes that were not flushed when the power goes. */
export const FATES = [
  'none is there',
  'all are there',
  'some are there',
  'torn by sectors',
  'the last one torn',
] as const;
export type Fate = (typeof FATES)[number];

type Pending = { readonly order: number } & (
  | { readonly kind: 'write'; readonly offset: number; readonly bytes: Buffer }
  | { readonly kind: 'resize'; readonly size: number }
);

/** `flushed` is on the disk whatever happens. */
type DiskFile = { flushed: Buffer; pending: Pending[] };

type Names = Map<string, DiskFile | 'folder'>;
type NameChange =
  | Extract<Call, { kind: 'rename' | 'unlink' | 'mkdir' }>
  | {
      readonly kind: 'create';
      readonly path: string;
      readonly file: DiskFile;
    };

/** The files of a folder as a power cut may leave them; undefined: a folder. */
export type Image = ReadonlyMap<string, Buffer | undefined>;

/**
 * A disk that keeps only what POSIX promises: of a file what was written before its last flush, of a folder the names
 * before its last flush. The system may have written anything of the rest, in any order. Indexes in shared memory
 * (`-shm`) are not kept: SQLite makes them again.
 */
export class Disk {
  /** As the process sees them, and as they are on the disk whatever happens. */
  readonly #names: Names = new Map([['.', 'folder']]);
  readonly #flushedNames: Names = new Map([['.', 'folder']]);
  #nameChanges: NameChange[] = [];
  readonly #handles = new Map<number, string | DiskFile>();
  #order = 0;

  constructor(image: Image = new Map()) {
    for (const [path, bytes] of image) {
      const file = bytes === undefined ? 'folder' : { flushed: bytes, pending: [] };
      this.#names.set(path, file);
      this.#flushedNames.set(path, file);
    }
  }

  /** How many writes would be lost. */
  get pendingWrites(): number {
    let sum = 0;
    for (const file of new Set(this.#files())) sum += file.pending.length;
    return sum;
  }

  take(call: Call): void {
    this.#order += 1;
    if (call.kind === 'open') this.#open(call);
    else if (call.kind === 'write' || call.kind === 'resize')
      this.#fileOf(call.handle)?.pending.push({ ...call, order: this.#order });
    else if (call.kind === 'sync') this.#flush(call.handle);
    else if (call.kind === 'lost') this.#lose(call.handle);
    else if (call.kind === 'rename' || call.kind === 'unlink' || call.kind === 'mkdir')
      this.#change(call);
  }

  /** The path of an open file, for reports. */
  pathOf(handle: number): string {
    const file = this.#handles.get(handle);
    if (typeof file === 'string') return file;
    for (const [path, one] of this.#names) if (one === file) return path;
    return '-shm';
  }

  /** What the process sees: with it dead and the machine alive, all of it stays. */
  seen(): Image {
    return imageOf(this.#names, ({ flushed, pending }) => written(flushed, pending, keepsAll));
  }

  /** What a power cut leaves. */
  afterPowerCut(fate: Fate, dice: Dice): Image {
    const names = this.#namesLeft(fate, dice);
    const last = dice.whole(0, this.#order);
    return imageOf(names, ({ flushed, pending }) => {
      if (fate === 'the last one torn') {
        const before = pending.filter(({ order }) => order <= last);
        const torn = before.at(-1);
        return written(flushed, before, (one) => one !== torn || dice.chance(0.5));
      }
      if (fate === 'some are there') {
        const kept = pending.filter(() => dice.chance(0.5));
        return written(flushed, kept, keepsAll);
      }
      const share =
        fate === 'none is there' ? 0 : fate === 'all are there' ? 1 : dice.between(0, 1);
      return written(flushed, pending, () => dice.chance(share));
    });
  }

  #namesLeft(fate: Fate, dice: Dice): Names {
    if (fate === 'all are there') return this.#names;
    const names: Names = new Map(this.#flushedNames);
    if (fate === 'none is there') return names;
    // Half of the time as a file system with a journal does it, in their order.
    const upTo = dice.whole(0, this.#nameChanges.length);
    const inOrder = dice.chance(0.5);
    for (const [at, change] of this.#nameChanges.entries())
      if (inOrder ? at < upTo : dice.chance(0.5)) applyName(names, change);
    return names;
  }

  #open({ handle, path, isCreated, isCut }: Extract<Call, { kind: 'open' }>): void {
    if (path.endsWith('-shm')) return;
    const known = this.#names.get(path);
    if (known === 'folder') {
      this.#handles.set(handle, path);
      return;
    }
    const file = known ?? { flushed: Buffer.alloc(0), pending: [] };
    this.#handles.set(handle, file);
    if (isCreated || known === undefined) this.#change({ kind: 'create', path, file });
    if (isCut) file.pending.push({ kind: 'resize', size: 0, order: this.#order });
  }

  #change(change: NameChange): void {
    applyName(this.#names, change);
    this.#nameChanges.push(change);
  }

  #fileOf(handle: number): DiskFile | undefined {
    const file = this.#handles.get(handle);
    return typeof file === 'string' ? undefined : file;
  }

  #flush(handle: number): void {
    const file = this.#handles.get(handle);
    if (typeof file === 'string') this.#flushNames(file);
    else if (file !== undefined) {
      file.flushed = written(file.flushed, file.pending, keepsAll);
      file.pending = [];
    }
  }

  #flushNames(folder: string): void {
    const isHere = (change: NameChange): boolean =>
      dirname(change.kind === 'rename' ? change.to : change.path) === folder;
    for (const change of this.#nameChanges.filter(isHere)) applyName(this.#flushedNames, change);
    this.#nameChanges = this.#nameChanges.filter((change) => !isHere(change));
  }

  /** Linux takes pages that could not be written for clean, so a later flush succeeds without them. Names stay due. */
  #lose(handle: number): void {
    const file = this.#fileOf(handle);
    if (file !== undefined) file.pending = [];
  }

  *#files(): Generator<DiskFile> {
    for (const file of this.#names.values()) if (file !== 'folder') yield file;
  }
}

const keepsAll = () => true;

/** Applies writes sector by sector, each where `keeps` says so. */
const written = (
  before: Buffer,
  pending: readonly Pending[],
  keeps: (one: Pending) => boolean,
): Buffer => {
  if (pending.length === 0) return before;
  // As long as it may become at most: the rest is zeros, as in a hole of a file.
  const bytes = Buffer.alloc(Math.max(before.length, ...pending.map(endOf)));
  before.copy(bytes);
  let size = before.length;
  for (const one of pending) {
    if (one.kind === 'resize') {
      if (!keeps(one)) continue;
      bytes.fill(0, one.size);
      size = one.size;
      continue;
    }
    for (const [from, to] of sectorsOf(one)) {
      if (!keeps(one)) continue;
      one.bytes.copy(bytes, from, from - one.offset, to - one.offset);
      size = Math.max(size, to);
    }
  }
  return bytes.subarray(0, size);
};

const endOf = (one: Pending): number =>
  one.kind === 'resize' ? one.size : one.offset + one.bytes.length;

/** The ranges of a write that a disk writes whole. */
function* sectorsOf({ offset, bytes }: { offset: number; bytes: Buffer }) {
  const end = offset + bytes.length;
  for (let from = offset; from < end; ) {
    const to = Math.min(end, (Math.floor(from / SECTOR_BYTES) + 1) * SECTOR_BYTES);
    yield [from, to] as const;
    from = to;
  }
}

const applyName = (names: Names, change: NameChange): void => {
  if (change.kind === 'create') names.set(change.path, change.file);
  else if (change.kind === 'mkdir') names.set(change.path, 'folder');
  else if (change.kind === 'unlink') names.delete(change.path);
  else {
    const file = names.get(change.from);
    if (file === undefined) return;
    names.delete(change.from);
    names.set(change.to, file);
  }
};

const imageOf = (names: Names, contents: (file: DiskFile) => Buffer): Image => {
  const image = new Map<string, Buffer | undefined>();
  for (const [path, file] of names)
    if (hasFolders(names, path)) image.set(path, file === 'folder' ? undefined : contents(file));
  return image;
};

/** A file in a folder whose own name was lost is lost with it. */
const hasFolders = (names: Names, path: string): boolean => {
  const folder = dirname(path);
  return folder === path || (names.get(folder) === 'folder' && hasFolders(names, folder));
};
