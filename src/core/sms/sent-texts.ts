import { KEEP_COUNTED_MS } from '../guards/limit-guards.ts';
import { mayBeOneMerchant } from '../records/merchants.ts';
import type { Put } from '../records/records.ts';
import { textsSentTo } from '../records/stored-values.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Store } from '../store/store.ts';
import { shortIdFrom } from '../values/transaction-id.ts';

/** A text for one customer (E.164). */
export type TextTo = { readonly recipient: string; readonly text: string };

/** Stands for the text of every reminder: a customer is reminded once a day by a merchant, whatever of. */
export const ANY_REMINDER = '@reminder';

/**
 * The note of a text, for the commit that confirms its SMS. Refused when another SMS to the same customer was confirmed since
 * this was read, so that of two that are confirmed at one moment the second one is warned.
 */
export const noteText = async (
  { store, clock }: { readonly store: Pick<Store, 'get'>; readonly clock: Clock },
  { recipient, text, isReminder }: TextTo & { readonly isReminder?: boolean },
): Promise<(smsId: string) => Put> => {
  const sent = textsSentTo(recipient);
  const before = await store.get('setting', sent.id);
  const nowMs = clock.now();
  const recent = (sent.read(before) ?? []).filter(({ atMs }) => nowMs - atMs < KEEP_COUNTED_MS);
  const due = { queue: 'tidy', atMs: nowMs + KEEP_COUNTED_MS } as const;
  const texts = isReminder === true ? [text, ANY_REMINDER] : [text];
  return (smsId) => {
    const noted = texts.map((each) => ({ text: shortIdFrom(each), atMs: nowMs, smsId }));
    return sent.put([...recent, ...noted], before, due);
  };
};

/** Whether this customer got this text from the merchant since then, or may have. */
export const wasTextSent = async (
  store: Pick<Store, 'get'>,
  { recipient, text, merchant }: TextTo & { readonly merchant: string | undefined },
  sinceMs: number,
): Promise<boolean> => {
  const sent = textsSentTo(recipient);
  const hash = shortIdFrom(text);
  for (const each of (await sent.in(store)) ?? []) {
    if (each.text !== hash || each.atMs < sinceMs) continue;
    const batch = await store.get('sms', each.smsId);
    if (!mayBeOneMerchant(batch?.terms.merchant, merchant)) continue;
    const own = batch?.chunks.find(({ recipients }) => recipients.includes(recipient));
    if (own?.state !== 'refused' && own?.state !== 'not sent') return true;
  }
  return false;
};
