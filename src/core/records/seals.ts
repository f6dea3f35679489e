import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { isSameSecret } from '../runtime/same-secret.ts';
import type { Person } from '../values/conversation.ts';
import type { ChatGrant } from './access-grants.ts';
import type { BulkRun } from './bulk.ts';
import type { ChargeDraft, Draft } from './draft.ts';
import {
  confirmationFields,
  draftFields,
  grantFields,
  runFields,
  smsFields,
} from './earlier-seals.ts';
import type { Payment } from './payment.ts';
import type { SmsBatch } from './sms-batch.ts';

/** Secrets that are not in the store: the one in use, and those before it. */
export type SealSecrets = string | readonly [string, ...string[]];

type Sealing<T> = {
  /** What of a record is sealed. */
  readonly pick: (record: T) => object;
  /** What was sealed before 0.15. */
  readonly earlier: (record: T) => readonly unknown[];
};

/**
 * A MAC over what a person was shown or confirmed. The key comes from a secret that is not in the store, so a
 * writer of the store can neither make a record that counts nor change one.
 */
export class Seal<T extends { readonly seal?: string }> {
  readonly #keys: readonly KeyObject[];
  readonly #sealing: Sealing<T>;

  /**
   * @param secrets the first one seals; the others still open what was sealed with them
   * @param purpose kinds of records have keys of their own, so that the seal of one is none on another
   */
  constructor(secrets: SealSecrets, purpose: string, sealing: Sealing<T>) {
    this.#keys = [secrets]
      .flat()
      .map((secret) => hkdfSync('sha256', secret, '', `paythread ${purpose}`, 32))
      .map((key) => createSecretKey(Buffer.from(key)));
    this.#sealing = sealing;
  }

  /** The record with the seal of all that it says at this moment. */
  sealed<R extends T>(record: R): R {
    return { ...record, seal: this.of(record) };
  }

  of(record: T): string {
    const [seal = ''] = this.#macsOf(canonicalJson(this.#sealing.pick(record)));
    return seal;
  }

  isOn(record: T): boolean {
    const { pick, earlier } = this.#sealing;
    const isOf = (text: string): boolean =>
      this.#macsOf(text).some((mac) => isSameSecret(mac, record.seal ?? ''));
    return isOf(canonicalJson(pick(record))) || isOf(JSON.stringify(earlier(record)));
  }

  #macsOf(text: string): string[] {
    return this.#keys.map((key) => createHmac('sha256', key).update(text).digest('base64url'));
  }
}

/** Members in the order of their names, those that are undefined left out: a store may keep them in another order. */
const canonicalJson = (value: object): string =>
  JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)))
      : member,
  );

/** What a press confirmed: a payment that was written into the store by other means has no valid seal. */
export const confirmationSeal = (secret: SealSecrets): Seal<Payment> =>
  new Seal(secret, 'confirmation', { pick: pressed, earlier: confirmationFields });

/** What changes with every write of a question, whom it was asked of, and how it ended. */
const NOT_SHOWN: ReadonlySet<string> = new Set<keyof ChargeDraft>([
  'version',
  'due',
  'seal',
  'question',
  'askedIn',
  'approvers',
  'refusal',
  'closedBy',
  'closedAtMs',
  'resultId',
]);

/** A question as it was shown. */
export const draftSeal = (secret: SealSecrets): Seal<Draft> =>
  new Seal(secret, 'question', {
    pick: (draft) =>
      Object.fromEntries(Object.entries(draft).filter(([member]) => !NOT_SHOWN.has(member))),
    earlier: draftFields,
  });

/** An SMS that a press confirmed, without the states of its chunks, which change as they are sent. */
export const smsSeal = (secret: SealSecrets): Seal<SmsBatch> =>
  new Seal(secret, 'sms', {
    pick: (batch) => ({
      ...pressed(batch),
      chunks: batch.chunks.map(({ uniqueId, recipients }) => ({ uniqueId, recipients })),
    }),
    earlier: smsFields,
  });

/** A file that a press confirmed, without how far it is. Its pages have their digests in it. */
export const bulkSeal = (secret: SealSecrets): Seal<BulkRun> =>
  new Seal(secret, 'bulk', {
    pick: (run) => ({
      ...pressed(run),
      draftId: run.draftId,
      approvedIn: run.approvedIn,
      approver: run.approver && idsOf(run.approver),
    }),
    earlier: runFields,
  });

export const chatGrantSeal = (secret: SealSecrets): Seal<ChatGrant> =>
  new Seal(secret, 'grant', { pick: ({ seal: _, ...grant }) => grant, earlier: grantFields });

/** What a press confirms of any record. */
const pressed = (record: Payment | SmsBatch | BulkRun) => {
  const { id, terms, requester, confirmedAtMs } = record;
  return { id, terms, confirmedAtMs, requester: idsOf(requester) };
};

/** Without the name, by which nothing is decided. */
const idsOf = ({ platform, id }: Person) => ({ platform, id });
