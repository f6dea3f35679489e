import { createHash, randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileBlob } from '../cards/outgoing-file.ts';
import type { ExportLines } from './export-lines.ts';

/** How many payments are in a file, and the hash of its bytes in hexadecimal. */
export type Written = { readonly rows: number; readonly sha256: string };

const CHUNK_BYTES = 65_536;

/**
 * One CSV file of an export, on the disk: Slack has to be told its length, and the audit trail its hash, before it
 * leaves. It has no name there, so the system removes it with the process, also after kill -9.
 */
class ExportFile implements FileBlob {
  readonly type = 'text/csv; charset=utf-8';
  size = 0;
  rows = 0;
  readonly #hash = createHash('sha256');
  readonly #file: FileHandle;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  get written(): Written {
    return { rows: this.rows, sha256: this.#hash.copy().digest('hex') };
  }

  async add(bytes: Buffer, rows: number): Promise<void> {
    this.#hash.update(bytes);
    await this.#file.appendFile(bytes);
    this.size += bytes.length;
    this.rows += rows;
  }

  stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
    let position = 0;
    return new ReadableStream({
      pull: async (controller) => {
        const buffer = Buffer.alloc(CHUNK_BYTES);
        const { bytesRead } = await this.#file.read({ buffer, position });
        position += bytesRead;
        if (bytesRead === 0) controller.close();
        else controller.enqueue(buffer.subarray(0, bytesRead));
      },
    });
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

/** The files of one export: one, or several with the same header where a platform takes only so many bytes in each. */
export class ExportFiles {
  readonly list: ExportFile[] = [];
  /** Of each. */
  readonly mostBytes: number;
  #header: Buffer | undefined;

  constructor(mostBytes: number) {
    this.mostBytes = mostBytes;
  }

  get rows(): number {
    return this.list.reduce((sum, { rows }) => sum + rows, 0);
  }

  /** The first lines are the header. Resolves once they are on their way to the disk. */
  async add({ text, rows }: ExportLines): Promise<void> {
    const bytes = Buffer.from(text);
    const last = this.list.at(-1);
    const fits = last !== undefined && last.size + bytes.length <= this.mostBytes;
    const file = fits ? last : await this.#another();
    await file.add(bytes, rows);
    this.#header ??= bytes;
  }

  async close(): Promise<void> {
    await Promise.all(this.list.map((file) => file.close()));
  }

  async #another(): Promise<ExportFile> {
    const path = join(tmpdir(), `paythread-export-${randomUUID()}`);
    const handle = await open(path, 'wx+', 0o600);
    const file = new ExportFile(handle);
    this.list.push(file);
    await unlink(path);
    if (this.#header !== undefined) await file.add(this.#header, 0);
    return file;
  }
}
