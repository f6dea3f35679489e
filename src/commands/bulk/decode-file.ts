import { type Parsed, parsed, wrong } from '../../core/runtime/errors.ts';
import type { TurnBudget } from '../../core/runtime/turn-budget.ts';
import { MOST_FILE_BYTES } from '../inbound.ts';

/** How files of other kinds begin, as hex. They are told by their content, because a name may be wrong; none is unpacked. */
const SIGNATURES: readonly (readonly [RegExp, string])[] = [
  [/^504b(0304|0506)/, 'a spreadsheet or a ZIP file'],
  [/^d0cf11e0/, 'an Excel file'],
  [/^25504446/, 'a PDF'],
  [/^1f8b/, 'a compressed file'],
  // PNG, JPEG, GIF, WebP, TIFF; behind its size what begins an ISO media file, such as HEIC.
  [/^(89504e47|ffd8ff|47494638|52494646|49492a00|4d4d002a|.{8}66747970)/, 'a picture'],
];

/** White space apart, control characters are in no text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u0008\u000e-\u001f]/;

/** Bytes that are looked at to tell UTF-16 without a byte order mark. */
const SAMPLE_BYTES = 200;

/** The text of a file: UTF-8 or UTF-16, with or without a byte order mark; else Windows-1252, as Excel saves. */
export const decodeFile = async (bytes: Uint8Array, turns: TurnBudget): Promise<Parsed<string>> => {
  if (bytes.length === 0) return wrong('This file is empty.');
  if (bytes.length > MOST_FILE_BYTES)
    return wrong('This file is larger than 5 MB. Please split it into smaller files.');
  const beginning = Buffer.from(bytes.subarray(0, 8)).toString('hex');
  const [, other] = SIGNATURES.find(([signature]) => signature.test(beginning)) ?? [];
  if (other !== undefined)
    return wrong(`This is ${other}, not a CSV file. Save the sheet as CSV and send that.`);
  const text = await decoded(bytes, turns);
  if (CONTROL.test(text))
    return wrong('I cannot read this as text. Save the sheet as CSV and send that.');
  return parsed(text);
};

/** `TextDecoder` takes a byte order mark of its own encoding away. */
const decoded = async (bytes: Uint8Array, turns: TurnBudget): Promise<string> => {
  const utf16 = utf16Of(bytes);
  if (utf16 !== undefined) return inSlices(bytes, utf16, turns);
  try {
    return await inSlices(bytes, 'utf-8', turns);
  } catch {
    return inSlices(bytes, 'windows-1252', turns);
  }
};

/** Bytes that are decoded in one turn: a millisecond. */
const SLICE_BYTES = 250_000;

const inSlices = async (bytes: Uint8Array, encoding: string, turns: TurnBudget) => {
  const decoder = new TextDecoder(encoding, { fatal: encoding === 'utf-8' });
  let text = '';
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    text += decoder.decode(bytes.subarray(at, at + SLICE_BYTES), { stream: true });
    await turns.next();
  }
  return text + decoder.decode();
};

const utf16Of = (bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined => {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  // Of a header in Latin letters every second byte is 0.
  const sample = bytes.subarray(0, Math.min(SAMPLE_BYTES, bytes.length - (bytes.length % 2)));
  const [even = 0, odd = 0] = [0, 1].map(
    (place) => sample.filter((byte, at) => byte === 0 && at % 2 === place).length,
  );
  if (odd > 0 && even === 0) return 'utf-16le';
  return even > 0 && odd === 0 ? 'utf-16be' : undefined;
};
