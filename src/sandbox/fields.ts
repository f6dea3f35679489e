import { z } from 'zod';

/** The requests as the service document describes them; further fields are let through unread. */
const filled = z.string().min(1);
const phone = z.string().regex(/^\+?\d{9,15}$/);
const serviceId = z.int();
const instant = z.iso.datetime({ offset: true });

export const paymentFields = z.object({
  service_id: serviceId,
  reference: filled,
  nickname: filled,
  transaction_id: filled.max(64),
  trans_type: z.literal('CTM'),
  customer_number: phone,
  nw: z.enum(['MTN', 'VOD', 'AIR', 'VIS', 'MAS']),
  amount: z.number().positive(),
  payment_option: z.enum(['MOM', 'CRD', 'CRM']),
  callback_url: z.url({ protocol: /^https?$/ }),
  currency_code: z.string().regex(/^[A-Z]{3}$/),
  currency_val: z.number().optional(),
  request_time: instant.optional(),
});
export type PaymentFields = z.infer<typeof paymentFields>;

export const lookupFields = z.object({
  service_id: serviceId,
  pan: phone,
  // Not the codes of a payment; the document gives these three as examples.
  nw: z.enum(['MTN', 'VODA', 'AIRTELTIGO', 'VIS', 'MAS']),
});

export const statusFields = z.object({ service_id: serviceId, transaction_id: filled });

export const smsFields = z.object({
  service_id: serviceId,
  sender_id: filled.max(11),
  msg_body: filled,
  recipient_number: z.array(phone).min(1),
  unique_id: filled,
});

export const balanceFields = z.object({ service_id: serviceId, request_time: instant });

/** Names the fields that are wrong, such as `amount: Invalid input: expected number, received string`. */
export const problemsIn = (error: z.ZodError): string =>
  error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
