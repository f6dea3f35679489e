import { type Answer, BOT_TOKEN } from './emulator.ts';
import { waitFor } from './wait-for.ts';

/** A file as it was shared in a channel. */
export type SharedFile = {
  readonly channelId: string;
  readonly name: string;
  readonly title: string;
  readonly altText: string;
  readonly type: string;
  readonly bytes: Buffer;
};

type Upload = Omit<SharedFile, 'channelId' | 'title'> & { readonly declaredBytes: number };
type Args = Record<string, unknown>;

/** The files of a workspace; stricter than the emulator, which shares what is shorter than it was said to be. */
export class SharedFiles {
  readonly #uploads = new Map<string, Upload>();
  readonly #shared: SharedFile[] = [];
  readonly #kept = new Map<string, Buffer>();
  readonly #complain: (method: string, complaints: readonly string[]) => void;

  constructor(complain: (method: string, complaints: readonly string[]) => void) {
    this.#complain = complain;
  }

  /** A file that a person shares, as an event has it. It is had with the token of the app alone. */
  kept(name: string, bytes: Buffer, baseUrl: string): Record<string, unknown> {
    const id = `F0${this.#kept.size}`;
    this.#kept.set(id, bytes);
    const url = `${baseUrl}/files-pri/${id}/${encodeURIComponent(name)}`;
    const mimetype = 'text/csv';
    return { id, name, mimetype, size: bytes.length, url_private: url, url_private_download: url };
  }

  /** The bytes at the address of a kept file. */
  download(id: string, authorization: string | undefined): Buffer | undefined {
    return authorization === `Bearer ${BOT_TOKEN}` ? this.#kept.get(id) : undefined;
  }

  /** An address was given for a file; returns the answer with an address of this server. */
  promised(args: Args, answer: Answer, baseUrl: string): Answer {
    const id = String(answer.file_id);
    this.#uploads.set(id, {
      name: String(args.filename),
      altText: String(args.alt_txt ?? ''),
      declaredBytes: Number(args.length),
      type: '',
      bytes: Buffer.alloc(0),
    });
    return { ...answer, upload_url: `${baseUrl}/upload/v1/${id}` };
  }

  uploaded(id: string, type: string, bytes: Buffer, authorization: string | undefined): void {
    const known = this.#uploads.get(id);
    if (known === undefined) throw new Error(`a file without an address: ${id}`);
    if (bytes.length !== known.declaredBytes)
      this.#complain('upload', [`${bytes.length} bytes instead of ${known.declaredBytes}`]);
    if (authorization !== undefined) this.#complain('upload', ['the token came with a file']);
    this.#uploads.set(id, { ...known, type, bytes });
  }

  completed({ files, channel_id: channelId }: Args): void {
    for (const { id, title } of JSON.parse(String(files)) as { id: string; title: string }[]) {
      const upload = this.#uploads.get(id);
      if (upload !== undefined)
        this.#shared.push({ ...upload, title, channelId: String(channelId) });
    }
  }

  /** Waits for a file in a channel. */
  in(channelId: string, name: RegExp): Promise<SharedFile> {
    return waitFor(
      `a file ${String(name)}`,
      async () =>
        this.#shared.findLast((file) => file.channelId === channelId && name.test(file.name)),
      async () => this.#shared.map((file) => `${file.channelId} ${file.name}`).join('\n'),
    );
  }
}
