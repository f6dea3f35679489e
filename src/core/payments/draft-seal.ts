import type { Draft } from '../records/draft.ts';
import { Seal } from '../runtime/seal.ts';
import { chargeFields } from './confirmation-seal.ts';

/** Tells a question as it was shown from one that was changed in the store, or written into it. */
export class DraftSeal {
  readonly #seal: Seal;

  /** @param secret the payment service's secret key */
  constructor(secret: string) {
    this.#seal = new Seal(secret, 'question');
  }

  /** The draft with the seal of all that it says at this moment. */
  sealed(draft: Draft): Draft {
    return { ...draft, seal: this.#seal.of(fieldsOf(draft)) };
  }

  isOn(draft: Draft): boolean {
    return this.#seal.isOf(fieldsOf(draft), draft.seal);
  }
}

/** Not the version and the due time, which change with every write, and nothing of its end: an ended one is not pressed. */
const fieldsOf = (draft: Draft): readonly unknown[] => {
  const { id, revision = 0, status, requester, conversation, what } = draft;
  const { platform, workspace, channel, thread, replyTo } = conversation;
  return [
    [id, revision, status],
    [draft.createdAtMs, draft.expiresAtMs, draft.askedAtMs],
    [draft.limit?.currency, draft.limit?.amountMinor],
    [requester.platform, requester.id, requester.name],
    [platform, workspace, channel, thread, replyTo],
    what.kind === 'charge'
      ? [what.paymentId, what.warnings, what.repeats ?? [], ...chargeFields(what.terms)]
      : [what.terms.senderId, what.terms.text, what.terms.recipients],
  ];
};
