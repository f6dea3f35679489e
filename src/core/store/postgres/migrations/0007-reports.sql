-- What payments are summed by, beside their state and currency. The program fills it at the end of step 9.
ALTER TABLE records
  ADD COLUMN settled_ms bigint,
  ADD COLUMN network text,
  ADD COLUMN payment_option text,
  -- platform:channel of the conversation: which branch that is, the access file tells, and it changes.
  ADD COLUMN place text,
  -- NULL: there was one.
  ADD COLUMN merchant text;

-- A report reads one of these alone. Earlier versions had a narrower one.
DROP INDEX IF EXISTS payments_confirmed_ms_id_state_currency_amount_minor_idx;
CREATE INDEX ON payments (confirmed_ms, id) INCLUDE (state, currency, amount_minor, flag, settled_ms, network,
  payment_option, place, merchant, requester);
CREATE INDEX ON payments (settled_ms, state, currency, amount_minor, flag) WHERE settled_ms IS NOT NULL;
