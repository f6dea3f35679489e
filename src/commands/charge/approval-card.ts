import { approvalPlace, buttonId, type ChargeDraft } from '../../core/records/draft.ts';
import type { Conversation } from '../../core/values/conversation.ts';
import { showClock, showDate, showDay } from '../../core/values/format-time.ts';
import { formatMoney } from '../../core/values/money.ts';
import { type Called, type Card, type CardPart, personFact } from '../cards/card.ts';
import { chargeFacts } from '../cards/terms-facts.ts';

/** What an approver needs beside the draft. */
export type ApprovalSurroundings = {
  readonly timeZone: string;
  /** Who may approve there, as far as the access file names them. */
  readonly approvers: readonly Called[];
  /** To where it was asked, on platforms that have such links. */
  readonly link: string | undefined;
};

/** What an approver is shown: what will be sent, with the customer as people other than the requester may read it. */
export const approvalCard = (draft: ChargeDraft, around: ApprovalSurroundings): Card => {
  const amount = formatMoney(draft.terms.amount);
  const { name } = draft.requester;
  const limit = draft.limit === undefined ? '' : ` of ${formatMoney(draft.limit)}`;
  const id = buttonId(draft);
  return {
    title: `${name} asks to charge ${amount}`,
    tone: 'warning',
    calls: around.approvers,
    parts: [
      {
        kind: 'facts',
        facts: [personFact('Asked by', draft.requester), ...chargeFacts(draft.terms, 'others too')],
      },
      ...draft.warnings.map((text): CardPart => ({ kind: 'warning', text })),
      {
        kind: 'text',
        text: `Above ${name}'s limit${limit}. Approve or refuse until ${untilText(draft, around.timeZone)}.`,
      },
      ...(around.link === undefined ? askedThere(draft) : []),
    ],
    buttons: [
      { kind: 'press', label: `Approve ${amount}`, verb: 'approve', id, style: 'primary' },
      { kind: 'press', label: 'Refuse', verb: 'refuse', id, style: 'danger' },
      ...(around.link === undefined
        ? []
        : [{ kind: 'link', label: 'See where it was asked', url: around.link } as const]),
    ],
  };
};

/** When its time is over: the clock time, with the day when that is another one. */
export const untilText = (
  { expiresAtMs, askedAtMs, createdAtMs }: ChargeDraft,
  timeZone: string,
): string =>
  showDate(expiresAtMs, timeZone) === showDate(askedAtMs ?? createdAtMs, timeZone)
    ? showClock(expiresAtMs, timeZone)
    : showDay(expiresAtMs, timeZone);

const askedThere = (draft: ChargeDraft): CardPart[] =>
  isElsewhere(draft)
    ? [placePart('Asked in another chat.', 'another chat', draft.conversation)]
    : [];

/** Approvers are asked in another conversation than the requester. */
export const isElsewhere = (draft: ChargeDraft): boolean =>
  approvalPlace(draft).channel !== draft.conversation.channel;

export const placePart = (text: string, words: string, conversation: Conversation): CardPart => ({
  kind: 'text',
  text,
  place: { words, conversation },
});
