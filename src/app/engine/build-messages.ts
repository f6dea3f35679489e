import type { Card } from '../../commands/cards/card.ts';
import { approvalQuestion } from '../../commands/charge/approval-question.ts';
import { renderNotice } from '../../commands/notices/render-notice.ts';
import { Chats } from '../../core/notices/chats.ts';
import { NoticeSender } from '../../core/notices/notice-sender.ts';
import { Outbox } from '../../core/notices/outbox.ts';
import type { ChargeDraft } from '../../core/records/draft.ts';
import { systemRandom } from '../../core/runtime/random.ts';
import type { PaymentParts } from './build-payments.ts';
import { type EngineOptions, NOBODY } from './engine-options.ts';

/** The way out: the outbox, and what makes cards of the notices in it. */
export const buildMessages = (
  options: EngineOptions,
  { alerts, drafts, suspensions }: PaymentParts,
) => {
  const { store, clock, log, mark, platforms, access, onlooker = NOBODY } = options;
  const { random = systemRandom } = options;
  const { timeZone } = options.settings;
  const chats = new Chats<Card>({ store, log, byPlatform: options.chats });
  const linkTo: typeof chats.linkTo = (message) => chats.linkTo(message);
  const question = (draft: ChargeDraft) =>
    approvalQuestion(draft, { timeZone, suspensions, access, linkTo });
  const rendering = { timeZone, platforms, approvalQuestion: question };
  const sender = new NoticeSender<Card>({
    store,
    chats,
    isAsShown: (draft) => drafts.isAsShown(draft),
    render: async (...what) => mark.card(await renderNotice(...what, rendering)),
  });
  const onAttempt = onlooker.noticeTried;
  const outbox = new Outbox({ store, clock, log, alerts, random, onAttempt, sender });
  return { chats, approvalQuestion: question, outbox };
};

export type MessageParts = ReturnType<typeof buildMessages>;
