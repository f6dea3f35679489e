import { z } from 'zod';
import { defined } from '../../runtime/defined.ts';
import type { Envelope } from '../classify-response.ts';
import { findCheckoutLink, outsideText } from '../outside-text.ts';
import { readJson } from '../read-json.ts';

/** Where services put the address of their hosted checkout; the document names no field for it. */
const LINK_FIELDS = [
  'redirect_url',
  'checkout_url',
  'payment_url',
  'authorization_url',
  'url',
  'link',
] as const;

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

/** Texts where the service gave something, nothing where it did not. */
export type ServiceEnvelope = Envelope & {
  readonly data: z.infer<typeof data>;
  readonly checkoutUrl?: string;
};

/** Code 000 is success; services that count it as a number drop its zeros. */
export const isSuccess = (code: string | undefined): boolean => /^0+$/.test(code ?? '');

/**
 * Reads the body of an answer. Tolerant of numbers for texts, of missing and of further fields.
 * `undefined` when it is no JSON object, or says two things under one name.
 */
export const readEnvelope = (body: string): ServiceEnvelope | undefined => {
  const read = answer.safeParse(readJson(body));
  if (!read.success) return undefined;
  const { response_code: code, response_message: message, response_data: inner } = read.data;
  const checkoutUrl = findCheckoutLink([...linksOf(read.data), ...linksOf(inner)]);
  // 202: a payment was taken for processing.
  const isYes = isSuccess(code) || code === '202';
  return { isYes, data: inner, ...defined({ code, message, checkoutUrl }) };
};

const linksOf = (record: Readonly<Record<string, unknown>>): unknown[] =>
  LINK_FIELDS.map((field) => record[field]);
