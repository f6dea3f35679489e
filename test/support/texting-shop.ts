import { expect } from 'vitest';
import { cardOf } from '../../src/commands/cards/card.ts';
import { textButtons } from '../../src/commands/sms/text-buttons.ts';
import type { SmsOutcome } from '../../src/core/gateway/gateway.ts';
import type { Payment } from '../../src/core/records/payment.ts';
import { ama } from './a-payment.ts';
import { cardText } from './card-text.ts';
import { embeddedPremises, ShopInHand } from './shop-in-hand.ts';
import { smsSettings } from './sms-templates.ts';
import { statusOf } from './stub-gateway.ts';

export const ACCEPTED: SmsOutcome = { kind: 'sent', messageId: 'm', status: 'sent', answer: {} };

/** A shop that sends customers SMS about their payments, which end as `says`. */
export const openTextingShop = async (
  says: 'completed' | 'failed' | 'pending' = 'completed',
  sms = smsSettings(),
) => {
  const shop = await ShopInHand.open(embeddedPremises(), { sms });
  shop.gateway.onStatus = (id) => statusOf(id, says);
  shop.gateway.onSms = () => ACCEPTED;
  const payment = async (): Promise<Payment> => {
    const { payments } = await shop.store.listPayments({}, { limit: 1 });
    expect(payments).toHaveLength(1);
    return payments[0] as Payment;
  };
  return {
    shop,
    /** The newest one, as it is stored. */
    payment,
    /** A charge that was asked about once. */
    paid: async (): Promise<Payment> => {
      await shop.charge();
      await shop.pass(15_000);
      return payment();
    },
    labels: async (): Promise<string[]> =>
      textButtons(await payment(), sms).map(({ label }) => label),
    /** Presses a button of the payment as its card had it once. */
    press: async (label: string, of: Payment, who = ama): Promise<string> => {
      const card = cardOf('the card', [], { buttons: textButtons({ ...of, texts: [] }, sms) });
      return (await shop.press(card, label, who)).map(cardText).join('\n');
    },
    texts: (): string[] => shop.gateway.texted.map(({ text }) => text),
    /** The titles of the reports that were posted. */
    reports: (): string[] =>
      shop.posted.filter(({ key }) => key.includes('.sms.')).map(({ card }) => card.title),
  };
};
