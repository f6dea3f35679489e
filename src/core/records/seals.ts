import { createHmac, hkdfSync } from 'node:crypto';
import { assertNever } from '../runtime/errors.ts';
import { isSameSecret } from '../runtime/same-secret.ts';
import type { ChatGrant } from './access-grants.ts';
import { type BulkRun, type BulkTerms, isOfSms } from './bulk.ts';
import type { ChargeDraft, Draft, FileDraft, SmsDraft } from './draft.ts';
import type { ChargeTerms, Payment } from './payment.ts';
import type { SmsBatch } from './sms-batch.ts';

/** Secrets that are not in the store: the one in use, and those before it. */
export type SealSecrets = string | readonly [string, ...string[]];

/**
 * A MAC over what a person was shown or confirmed. The key comes from a secret that is not in the store, so a
 * writer of the store can neither make a record that counts nor change one.
 */
export class Seal<T extends { readonly seal?: string }> {
  readonly #keys: readonly Uint8Array[];
  readonly #fieldsOf: (record: T) => readonly unknown[];

  /**
   * @param secrets the first one seals; the others still open what was sealed with them
   * @param purpose kinds of records have keys of their own, so that the seal of one is none on another
   * @param fieldsOf what is sealed, in an order that never changes
   */
  constructor(secrets: SealSecrets, purpose: string, fieldsOf: (record: T) => readonly unknown[]) {
    this.#keys = [secrets]
      .flat()
      .map((secret) => new Uint8Array(hkdfSync('sha256', secret, '', `paythread ${purpose}`, 32)));
    this.#fieldsOf = fieldsOf;
  }

  /** The record with the seal of all that it says at this moment. */
  sealed<R extends T>(record: R): R {
    return { ...record, seal: this.of(record) };
  }

  of(record: T): string {
    const [seal = ''] = this.#sealsOf(record);
    return seal;
  }

  isOn(record: T): boolean {
    return this.#sealsOf(record).some((seal) => isSameSecret(seal, record.seal ?? ''));
  }

  #sealsOf(record: T): string[] {
    const fields = JSON.stringify(this.#fieldsOf(record));
    return this.#keys.map((key) => createHmac('sha256', key).update(fields).digest('base64url'));
  }
}

/** What a press confirmed: a payment that was written into the store by other means has no valid seal. */
export const confirmationSeal = (secret: SealSecrets): Seal<Payment> =>
  new Seal(secret, 'confirmation', ({ id, terms, requester, confirmedAtMs }) => [
    id,
    confirmedAtMs,
    [requester.platform, requester.id],
    ...chargeFields(terms),
    ...merchantField(terms),
  ]);

/** A question as it was shown, without what changes with every write and without how it ended. */
export const draftSeal = (secret: SealSecrets): Seal<Draft> =>
  new Seal(secret, 'question', (draft) => {
    const { id, status, requester, conversation } = draft;
    const { platform, workspace, channel, thread, replyTo } = conversation;
    return [
      [id, status, draft.createdAtMs, draft.expiresAtMs],
      [requester.platform, requester.id, requester.name],
      [platform, workspace, channel, thread, replyTo],
      draft.kind,
      ...shownFields(draft),
      ...merchantField(draft.terms),
    ];
  });

/** An SMS that a press confirmed, without the states of its chunks, which change as they are sent. */
export const smsSeal = (secret: SealSecrets): Seal<SmsBatch> =>
  new Seal(secret, 'sms', ({ id, terms, requester, confirmedAtMs, chunks }) => [
    id,
    confirmedAtMs,
    [requester.platform, requester.id],
    [terms.senderId, terms.text],
    chunks.map(({ uniqueId, recipients }) => [uniqueId, recipients]),
    ...merchantField(terms),
  ]);

/** A file that a press confirmed, without how far it is. Its pages have their digests in it. */
export const bulkSeal = (secret: SealSecrets): Seal<BulkRun> =>
  new Seal(secret, 'bulk', (run) => {
    const { id, draftId, terms, requester, approver, approvedIn, confirmedAtMs } = run;
    return [
      [id, draftId, confirmedAtMs],
      [requester.platform, requester.id],
      [approver?.platform, approver?.id],
      // Not in the seal of a run without it: one that goes on during an upgrade stays valid.
      ...(approvedIn === undefined ? [] : [[approvedIn.platform, approvedIn.channel]]),
      ...fileFields(terms),
      ...merchantField(terms),
    ];
  });

export const chatGrantSeal = (secret: SealSecrets): Seal<ChatGrant> =>
  new Seal(secret, 'grant', ({ id, to, role, where, by, givenIn, atMs }) => [
    [id, atMs, role],
    [to.platform, to.id],
    [where?.platform, where?.channel],
    [by.platform, by.id],
    // Grants from before 0.14 have no place.
    ...(givenIn === undefined ? [] : [[givenIn.platform, givenIn.channel]]),
  ]);

const shownFields = (draft: Draft): readonly unknown[] => {
  switch (draft.kind) {
    case 'charge':
      return chargeDraftFields(draft);
    case 'bulk':
    case 'sms file':
      return fileDraftFields(draft);
    case 'sms':
      return [
        ...[draft.terms.senderId, draft.terms.text, draft.terms.recipients],
        ...repeatsField(draft),
      ];
    default:
      return assertNever(draft);
  }
};

const fileDraftFields = (draft: FileDraft): readonly unknown[] => {
  const { revision = 0, terms, warnings, notes, zeroAsked, lines, repeated } = draft;
  const { askedAtMs, limit } = draft.kind === 'bulk' ? draft : {};
  return [
    [revision, askedAtMs, limit?.currency, limit?.amountMinor],
    [warnings, notes, zeroAsked?.count, ...(lines ? [lines, zeroAsked?.numbers] : [])],
    ...fileFields(terms),
    // Not in the seal of a draft without it: one that is open during an upgrade stays valid.
    ...(repeated === undefined ? [] : [[repeated.rows, repeated.warnings]]),
  ];
};

/** What of a file is charged or sent. */
const fileFields = (terms: BulkTerms): readonly unknown[] => {
  const { sha256, rows, pages } = terms;
  if (isOfSms(terms)) {
    const { template, text, senderId, parts } = terms;
    return [[sha256, rows], [template, text, senderId, parts], pages];
  }
  const { again, total } = terms;
  return [[sha256, again, rows, total.currency, total.amountMinor], pages];
};

/** Not in the seal of a draft without repeats: one that is open during an upgrade stays valid. */
const repeatsField = ({ repeats, revision = 0 }: Pick<SmsDraft, 'repeats' | 'revision'>) =>
  repeats === undefined ? [] : [[revision, repeats]];

const chargeDraftFields = (draft: ChargeDraft): readonly unknown[] => {
  const { revision = 0, askedAtMs, limit, paymentId, warnings, repeats = [], terms } = draft;
  const { retryOf, maskedFrom } = draft;
  return [
    [revision, askedAtMs, limit?.currency, limit?.amountMinor],
    [paymentId, warnings, repeats],
    ...chargeFields(terms),
    // Not in the seal of a draft without them: one that is open during an upgrade stays valid.
    ...(retryOf === undefined && maskedFrom === undefined ? [] : [[retryOf, maskedFrom]]),
  ];
};

/** Not in the seal where there is one merchant: what was confirmed before there were several stays valid. */
const merchantField = ({ merchant }: { readonly merchant?: string }): readonly string[] =>
  merchant === undefined ? [] : [merchant];

/** What is sent to the service, and the name that was shown. */
const chargeFields = (terms: ChargeTerms): readonly unknown[] => {
  const { amount, customerNumber, customerName, network, option, reference } = terms;
  return [
    [amount.currency, amount.amountMinor],
    [customerNumber, customerName, network, option, reference],
  ];
};
