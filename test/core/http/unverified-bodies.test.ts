import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { type ReadBody, UnverifiedBodies } from '../../../src/core/http/unverified-bodies.ts';

const KIB = 1024;
const LARGEST = 256 * KIB;
const MOST = 16 * 1024 * KIB;

type Sender = { readonly request: IncomingMessage & PassThrough; readonly read: Promise<ReadBody> };

const senderTo = (bodies: UnverifiedBodies, headers: IncomingMessage['headers'] = {}): Sender => {
  const request = Object.assign(new PassThrough(), { headers }) as unknown as Sender['request'];
  return { request, read: bodies.read(request, LARGEST) };
};

/** Resolves once the piece was taken or dropped. */
const send = async ({ request }: Sender, bytes: number): Promise<void> => {
  await new Promise((resolve) => request.write(Buffer.alloc(bytes, 'x'), resolve));
  await new Promise((resolve) => setImmediate(resolve));
};

const bounded = () => new UnverifiedBodies(MOST);

describe('bodies of unknown senders', () => {
  it('come whole, and nothing of them is counted afterwards', async () => {
    const bodies = bounded();
    const sender = senderTo(bodies);
    await send(sender, 10 * KIB);
    expect(bodies.heldBytes).toBe(10 * KIB);
    sender.request.end('the end');
    const read = await sender.read;
    expect(read.ok && read.body.toString().endsWith('the end')).toBe(true);
    expect(bodies.heldBytes).toBe(0);
  });

  it('of 400 senders at once are never more than 16 MiB, and those that wait longest give way', {
    tags: ['T3'],
  }, async () => {
    const bodies = bounded();
    const senders = Array.from({ length: 400 }, () => senderTo(bodies));
    for (const sender of senders) {
      for (let piece = 0; piece < 4; piece++) {
        await send(sender, 63 * KIB);
        expect(bodies.heldBytes).toBeLessThanOrEqual(MOST);
      }
    }
    const [first, last] = [senders[0], senders.at(-1)];
    expect(await first?.read).toMatchObject({
      ok: false,
      answer: { status: 503, text: 'too many requests at once, please send it again' },
    });
    last?.request.end();
    expect((await last?.read)?.ok).toBe(true);
  });

  it('lets a small one through while others hold all that may be held', async () => {
    const bodies = bounded();
    const flood = Array.from({ length: 64 }, () => senderTo(bodies));
    for (const sender of flood) await send(sender, LARGEST);
    expect(bodies.heldBytes).toBe(MOST);
    const good = senderTo(bodies);
    good.request.end('{}');
    expect(await good.read).toMatchObject({ ok: true });
    expect(bodies.heldBytes).toBeLessThanOrEqual(MOST);
  });

  it('are refused when they are announced as too large, before a byte of them is read', async () => {
    const bodies = bounded();
    const sender = senderTo(bodies, { 'content-length': String(LARGEST + 1) });
    expect(await sender.read).toMatchObject({
      ok: false,
      answer: { status: 413, text: 'larger than 256 KiB' },
    });
    await send(sender, KIB);
    expect(bodies.heldBytes).toBe(0);
  });

  it('are let go as soon as they turn out too large', async () => {
    const bodies = bounded();
    const sender = senderTo(bodies);
    for (let piece = 0; piece < 5; piece++) await send(sender, 60 * KIB);
    expect(await sender.read).toMatchObject({ ok: false, answer: { status: 413 } });
    expect(bodies.heldBytes).toBe(0);
    await send(sender, KIB);
    expect(bodies.heldBytes).toBe(0);
  });

  it.each(['close', 'error'])('are let go when the sender is gone (%s)', async (how) => {
    const bodies = bounded();
    const sender = senderTo(bodies);
    await send(sender, KIB);
    sender.request.destroy(...(how === 'error' ? [new Error('aborted')] : []));
    expect(await sender.read).toEqual({ ok: false });
    expect(bodies.heldBytes).toBe(0);
  });
});
