-- What of a payment was given back by hand; NULL: nothing. The indexes that payments are summed by have it too.
ALTER TABLE payments ADD COLUMN given_minor INTEGER;

DROP INDEX payments_by_time;
DROP INDEX payments_by_state;
DROP INDEX payments_by_search;
DROP INDEX payments_by_run;
DROP INDEX payments_settled;
CREATE INDEX payments_by_time ON payments (confirmed_ms, id, state, currency, amount_minor, given_minor, flag, settled_ms,
  network, payment_option, place, merchant, requester);
CREATE INDEX payments_by_state ON payments (state, confirmed_ms, id, currency, amount_minor, given_minor);
CREATE INDEX payments_by_search ON payments (confirmed_ms, id, searched, state, currency, amount_minor, given_minor)
  WHERE searched IS NOT NULL;
CREATE INDEX payments_by_run ON payments (run, confirmed_ms, id, state, currency, amount_minor, given_minor)
  WHERE run IS NOT NULL;
CREATE INDEX payments_settled ON payments (settled_ms, state, currency, amount_minor, given_minor, flag)
  WHERE settled_ms IS NOT NULL;
