import type { ChargeDraft, SmsDraft } from '../../src/core/records/draft.ts';
import type { ChargeTerms, Payment } from '../../src/core/records/payment.ts';
import type { SmsTerms } from '../../src/core/records/sms-batch.ts';
import type { Conversation, Person } from '../../src/core/values/conversation.ts';

/** Records that tests start from; each test changes what it is about. */
export const ama: Person = { platform: 'slack', id: 'U0AMA', name: 'ama' };
export const kojo: Person = { platform: 'slack', id: 'U0KOJO', name: 'Kojo' };
export const efua: Person = { platform: 'slack', id: 'U0EFUA', name: 'Efua' };
export const shop: Conversation = { platform: 'slack', workspace: 'T1', channel: 'C0SALES' };

const fiftyCedis: ChargeTerms = {
  amount: { amountMinor: 5000, currency: 'GHS' },
  customerNumber: '+233244123456',
  customerName: 'KOFI MENSAH',
  network: 'MTN',
  option: 'MOM',
  reference: '01JD2M4X9QK7T3VB',
};

export const aPayment = (changes: Partial<Payment> = {}): Payment => ({
  id: '01JD2M4X9QK7T3VB',
  version: 1,
  due: { queue: 'submit', atMs: 1_000 },
  state: 'confirmed',
  terms: fiftyCedis,
  requester: ama,
  conversation: shop,
  confirmedAtMs: 1_000,
  submitByMs: 121_000,
  rateLimits: 0,
  checks: 0,
  hints: 0,
  hintChecks: 0,
  ...changes,
});

const shown = {
  id: 'draft0000001',
  version: 1,
  requester: ama,
  conversation: shop,
  createdAtMs: 1_000,
  expiresAtMs: 601_000,
  status: 'open',
} as const;

export const aCharge = (changes: Partial<ChargeDraft> = {}): ChargeDraft => ({
  ...shown,
  kind: 'charge',
  terms: fiftyCedis,
  paymentId: '01JD2M4X9QK7T3VB',
  warnings: [],
  ...changes,
});

export const anSms = (terms: SmsTerms): SmsDraft => ({ ...shown, kind: 'sms', terms });
