import type { IncomingMessage } from 'node:http';
import { type Answer, closing } from './answer.ts';

/** A whole body, or what its sender is answered; without an answer the sender is gone. */
export type ReadBody =
  | { readonly ok: true; readonly body: Buffer }
  | { readonly ok: false; readonly answer?: Answer };

type BodyReading = { bytes: number; readonly end: (read: ReadBody) => void };

const CROWDED_OUT: Answer = {
  status: 503,
  text: 'too many requests at once, please send it again',
  headers: { connection: 'close', 'retry-after': '1' },
};

/**
 * Reads bodies that prove only at their end who sent them, and bounds what all of them hold in memory
 * together. The bound is one for all senders: behind a proxy they have one address. When it is reached, the
 * request that has been read for the longest time gives way: a real one is whole within milliseconds.
 */
export class UnverifiedBodies {
  readonly #mostBytes: number;
  /** Oldest first. */
  readonly #readings = new Set<BodyReading>();
  #heldBytes = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** Bytes in memory of bodies that are not whole yet. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** Never rejects. */
  read(request: IncomingMessage, largestBytes: number): Promise<ReadBody> {
    // A stream that breaks off after its end is not listened to any more.
    request.on('error', () => {});
    if (Number(request.headers['content-length']) > largestBytes)
      return Promise.resolve({ ok: false, answer: tooLarge(largestBytes) });
    return new Promise((resolve) => {
      const chunks: Buffer[] = [];
      const take = (chunk: Buffer): void => {
        if (reading.bytes + chunk.length > largestBytes)
          reading.end({ ok: false, answer: tooLarge(largestBytes) });
        else if (this.#hasRoomFor(chunk, reading)) chunks.push(chunk);
      };
      const finish = (): void => reading.end({ ok: true, body: Buffer.concat(chunks) });
      const leave = (): void => reading.end({ ok: false });
      const reading: BodyReading = {
        bytes: 0,
        end: (read) => {
          request.off('data', take).off('end', finish).off('close', leave);
          this.#readings.delete(reading);
          this.#heldBytes -= reading.bytes;
          resolve(read);
        },
      };
      this.#readings.add(reading);
      request.on('data', take).on('end', finish).on('close', leave);
    });
  }

  /** Counts a chunk once there is room for it; false: its own request had to give way. */
  #hasRoomFor({ length }: Buffer, reading: BodyReading): boolean {
    while (this.#heldBytes + length > this.#mostBytes && this.#readings.has(reading)) {
      const [longest = reading] = this.#readings;
      longest.end({ ok: false, answer: CROWDED_OUT });
    }
    if (!this.#readings.has(reading)) return false;
    reading.bytes += length;
    this.#heldBytes += length;
    return true;
  }
}

const tooLarge = (largestBytes: number): Answer =>
  closing(413, `larger than ${Math.round(largestBytes / 1024)} KiB`);
