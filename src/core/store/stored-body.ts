import { z } from 'zod';
import { QUEUES } from '../records/due.ts';
import { OPEN_STATES, SETTLED_STATES } from '../records/payment.ts';
import { type Put, putOf } from '../records/records.ts';
import { jsonOf } from '../values/json-of.ts';

const text = z.string();
const given = text.optional();

/** What a store itself reads of any record. */
const recordShape = z.object({
  id: text,
  version: z.int().positive(),
  due: z.object({ queue: z.enum(QUEUES), atMs: z.number() }).optional(),
});

const termsShape = z
  .object({ amount: z.object({ amountMinor: z.int(), currency: text }), customerNumber: text })
  .extend({ customerName: given, network: text, option: text, reference: text, merchant: given });

/** What it reads of a payment besides: its columns, and what it is searched by. */
const paymentShape = recordShape.extend({
  state: z.enum([...OPEN_STATES, ...SETTLED_STATES]),
  flag: given,
  terms: termsShape,
  requester: z.object({ platform: text, id: text, name: text }),
  conversation: z.object({ platform: text, channel: text }),
  bulk: z.object({ run: text }).optional(),
  givenBack: z.array(z.object({ amountMinor: z.int() })).optional(),
  confirmedAtMs: z.number(),
  settledAtMs: z.number().optional(),
});

/** A row of a table of records: kind and id, and the record itself as JSON. */
export type StoredBody = { readonly kind: string; readonly id: string; readonly body: string };

/** The record in a body that the store's own writer may not have written; undefined: it is none of that kind and id. */
export const recordIn = ({ kind, id, body }: StoredBody): Put | undefined => {
  const record = jsonOf(body);
  const shape = kind === 'payment' ? paymentShape : recordShape;
  // The schema has checked what is read here; the rest is believed.
  return shape.safeParse(record).data?.id === id ? putOf(kind, record) : undefined;
};
