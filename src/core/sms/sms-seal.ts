import type { SmsBatch } from '../records/sms-batch.ts';
import { Seal } from '../runtime/seal.ts';

/** MAC over an SMS that a press confirmed: one that was written into the store by other means has none. */
export class SmsSeal {
  readonly #seal: Seal;

  /** @param secret the payment service's secret key */
  constructor(secret: string) {
    this.#seal = new Seal(secret, 'sms');
  }

  sealed(batch: SmsBatch): SmsBatch {
    return { ...batch, seal: this.#seal.of(fieldsOf(batch)) };
  }

  isOn(batch: SmsBatch): boolean {
    return this.#seal.isOf(fieldsOf(batch), batch.seal);
  }
}

/** Without the states of its chunks, which change as they are sent. */
const fieldsOf = ({
  id,
  terms,
  requester,
  confirmedAtMs,
  chunks,
}: SmsBatch): readonly unknown[] => [
  id,
  confirmedAtMs,
  [requester.platform, requester.id],
  [terms.senderId, terms.text],
  chunks.map(({ uniqueId, recipients }) => [uniqueId, recipients]),
];
