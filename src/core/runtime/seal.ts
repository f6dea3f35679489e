import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/**
 * A MAC over what a person was shown or confirmed. The key comes from a secret that is not in the store, so a
 * writer of the store can neither make a record that counts nor change one.
 */
export class Seal {
  readonly #key: Uint8Array;

  /**
   * @param secret the payment service's secret key
   * @param purpose kinds of records have keys of their own, so that the seal of one is none on another
   */
  constructor(secret: string, purpose: string) {
    this.#key = new Uint8Array(hkdfSync('sha256', secret, '', `paythread ${purpose}`, 32));
  }

  /** Of a list of fields in an order that never changes. */
  of(fields: readonly unknown[]): string {
    return createHmac('sha256', this.#key).update(JSON.stringify(fields)).digest('base64url');
  }

  isOf(fields: readonly unknown[], stored: string | undefined): boolean {
    const [ours, theirs] = [Buffer.from(this.of(fields)), Buffer.from(stored ?? '')];
    return ours.length === theirs.length && timingSafeEqual(ours, theirs);
  }
}
