import type { MessageContent } from '../core/notices/plan-message.ts';
import type { ChargeDraft } from '../core/records/draft.ts';
import { assertNever } from '../core/runtime/errors.ts';
import type { Conversation, Person } from '../core/values/conversation.ts';
import type { Platforms } from '../core/values/platform.ts';
import { systemAlertCard } from './cards/alert-card.ts';
import type { Card } from './cards/card.ts';
import { outcomeCard, paymentAlertCard, paymentCard } from './cards/payment-card.ts';
import { audienceOf } from './cards/visibility.ts';
import { approvalEndCard, approvalNewsCard, questionEndCard } from './charge/approval-cards.ts';
import { smsReportCard } from './sms/sms-cards.ts';

type Rendering = {
  readonly timeZone: string;
  readonly platforms: Platforms;
  /** The question to approvers, who are looked up for it. */
  readonly approvalQuestion: (draft: ChargeDraft) => Promise<Card>;
};

type Asked = { readonly requester: Person; readonly conversation: Conversation };

/** The card that says `content` in the conversation `shownIn`, which decides how much of the customer it shows. */
export const renderNotice = async (
  content: MessageContent,
  shownIn: Conversation,
  rendering: Rendering,
): Promise<Card> => {
  const { timeZone, platforms } = rendering;
  const audienceFor = ({ requester: person, conversation: typedIn }: Asked) =>
    audienceOf(shownIn, { person, typedIn }, platforms);
  switch (content.kind) {
    case 'card':
      return paymentCard(content.payment, timeZone, audienceFor(content.payment));
    case 'outcome': {
      const { payment, toldBefore } = content;
      return outcomeCard(payment, timeZone, { audience: audienceFor(payment), toldBefore });
    }
    case 'sms':
      return smsReportCard(content.batch, audienceFor(content.batch));
    case 'approval question':
      return rendering.approvalQuestion(content.draft);
    case 'approval end':
      return approvalEndCard(content.draft, timeZone);
    case 'question end':
      return questionEndCard(content.draft, rendering);
    case 'approval news':
      return approvalNewsCard(content.draft, rendering, shownIn);
    case 'payment alert':
      return paymentAlertCard(content.payment, timeZone);
    case 'alert':
      return systemAlertCard(content.alert);
    default:
      return assertNever(content);
  }
};
