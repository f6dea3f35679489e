-- Payments are listed by the time of their confirmation, newest first, within a time span or not. What they are summed
-- by is in the two widest indexes, so that a sum reads no payment.
DROP INDEX payments_by_state;
DROP INDEX payments_by_customer;
DROP INDEX payments_by_requester;
DROP INDEX payments_by_end;
DROP INDEX payments_flagged;
CREATE INDEX payments_by_time ON payments (confirmed_ms, id, state, currency, amount_minor);
CREATE INDEX payments_by_state ON payments (state, confirmed_ms, id, currency, amount_minor);
CREATE INDEX payments_by_customer ON payments (customer_number, confirmed_ms, id);
CREATE INDEX payments_by_requester ON payments (requester, confirmed_ms, id);
CREATE INDEX payments_by_end ON payments (ended_ms, id, confirmed_ms);
CREATE INDEX payments_flagged ON payments (flag, confirmed_ms, id) WHERE flag IS NOT NULL;
