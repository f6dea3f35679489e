import { approvalNoticeId } from '../../core/notices/approval-notices.ts';
import type { ChargeDraft } from '../../core/records/draft.ts';
import { isOwed, type Notice } from '../../core/records/notice.ts';
import { assertNever } from '../../core/runtime/errors.ts';
import type { Store } from '../../core/store/store.ts';
import type { Conversation, MessageRef } from '../../core/values/conversation.ts';
import type { Platforms } from '../../core/values/platform.ts';
import type { Called, Card } from '../cards/card.ts';
import { approvalCard, isElsewhere } from './approval-card.ts';
import { approvalEndCard, approvalNewsCard, questionEndCard } from './approval-end-cards.ts';

/** A notice about an approval. */
export type AboutApproval = Extract<Notice['about'], { readonly draftId: string }>;

/** What a notice about an approval comes to at this moment. */
type ApprovalMessage =
  | { readonly kind: 'post'; readonly card: Card; readonly of: string }
  | { readonly kind: 'edit'; readonly message: MessageRef; readonly card: Card }
  | { readonly kind: 'nothing' }
  /** The message to edit is being posted. */
  | { readonly kind: 'notDelivered'; readonly reason: string };

const NOTHING: ApprovalMessage = { kind: 'nothing' };

/** Makes the messages of an approval from its draft as it is at that moment. */
export class ApprovalMessages {
  readonly #store: Store;
  readonly #view: { readonly timeZone: string; readonly platforms: Platforms };
  readonly #isAsShown: (draft: ChargeDraft) => Promise<boolean>;
  readonly #approversOf: (draft: ChargeDraft) => Promise<readonly Called[]>;
  readonly #linkTo: (message: MessageRef) => Promise<string | undefined>;

  constructor(options: {
    store: Store;
    timeZone: string;
    platforms: Platforms;
    /** Whether a draft is what its requester saw. */
    isAsShown: (draft: ChargeDraft) => Promise<boolean>;
    /** Who may approve it where it is asked, to be called upon. */
    approversOf: (draft: ChargeDraft) => Promise<readonly Called[]>;
    linkTo: (message: MessageRef) => Promise<string | undefined>;
  }) {
    this.#store = options.store;
    this.#view = options;
    this.#isAsShown = options.isAsShown;
    this.#approversOf = options.approversOf;
    this.#linkTo = options.linkTo;
  }

  /** The question to approvers. */
  async question(draft: ChargeDraft): Promise<Card> {
    const place = isElsewhere(draft) ? placeOf(draft) : undefined;
    return approvalCard(draft, {
      timeZone: this.#view.timeZone,
      approvers: await this.#approversOf(draft),
      link: place && (await this.#linkTo(place)),
    });
  }

  async messageFor(about: AboutApproval, where: Conversation): Promise<ApprovalMessage> {
    const draft = await this.#store.get('draft', about.draftId);
    if (draft?.kind !== 'charge') return NOTHING;
    switch (about.kind) {
      case 'approval':
        return draft.status === 'awaiting approval' && (await this.#isAsShown(draft))
          ? { kind: 'post', card: await this.question(draft), of: 'question' }
          : NOTHING;
      case 'approval news':
        return { kind: 'post', card: approvalNewsCard(draft, this.#view, where), of: draft.status };
      case 'approval edit':
        return this.#edit(draft, about.of);
      default:
        return assertNever(about);
    }
  }

  async #edit(
    draft: ChargeDraft,
    of: Extract<AboutApproval, { kind: 'approval edit' }>['of'],
  ): Promise<ApprovalMessage> {
    if (of === 'question') {
      const message = draft.question?.ref;
      return message === undefined
        ? NOTHING
        : { kind: 'edit', message, card: questionEndCard(draft, this.#view) };
    }
    const posted = await this.#store.get('notice', approvalNoticeId(draft, of));
    if (posted?.message === undefined)
      return isOwed(posted)
        ? { kind: 'notDelivered', reason: 'the message to edit is being posted' }
        : NOTHING;
    return {
      kind: 'edit',
      message: posted.message,
      card: approvalEndCard(draft, this.#view.timeZone),
    };
  }
}

/** The message by which the requester's question can be found: not a private one, which has no address. */
const placeOf = ({ question, conversation }: ChargeDraft): MessageRef | undefined => {
  if (question?.canBecomeCard === true) return question.ref;
  const message = conversation.replyTo ?? conversation.thread;
  return message === undefined ? undefined : { conversation: placeAlone(conversation), message };
};

const placeAlone = ({ replyTo: _, ...place }: Conversation): Conversation => place;
