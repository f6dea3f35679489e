import type { Draft } from '../../records/draft.ts';
import type { Person } from '../../values/conversation.ts';
import type { Query } from './payment-query.ts';

/**
 * The drafts in a state, of one person if one is given. The words are compared with the text of the body, in which a
 * quote that a person typed is escaped. Without an index: drafts are removed a day after their end.
 */
export const draftsQuery = (body: string, status: Draft['status'], requester?: Person): Query => {
  const whole = [
    `"status":"${status}"`,
    ...(requester === undefined ? [] : [personText(requester)]),
  ];
  return {
    text: `SELECT body FROM records WHERE kind = 'draft' ${`AND ${body} LIKE ? `.repeat(whole.length)}LIMIT 100`,
    values: whole.map((words) => `%${words}%`),
  };
};

const personText = ({ platform, id }: Person): string =>
  `"requester":${JSON.stringify({ platform, id }).slice(0, -1)},`;
