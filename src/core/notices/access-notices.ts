import { type AccessRequest, accessRequestOf } from '../records/access-grants.ts';
import { type Notice, newNotice } from '../records/notice.ts';
import type { Conversation } from '../values/conversation.ts';

export const accessAsked = (
  { id, atMs }: AccessRequest,
  operators: readonly Conversation[],
): Notice[] =>
  operators.map((conversation, index) => {
    const about = { kind: 'access request', requestId: id } as const;
    return newNotice({ id: questionId(id, index), about, conversation }, atMs);
  });

/** Edits of those questions and the answer to the person who asked, for the commit that answers. */
export const accessAnswered = (
  request: AccessRequest,
  operators: readonly Conversation[],
  nowMs: number,
): Notice[] => [
  ...operators.map((place, index) => {
    const question = questionId(request.id, index);
    const about = { kind: 'access request edit', requestId: request.id, question } as const;
    return newNotice({ id: `${question}.end`, about, conversation: place }, nowMs);
  }),
  accessNews(request, 'news', nowMs),
];

/** What the person is told: the answer, or that the role was taken back. */
export const accessNews = (
  { id, by, conversation }: AccessRequest,
  what: 'news' | 'taken',
  nowMs: number,
): Notice => {
  const about = { kind: 'access news', requestId: id } as const;
  return newNotice({ id: `${accessRequestOf(id).id}.${what}`, about, conversation, to: by }, nowMs);
};

/** As the record of the request, so that one id of the audit trail leads to all of it. */
const questionId = (requestId: string, index: number): string =>
  `${accessRequestOf(requestId).id}.question${index + 1}`;
