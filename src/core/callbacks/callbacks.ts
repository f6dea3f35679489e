import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { failpoint } from '../runtime/failpoints.ts';
import { isSameSecret } from '../runtime/same-secret.ts';
import { CallbackRecorder, type CallbackRecorderOptions } from './callback-recorder.ts';
import type { UnmatchedCallbacks } from './unmatched-callbacks.ts';

export type CallbackAnswer = 200 | 404 | 503;

const ANSWERS = { kept: 200, full: 503, 'not ours': 404 } as const;

type CallbacksOptions = CallbackRecorderOptions & {
  readonly unmatched: Pick<UnmatchedCallbacks, 'keep'>;
  /** The first one signs, all of them verify. */
  readonly secrets: readonly string[];
  readonly publicUrl: string;
};

/**
 * Callbacks of the payment service. Its document neither shows one nor says that it is signed, so the address
 * is the proof: it carries a MAC of the transaction id. Even then a callback is only a hint that a status check
 * is worth making now.
 */
export class Callbacks {
  readonly #options: CallbacksOptions;
  readonly #recorder: CallbackRecorder;
  readonly #secrets: readonly KeyObject[];

  constructor(options: CallbacksOptions) {
    this.#options = options;
    this.#recorder = new CallbackRecorder(options);
    this.#secrets = options.secrets.map((secret) => createSecretKey(secret, 'utf8'));
  }

  address(paymentId: string): string {
    const [secret] = this.#secrets;
    if (secret === undefined) throw new Error('no callback secret');
    return `${this.#options.publicUrl.replace(/\/+$/, '')}${pathOf(secret, paymentId)}`;
  }

  /** Whether the address was issued here; decided without touching the store. */
  issued(paymentId: string, token: string): boolean {
    // Every secret is tried, so that the time taken says nothing about which one matched.
    return this.#secrets
      .map((secret) => isSameSecret(signature(secret, paymentId), token))
      .includes(true);
  }

  /** 200 only once everything new about the callback is durable. */
  async receive(paymentId: string, body: string, contentType: string): Promise<CallbackAnswer> {
    failpoint('callback-received', paymentId);
    try {
      const isStored = await this.#recorder.record(paymentId, body, contentType);
      // The address was issued, so there was such a payment: it may have been paid.
      const answer = isStored ? 200 : ANSWERS[await this.#options.unmatched.keep(paymentId, body)];
      failpoint('callback-stored', paymentId);
      return answer;
    } catch (error) {
      this.#options.log.error({ err: error, payment: paymentId }, 'a callback could not be stored');
      return 503;
    }
  }

  /** Stores the number of callbacks that were only counted. */
  stop(): Promise<void> {
    return this.#recorder.stop();
  }
}

export const callbackPath = (secret: string, paymentId: string): string =>
  pathOf(createSecretKey(secret, 'utf8'), paymentId);

const pathOf = (secret: KeyObject, paymentId: string): string =>
  `/callbacks/${paymentId}/${signature(secret, paymentId)}`;

const signature = (secret: KeyObject, paymentId: string): string =>
  createHmac('sha256', secret).update(`callback:${paymentId}`).digest('hex');
