import { z } from 'zod';
import { defined } from '../runtime/defined.ts';
import { outsideText } from './outside-text.ts';

/** Where services put the address of their hosted checkout; the document names no field for it. */
const LINK_FIELDS = [
  'redirect_url',
  'checkout_url',
  'payment_url',
  'authorization_url',
  'url',
  'link',
] as const;
/** Chat platforms take button links up to about this length. */
const MAX_LINK_LENGTH = 2000;

const text = z.unknown().optional().transform(outsideText);
/** A name is shown to be compared with a person: only a real text will do. */
const name = z.string().optional().catch(undefined).transform(outsideText);
const links = Object.fromEntries(LINK_FIELDS.map((field) => [field, z.unknown().optional()]));

/** Every field of every operation's `response_data`; all may be missing. */
const data = z.object({
  ...links,
  transaction_id: text,
  status: text,
  amount: text,
  payment_date: text,
  account_name: name,
  account_status: text,
  account_type: text,
  message_id: text,
  sms_balance: text,
  payout_balance: text,
  collection_balance: text,
});

const answer = z.object({
  ...links,
  response_code: text,
  response_message: text,
  response_data: data.catch(data.parse({})),
});

/** An answer of the service, read: texts where it gave something, nothing where it did not. */
export type Envelope = {
  readonly code?: string;
  readonly message?: string;
  readonly data: ServiceData;
  readonly checkoutUrl?: string;
};

export type ServiceData = z.infer<typeof data>;

/**
 * Reads the body of an answer. Tolerant of numbers for texts, of missing and of further fields.
 * `undefined` when it is no JSON object, or says two things under one name.
 */
export const readEnvelope = (body: string): Envelope | undefined => {
  const read = answer.safeParse(parseJson(body));
  if (!read.success) return undefined;
  const { response_code: code, response_message: message, response_data: inner } = read.data;
  const checkoutUrl = findCheckoutLink([...linksOf(read.data), ...linksOf(inner)]);
  return { data: inner, ...defined({ code, message, checkoutUrl }) };
};

const linksOf = (record: Readonly<Record<string, unknown>>): unknown[] =>
  LINK_FIELDS.map((field) => record[field]);

/** The first of these values that customers may safely be sent to: https, without credentials, of bearable length. */
export const findCheckoutLink = (candidates: readonly unknown[]): string | undefined => {
  for (const candidate of candidates) {
    const link = typeof candidate === 'string' ? safeLink(candidate.trim()) : undefined;
    if (link !== undefined) return link;
  }
  return undefined;
};

const safeLink = (text: string): string | undefined => {
  if (text.length > MAX_LINK_LENGTH || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const safe = url.protocol === 'https:' && url.username === '' && url.password === '';
  return safe && url.href.length <= MAX_LINK_LENGTH ? url.href : undefined;
};

/** What `JSON.parse` hands to a reviver; TypeScript's library does not know the third argument yet. */
type Reviver = (
  this: unknown,
  key: string,
  value: unknown,
  context: { source?: string },
) => unknown;
const parseWith = JSON.parse as (text: string, reviver: Reviver) => unknown;

/** Every string of a valid JSON text, with the colon behind it when it is a key. */
const STRINGS = /"(?:[^"\\]|\\.)*"(\s*:)?/g;

/**
 * JSON with its numbers as the text they came as, so that no amount passes through a float.
 * `undefined` for what is no JSON, is nested beyond reason, or repeats a key: a reader of the
 * first and a reader of the last of the two would believe different things about the money.
 */
const parseJson = (body: string): unknown => {
  let kept = -1; // the root is visited too, and has no key
  let parsed: unknown;
  try {
    parsed = parseWith(body, function (_key, value, context) {
      if (!Array.isArray(this)) kept++;
      return typeof value === 'number' ? (context.source ?? String(value)) : value;
    });
  } catch {
    // A SyntaxError, or a RangeError from a nesting deeper than the stack: unreadable either way.
    return undefined;
  }
  let written = 0;
  for (const [, colon] of body.matchAll(STRINGS)) if (colon !== undefined) written++;
  return written === kept ? parsed : undefined;
};
