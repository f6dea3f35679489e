-- What payments are summed by, beside their state and currency.
ALTER TABLE payments ADD COLUMN settled_ms INTEGER;
ALTER TABLE payments ADD COLUMN network TEXT NOT NULL DEFAULT '';
ALTER TABLE payments ADD COLUMN payment_option TEXT NOT NULL DEFAULT '';
-- platform:channel of the conversation: which branch that is, the access file tells, and it changes.
ALTER TABLE payments ADD COLUMN place TEXT NOT NULL DEFAULT '';
-- NULL: there was one.
ALTER TABLE payments ADD COLUMN merchant TEXT;
UPDATE payments SET
  settled_ms = body ->> '$.settledAtMs',
  network = body ->> '$.terms.network',
  payment_option = body ->> '$.terms.option',
  place = (body ->> '$.conversation.platform') || ':' || (body ->> '$.conversation.channel');

-- A report reads this index alone.
DROP INDEX payments_by_time;
CREATE INDEX payments_by_time ON payments (confirmed_ms, id, state, currency, amount_minor, flag, settled_ms, network,
  payment_option, place, merchant, requester);
CREATE INDEX payments_settled ON payments (settled_ms, state, currency, amount_minor, flag) WHERE settled_ms IS NOT NULL;
