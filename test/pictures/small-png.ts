import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const MOST_COLOURS = 256;

type Chunk = { readonly type: string; readonly data: Buffer };

/** The same picture with at most 256 colours: what a browser draws of text and boxes needs no more, and takes a third. */
export const smallPng = (png: Buffer): Buffer => {
  const chunks = chunksOf(png);
  const header = chunks.find(({ type }) => type === 'IHDR')?.data;
  if (header === undefined || header[8] !== 8 || header[12] !== 0)
    throw new Error('not a picture of a browser');
  const width = header.readUInt32BE(0);
  const height = header.readUInt32BE(4);
  const channels = header[9] === 6 ? 4 : 3;
  const data = Buffer.concat(
    chunks.flatMap((chunk) => (chunk.type === 'IDAT' ? [chunk.data] : [])),
  );
  const pixels = unfiltered(inflateSync(data), { width, height, channels });
  return indexed(coloursOf(pixels, channels), { width, height });
};

const chunksOf = (png: Buffer): Chunk[] => {
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    chunks.push({ type, data: png.subarray(at + 8, at + 8 + length) });
    at += 12 + length;
  }
  return chunks;
};

type Size = { readonly width: number; readonly height: number };

/** Undoes the filter of each row, in which a byte is told by its difference to its neighbours. */
const unfiltered = (
  raw: Buffer,
  { width, height, channels }: Size & { readonly channels: number },
): Buffer => {
  const bytes = width * channels;
  const out = Buffer.alloc(bytes * height);
  for (let row = 0; row < height; row++) {
    const filter = raw[row * (bytes + 1)] ?? 0;
    for (let at = 0; at < bytes; at++) {
      const place = row * bytes + at;
      const left = at < channels ? 0 : (out[place - channels] ?? 0);
      const up = row === 0 ? 0 : (out[place - bytes] ?? 0);
      const corner = at < channels || row === 0 ? 0 : (out[place - bytes - channels] ?? 0);
      const value = raw[row * (bytes + 1) + 1 + at] ?? 0;
      out[place] = value + guess(filter, left, up, corner);
    }
  }
  return out;
};

const guess = (filter: number, left: number, up: number, corner: number): number => {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const sum = left + up - corner;
  const [toLeft, toUp, toCorner] = [sum - left, sum - up, sum - corner].map(Math.abs);
  if (toLeft === undefined || toUp === undefined || toCorner === undefined) return 0;
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
};

/** Each pixel as one number; the pictures are opaque. */
const coloursOf = (pixels: Buffer, channels: number): Uint32Array => {
  const colours = new Uint32Array(pixels.length / channels);
  for (let at = 0; at < colours.length; at++) {
    const from = at * channels;
    colours[at] = pixels.readUIntBE(from, 3);
  }
  return colours;
};

const indexed = (colours: Uint32Array, { width, height }: Size): Buffer => {
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const palette = [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST_COLOURS)
    .map(([colour]) => colour);
  const places = new Map(palette.map((colour, place) => [colour, place]));
  for (const colour of counts.keys())
    if (!places.has(colour)) places.set(colour, nearest(palette, colour));
  const rows = Buffer.alloc((width + 1) * height);
  for (let row = 0; row < height; row++)
    for (let at = 0; at < width; at++)
      rows[row * (width + 1) + 1 + at] = places.get(colours[row * width + at] ?? 0) ?? 0;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3], 8);
  const table = Buffer.alloc(palette.length * 3);
  palette.forEach((colour, place) => {
    table.writeUIntBE(colour, place * 3, 3);
  });
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', table),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};

const nearest = (palette: readonly number[], colour: number): number => {
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  palette.forEach((each, place) => {
    const distance = [16, 8, 0].reduce(
      (sum, shift) => sum + (((each >> shift) & 255) - ((colour >> shift) & 255)) ** 2,
      0,
    );
    if (distance < least) [best, least] = [place, distance];
  });
  return best;
};

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
};
