-- Payments are listed by the time of their confirmation, newest first, within a time span or not. What they are summed
-- by is in the two widest indexes, so that a sum reads no payment; the one of times is made by the next step.
DROP INDEX payments_state_id_idx, payments_customer_number_id_idx, payments_requester_id_idx, payments_flag_id_idx;
CREATE INDEX ON payments (state, confirmed_ms, id, currency, amount_minor);
CREATE INDEX ON payments (customer_number, confirmed_ms, id);
CREATE INDEX ON payments (requester, confirmed_ms, id);
CREATE INDEX ON payments (flag, confirmed_ms, id) WHERE flag IS NOT NULL;
