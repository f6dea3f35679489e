/** JSON that stands where the body of a payment was, after a mistake or a hand in the database. */
const OTHER_JSON = [
  '{}',
  'null',
  '[]',
  '7',
  '{"terms":{}}',
  '{"id":"P1","version":1,"due":{"queue":"x"}}',
];

/** The same, and what is not even JSON. */
export const NO_PAYMENTS = [...OTHER_JSON, '{"terms":', ''];

/** What a column of JSON takes. */
export const NO_PAYMENTS_IN_JSON = OTHER_JSON;
