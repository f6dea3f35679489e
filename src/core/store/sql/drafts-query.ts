import type { Draft } from '../../records/draft.ts';
import type { Person } from '../../values/conversation.ts';
import type { Query } from './payment-query.ts';

/**
 * The drafts in a state, of one person if one is given. The words are looked for in the text of the body, in which a
 * quote that a person typed is escaped: PostgreSQL cannot read a field of a body that has \u0000 in another one. Without an
 * index: drafts are removed a day after their end.
 * @param contains a condition that the body has the text `?` in it, sign by sign.
 */
export const draftsQuery = (
  contains: string,
  status: Draft['status'],
  requester?: Person,
): Query => {
  const values = [
    `"status":"${status}"`,
    ...(requester === undefined ? [] : [personText(requester)]),
  ];
  return {
    text: `SELECT body FROM records WHERE kind = 'draft' ${`AND ${contains} `.repeat(values.length)}LIMIT 100`,
    values,
  };
};

const personText = ({ platform, id }: Person): string =>
  `"requester":${JSON.stringify({ platform, id }).slice(0, -1)},`;
