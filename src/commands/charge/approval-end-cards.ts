import { approvalPlace, type ChargeDraft } from '../../core/records/draft.ts';
import { assertNever } from '../../core/runtime/errors.ts';
import type { Conversation } from '../../core/values/conversation.ts';
import { showDay } from '../../core/values/format-time.ts';
import { formatMoney } from '../../core/values/money.ts';
import type { Platforms } from '../../core/values/platform.ts';
import { type Card, type CardPart, personFact } from '../cards/card.ts';
import { payerFor } from '../cards/payment-card.ts';
import { audienceOf } from '../cards/visibility.ts';
import { isElsewhere, placePart, untilText } from './approval-card.ts';

/** The place of approvals, where the platform cannot name it. */
const APPROVERS = "the approvers' group";

/** What the requester's question says while approvers are asked. */
export const waitingCard = (draft: ChargeDraft, timeZone: string): Card => {
  const limit = draft.limit === undefined ? '' : ` of ${formatMoney(draft.limit)}`;
  return {
    title: 'Waiting for approval',
    tone: 'waiting',
    parts: [
      { kind: 'text', text: `${formatMoney(draft.terms.amount)} is above your limit${limit}.` },
      isElsewhere(draft)
        ? placePart(
            `Sent to ${APPROVERS} for approval. I will tell you here.`,
            APPROVERS,
            approvalPlace(draft),
          )
        : {
            kind: 'text',
            text: `The approvers were asked here. They have until ${untilText(draft, timeZone)}.`,
          },
    ],
  };
};

/** The question to approvers after its end. */
export const approvalEndCard = (draft: ChargeDraft, timeZone: string): Card => {
  const by =
    draft.closedBy === undefined ? [] : [personFact(`${wordOf(draft)} by`, draft.closedBy)];
  const at =
    draft.closedAtMs === undefined
      ? []
      : [{ label: `${wordOf(draft)} at`, value: showDay(draft.closedAtMs, timeZone) }];
  return {
    title: `${titleWord(draft)}: ${formatMoney(draft.terms.amount)} for ${draft.requester.name}`,
    tone: draft.status === 'done' ? 'good' : 'bad',
    parts:
      draft.status === 'expired'
        ? endParts(draft, timeZone)
        : [{ kind: 'facts', facts: [...by, ...at] }, ...reasonParts(draft), ...uncharged(draft)],
  };
};

/** What a card is made with besides its draft. */
type View = { readonly timeZone: string; readonly platforms: Platforms };

/** The requester's own question after its end, where it does not become the payment card. */
export const questionEndCard = (
  draft: ChargeDraft,
  view: View,
  where: Conversation = draft.conversation,
): Card => ({
  title: `${titleWord(draft)}: ${whatOf(draft, where, view)}`,
  tone: draft.status === 'done' ? 'good' : 'bad',
  parts: endParts(draft, view.timeZone),
});

/** Tells the requester that an approval was refused or ran out of time. `where`: where they asked, or the fallback conversation. */
export const approvalNewsCard = (draft: ChargeDraft, view: View, where: Conversation): Card => ({
  ...questionEndCard(draft, view, where),
  mention: draft.requester,
});

const endParts = (draft: ChargeDraft, timeZone: string): CardPart[] => {
  const by = draft.closedBy?.name ?? 'An approver';
  switch (draft.status) {
    case 'done':
      return [{ kind: 'text', text: `${by} approved it.` }];
    case 'refused':
      return [
        { kind: 'text', text: `${by} refused it. Nothing was charged.` },
        ...reasonParts(draft),
      ];
    case 'expired':
      return [
        {
          kind: 'text',
          text: `No approver answered until ${untilText(draft, timeZone)}. Nothing was charged. To ask again, type the command again.`,
        },
      ];
    case 'cancelled':
      return [{ kind: 'text', text: `${by} cancelled it. Nothing was charged.` }];
    case 'open':
    case 'awaiting approval':
      return [];
    default:
      return assertNever(draft.status);
  }
};

const titleWord = (draft: ChargeDraft): string =>
  draft.status === 'expired' ? 'Not approved in time' : wordOf(draft);

const wordOf = ({ status }: ChargeDraft): string =>
  status === 'done' ? 'Approved' : status === 'refused' ? 'Refused' : 'Cancelled';

const reasonParts = ({ refusal }: ChargeDraft): CardPart[] =>
  refusal === undefined ? [] : [{ kind: 'quote', text: refusal }];

const uncharged = ({ status }: ChargeDraft): CardPart[] =>
  status === 'done' ? [] : [{ kind: 'text', text: 'Nothing was charged.' }];

/** `GHS 50.00 from Kofi M.`, the name as the readers of `where` may see it. */
const whatOf = (draft: ChargeDraft, where: Conversation, { platforms }: View): string => {
  const { requester: person, conversation: typedIn } = draft;
  const audience = audienceOf(where, { person, typedIn }, platforms);
  return `${formatMoney(draft.terms.amount)} from ${payerFor(audience, draft.terms)}`;
};
