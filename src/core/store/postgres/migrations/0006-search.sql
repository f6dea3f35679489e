-- Payments are listed by the time of their confirmation, newest first, within a time span or not. What they are summed
-- by is in the two widest indexes, so that a sum reads no payment.
DROP INDEX payments_state_id_idx, payments_customer_number_id_idx, payments_requester_id_idx, payments_flag_id_idx;
CREATE INDEX ON payments (confirmed_ms, id, state, currency, amount_minor);
CREATE INDEX ON payments (state, confirmed_ms, id, currency, amount_minor);
CREATE INDEX ON payments (customer_number, confirmed_ms, id);
CREATE INDEX ON payments (requester, confirmed_ms, id);
CREATE INDEX ON payments (flag, confirmed_ms, id) WHERE flag IS NOT NULL;

-- What a payment is found by: each word of the customer's name and of the reference, the last digits of the number
-- (after a #), the amount (after a =), each word of the requester's name (after an @). Rows are deleted when the customer is forgotten. The program fills it at the end
-- of this step.
CREATE TABLE payment_terms (
  term text COLLATE "C" NOT NULL,
  confirmed_ms bigint NOT NULL,
  id text COLLATE "C" NOT NULL,
  PRIMARY KEY (term, confirmed_ms, id)
);
