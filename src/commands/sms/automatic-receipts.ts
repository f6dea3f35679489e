import { ChargeFreeze } from '../../core/guards/charge-freeze.ts';
import type { Payment } from '../../core/records/payment.ts';
import { suits } from '../../core/records/payment-text.ts';
import type { Put, Setting } from '../../core/records/records.ts';
import { owedReceiptOf } from '../../core/records/stored-values.ts';
import { readSmsDay } from '../../core/sms/sms-day.ts';
import { nightEndsAtMs } from '../../core/values/night.ts';
import type { Services } from '../command.ts';
import { confirmText, termsOfText } from './payment-texts.ts';
import { isSetUp, type SmsSettings } from './text-buttons.ts';

type OwedNeeds = Pick<Services, 'store'> & {
  readonly settings: SmsSettings & { readonly timeZone: string };
};

/** What a payment owes in the commit that settles it: with `RECEIPT=always` its receipt, in the night for the morning. */
export const receiptOwed = async (
  { store, settings }: OwedNeeds,
  payment: Payment,
  nowMs: number,
): Promise<readonly Put[]> => {
  if (!isAutomatic(settings) || !suits('receipt', payment)) return [];
  const owed = owedReceiptOf(payment.id);
  const atMs = nightEndsAtMs(nowMs, settings.timeZone) ?? nowMs;
  const earlier = await store.get('setting', owed.id);
  return [owed.put(payment.id, earlier, { queue: 'sms', atMs })];
};

const isAutomatic = (settings: SmsSettings): boolean =>
  settings.texts.receipt === 'always' && isSetUp('receipt', settings);

/** Sends a receipt that no person pressed for. It counts in the requester's day and is not held back by it. */
export const sendOwedReceipt = async (
  services: OwedNeeds & Pick<Services, 'payments' | 'smsSender' | 'clock'>,
  owed: Setting,
): Promise<void> => {
  const { store, clock, payments, settings } = services;
  const remove = [{ kind: 'setting', id: owed.id, version: owed.version }] as const;
  const payment = await payments.get(owed.value);
  const restored = await new ChargeFreeze(store).mark();
  // Not when a restore may have lost that it was sent.
  const isWanted =
    payment !== undefined &&
    isAutomatic(settings) &&
    (restored === undefined || payment.confirmedAtMs > restored.sinceMs);
  const terms = isWanted ? termsOfText('receipt', payment, settings) : undefined;
  if (!isWanted || terms === undefined) return void (await store.commit({ remove }));
  // Due long ago: the process was down, and came back in the night.
  const untilMs = nightEndsAtMs(clock.now(), settings.timeZone);
  if (untilMs !== undefined) return store.release('setting', owed.id, untilMs);
  const { requester } = payment;
  const batch = await confirmText(services, payment, {
    kind: 'receipt',
    terms,
    requester,
    automatic: true,
    beside: async (_, parts) => ({
      put: [(await readSmsDay(services, requester)).with(parts)],
      remove,
    }),
  });
  // A press was first.
  if (batch === undefined) await store.commit({ remove });
};
