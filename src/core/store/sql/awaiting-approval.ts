/**
 * The drafts that wait for an approver. The words are compared with the text of the body, in which a quote that a
 * person typed is escaped. Without an index: drafts are removed a day after their end.
 */
export const awaitingApprovalQuery = (body: string): string =>
  `SELECT body FROM records WHERE kind = 'draft' AND ${body} LIKE '%"status":"awaiting approval"%' LIMIT 100`;
