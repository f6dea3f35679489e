import type { AccessRequest } from '../records/access-grants.ts';
import { type Notice, newNotice } from '../records/notice.ts';
import type { Conversation } from '../values/conversation.ts';

/** As in the record of the request, so that one id of the audit trail leads to all of it. */
const PREFIX = 'access-request:';

/** The question to each conversation of the operators. */
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
  { id, by, conversation }: AccessRequest,
  operators: readonly Conversation[],
  nowMs: number,
): Notice[] => [
  ...operators.map((place, index) => {
    const question = questionId(id, index);
    const about = { kind: 'access request edit', requestId: id, question } as const;
    return newNotice({ id: `${question}.end`, about, conversation: place }, nowMs);
  }),
  newNotice(
    {
      id: `${PREFIX}${id}.news`,
      about: { kind: 'access news', requestId: id },
      conversation,
      to: by,
    },
    nowMs,
  ),
];

/** Tells the person whose role was taken back. */
export const accessTaken = ({ id, by, conversation }: AccessRequest, nowMs: number): Notice =>
  newNotice(
    {
      id: `${PREFIX}${id}.taken`,
      about: { kind: 'access news', requestId: id },
      conversation,
      to: by,
    },
    nowMs,
  );

const questionId = (requestId: string, index: number): string =>
  `${PREFIX}${requestId}.question${index + 1}`;
