import type { ChargeDraft, Draft, SmsTerms } from '../records/draft.ts';
import { Seal } from '../runtime/seal.ts';
import { chargeFields } from './confirmation-seal.ts';

/** MAC over a question as it was shown: one that was changed in the store, or written into it, has no valid one. */
export class DraftSeal {
  readonly #seal: Seal;

  /** @param secret the payment service's secret key */
  constructor(secret: string) {
    this.#seal = new Seal(secret, 'question');
  }

  /** The draft with the seal of all that it says at this moment. */
  sealed<D extends Draft>(draft: D): D {
    return { ...draft, seal: this.#seal.of(fieldsOf(draft)) };
  }

  isOn(draft: Draft): boolean {
    return this.#seal.isOf(fieldsOf(draft), draft.seal);
  }
}

/** Without version and due time, which change with every write, and without how it ended: an ended draft takes no press. */
const fieldsOf = (draft: Draft): readonly unknown[] => {
  const { id, status, requester, conversation } = draft;
  const { platform, workspace, channel, thread, replyTo } = conversation;
  return [
    [id, status, draft.createdAtMs, draft.expiresAtMs],
    [requester.platform, requester.id, requester.name],
    [platform, workspace, channel, thread, replyTo],
    draft.kind,
    ...(draft.kind === 'charge' ? chargeDraftFields(draft) : smsFields(draft.terms)),
  ];
};

const chargeDraftFields = (draft: ChargeDraft): readonly unknown[] => {
  const { revision = 0, askedAtMs, limit, paymentId, warnings, repeats = [], terms } = draft;
  return [
    [revision, askedAtMs, limit?.currency, limit?.amountMinor],
    [paymentId, warnings, repeats],
    ...chargeFields(terms),
  ];
};

const smsFields = ({ senderId, text, recipients }: SmsTerms): readonly unknown[] => [
  senderId,
  text,
  recipients,
];
