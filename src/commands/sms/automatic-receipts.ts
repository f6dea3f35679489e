import { ChargeFreeze } from '../../core/guards/charge-freeze.ts';
import type { Payment } from '../../core/records/payment.ts';
import { suits } from '../../core/records/payment-text.ts';
import type { Put, Setting } from '../../core/records/records.ts';
import { owedReceiptOf } from '../../core/records/settings.ts';
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

/** Sends receipts that no person pressed for. They count in the requester's day and are not held back by it. */
export class AutomaticReceipts {
  readonly #services: OwedNeeds & Pick<Services, 'payments' | 'smsSender' | 'clock'>;

  constructor(services: OwedNeeds & Pick<Services, 'payments' | 'smsSender' | 'clock'>) {
    this.#services = services;
  }

  async serve(owed: Setting): Promise<void> {
    const { store, clock, payments, settings } = this.#services;
    const payment = await payments.get(owed.value);
    if (payment === undefined || !(await this.#isWanted(payment))) return this.#drop(owed);
    const terms = termsOfText('receipt', payment, settings);
    if (terms === undefined) return this.#drop(owed);
    // Due long ago: the process was down, and came back in the night.
    const untilMs = nightEndsAtMs(clock.now(), settings.timeZone);
    if (untilMs !== undefined) return store.release('setting', owed.id, untilMs);
    const { requester } = payment;
    const { id, version } = owed;
    const batch = await confirmText(this.#services, payment, {
      kind: 'receipt',
      terms,
      requester,
      automatic: true,
      beside: async (_, parts) => {
        const day = await readSmsDay(this.#services, `${requester.platform}:${requester.id}`);
        return {
          put: [day.with(parts)],
          remove: [{ kind: 'setting', id, version }],
        };
      },
    });
    // A press was first.
    if (batch === undefined) await this.#drop(owed);
  }

  /** Not when a restore may have lost that it was sent. */
  async #isWanted(payment: Payment): Promise<boolean> {
    const restored = await new ChargeFreeze(this.#services.store).mark();
    return (
      isAutomatic(this.#services.settings) &&
      (restored === undefined || payment.confirmedAtMs > restored.sinceMs)
    );
  }

  async #drop({ id, version }: Setting): Promise<void> {
    await this.#services.store.commit({ remove: [{ kind: 'setting', id, version }] });
  }
}
