/** A random number from 0 up to, but not, 1; from a seed, so that what happened can happen again. */
export type Random = () => number;

/** Read and written as a whole by the system. */
const PAGE_BYTES = 4096;
/** Written by the disk whole or not at all. */
const SECTOR_BYTES = 512;

/**
 * A file as the system sees it, and beside it what the disk has of it. What is written stays in memory,
 * page by page, until it is flushed; a flush that fails lets the system take its pages for written.
 */
export class MemoryFile {
  readonly ino: number;
  mtimeMs: number;
  #bytes: Buffer = Buffer.alloc(0);
  #size = 0;
  /** On the disk. Both buffers have zeros behind their size. */
  #safeBytes: Buffer = Buffer.alloc(0);
  #safeSize = 0;
  readonly #dirtyPages = new Set<number>();
  #isDirty = false;
  /** The shortest it was since the last flush. */
  #shortest = 0;

  constructor(ino: number, nowMs: number) {
    this.ino = ino;
    this.mtimeMs = nowMs;
  }

  get size(): number {
    return this.#size;
  }

  /** A copy of what the system sees. */
  content(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.#size));
  }

  read(into: Buffer, at: number, length: number, from: number): number {
    return this.#bytes.copy(into, at, from, Math.max(from, Math.min(from + length, this.#size)));
  }

  write(bytes: Buffer, to: number): void {
    const end = to + bytes.length;
    if (end > this.#bytes.length) this.#bytes = grown(this.#bytes, end);
    this.#bytes.set(bytes, to);
    this.#soil(Math.min(to, this.#size), end);
    this.#size = Math.max(this.#size, end);
  }

  truncate(length: number): void {
    if (length > this.#bytes.length) this.#bytes = grown(this.#bytes, length);
    if (length < this.#size) this.#bytes.fill(0, length, this.#size);
    this.#shortest = Math.min(this.#shortest, length);
    this.#soil(Math.min(length, this.#size), length);
    this.#size = length;
  }

  flush(): void {
    if (!this.#isDirty) return;
    this.#cutSafe(this.#shortest);
    this.#reachSafe(this.#size);
    for (const page of this.#dirtyPages) this.#save(page * PAGE_BYTES, (page + 1) * PAGE_BYTES);
    this.#settle();
  }

  /** The system forgets what it could not write, and sees it all the same until the power is cut. */
  failFlush(): void {
    this.#dirtyPages.clear();
    this.#isDirty = false;
    this.#shortest = this.#size;
  }

  /** The power is cut: of what was not flushed nothing, all, a beginning or any sectors reached the disk. */
  crash(random: Random): void {
    if (this.#isDirty) this.#saveSome(random);
    this.#bytes = Buffer.from(this.#safeBytes);
    this.#size = this.#safeSize;
    this.#settle();
  }

  #saveSome(random: Random): void {
    const mode = Math.floor(random() * 4);
    if (mode === 0) return;
    if (mode === 1) {
      this.flush();
      return;
    }
    if (this.#shortest < this.#safeSize && random() < 0.5) return;
    this.#cutSafe(this.#shortest);
    const from = Math.min(this.#safeSize, this.#size);
    const reach = from + Math.floor(random() * (this.#size - from + 1));
    this.#reachSafe(reach);
    for (const page of this.#dirtyPages)
      for (let at = page * PAGE_BYTES; at < (page + 1) * PAGE_BYTES; at += SECTOR_BYTES)
        if (mode === 2 || random() < 0.5) this.#save(at, at + SECTOR_BYTES);
  }

  #soil(from: number, to: number): void {
    this.#isDirty = true;
    for (let page = Math.floor(from / PAGE_BYTES); page * PAGE_BYTES < to; page++)
      this.#dirtyPages.add(page);
  }

  #cutSafe(length: number): void {
    if (length >= this.#safeSize) return;
    this.#safeBytes.fill(0, length, this.#safeSize);
    this.#safeSize = length;
  }

  #reachSafe(length: number): void {
    if (length > this.#safeBytes.length) this.#safeBytes = grown(this.#safeBytes, length);
    this.#safeSize = Math.max(this.#safeSize, length);
  }

  #save(from: number, to: number): void {
    const end = Math.min(to, this.#safeSize, this.#bytes.length);
    if (end > from) this.#bytes.copy(this.#safeBytes, from, from, end);
  }

  #settle(): void {
    this.#dirtyPages.clear();
    this.#isDirty = false;
    this.#shortest = this.#size;
  }
}

const grown = (bytes: Buffer, length: number): Buffer => {
  const more = Buffer.alloc(Math.max(length, bytes.length * 2, SECTOR_BYTES));
  more.set(bytes);
  return more;
};
