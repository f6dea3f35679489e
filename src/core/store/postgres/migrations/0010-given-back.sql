-- What of a payment was given back by hand; NULL: nothing, or no payment. The indexes that payments are summed by have it too.
ALTER TABLE records ADD COLUMN given_minor bigint;
DO $$
DECLARE
  summed record;
BEGIN
  FOR summed IN SELECT indexrelid::regclass AS name FROM pg_index
    WHERE indrelid = 'payments'::regclass AND pg_get_indexdef(indexrelid) LIKE '%amount_minor%'
  LOOP
    EXECUTE format('DROP INDEX %s', summed.name);
  END LOOP;
END $$;
CREATE INDEX payments_by_time ON payments (confirmed_ms, id) INCLUDE (state, currency, amount_minor, given_minor, flag,
  settled_ms, network, payment_option, place, merchant, requester);
CREATE INDEX payments_by_state ON payments (state, confirmed_ms, id) INCLUDE (currency, amount_minor, given_minor);
CREATE INDEX payments_by_search ON payments (confirmed_ms, id) INCLUDE (searched, state, currency, amount_minor, given_minor)
  WHERE searched IS NOT NULL;
CREATE INDEX payments_by_run ON payments (run, confirmed_ms, id) INCLUDE (state, currency, amount_minor, given_minor)
  WHERE run IS NOT NULL;
CREATE INDEX payments_settled ON payments (settled_ms) INCLUDE (state, currency, amount_minor, given_minor, flag)
  WHERE settled_ms IS NOT NULL;

-- Stores a change whole, or nothing of it (false) when a version is not the expected one. Records and audit rows come in
-- the order of kind and id: every transaction locks in this order, so none wait in a circle. `p_stories` is null where
-- there are none. Earlier versions had others of this name; between two steps nothing calls it.
CREATE OR REPLACE FUNCTION commit_change(
  p_connection uuid, p_serial bigint, p_given_ms bigint, p_records json, p_audit json, p_stories json
) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  c record;
  new_claim_ms bigint;
BEGIN
  FOR c IN SELECT * FROM json_to_recordset(p_records) AS each (
    remove boolean, kind text, id text, version integer, body text, salt bytea, queue text, delay_ms bigint, state text,
    customer_number text, requester text, currency text, amount_minor bigint, given_minor bigint, flag text,
    confirmed_ms bigint, ended_ms bigint, settled_ms bigint, network text, payment_option text, place text, merchant text,
    searched text, run text
  ) LOOP
    IF c.remove THEN
      DELETE FROM records r WHERE r.kind = c.kind AND r.id = c.id AND r.version = c.version;
    ELSIF c.version = 1 THEN
      INSERT INTO records (kind, id, version, body, salt, due_queue, claim_ms, state, customer_number, requester,
          currency, amount_minor, given_minor, flag, confirmed_ms, ended_ms, settled_ms, network, payment_option,
          place, merchant, searched, run)
        VALUES (c.kind, c.id, 1, c.body::json, c.salt, c.queue, now_ms(p_given_ms) + c.delay_ms, c.state,
          c.customer_number, c.requester, c.currency, c.amount_minor, c.given_minor, c.flag, c.confirmed_ms,
          c.ended_ms, c.settled_ms, c.network, c.payment_option, c.place, c.merchant, c.searched, c.run)
        ON CONFLICT (kind, id) DO NOTHING;
    ELSE
      new_claim_ms := now_ms(p_given_ms) + c.delay_ms;
      UPDATE records r SET version = c.version, body = c.body::json, salt = c.salt, due_queue = c.queue,
          -- Due as before, but for what the way here took: then no index needs to know of this change.
          -- By a given time the way takes none.
          claim_ms = CASE WHEN r.leased_by IS NULL
              AND abs(r.claim_ms - new_claim_ms) <= CASE WHEN p_given_ms IS NULL THEN 100 ELSE 0 END
            THEN r.claim_ms ELSE new_claim_ms END,
          leased_by = NULL, state = c.state, customer_number = c.customer_number, requester = c.requester,
          currency = c.currency, amount_minor = c.amount_minor, flag = c.flag, confirmed_ms = c.confirmed_ms,
          ended_ms = c.ended_ms, settled_ms = c.settled_ms, network = c.network,
          payment_option = c.payment_option, place = c.place, merchant = c.merchant,
          -- An instance of an earlier version that still runs has none to give. What was given back grows, or stays.
          searched = coalesce(c.searched, r.searched), run = coalesce(c.run, r.run),
          given_minor = coalesce(c.given_minor, r.given_minor)
        WHERE r.kind = c.kind AND r.id = c.id AND r.version = c.version - 1;
    END IF;
    IF NOT FOUND THEN
      RAISE EXCEPTION USING ERRCODE = 'PT001', MESSAGE = 'stale version';
    END IF;
  END LOOP;
  IF p_stories IS NOT NULL THEN
    INSERT INTO customer_stories (customer, story, since_ms)
      SELECT customer, story, "sinceMs" FROM json_to_recordset(p_stories)
        AS each (customer text, story text, "sinceMs" bigint)
      ORDER BY customer, story
      ON CONFLICT DO NOTHING;
  END IF;
  FOR c IN SELECT * FROM json_to_recordset(p_audit)
    AS each (kind text, id text, entry text, salt bytea, detail text)
  LOOP
    -- Not every row comes with its record. Taken after all locks on records, so that nobody waits in a circle.
    PERFORM pg_advisory_xact_lock(hashtextextended(c.kind || '/' || c.id, 0));
    PERFORM append_audit(c.kind, c.id, c.entry, c.salt, c.detail);
  END LOOP;
  INSERT INTO commit_marks AS mark (connection, serial) VALUES (p_connection, p_serial)
    ON CONFLICT (connection) DO UPDATE SET serial = excluded.serial, seen_at = now() WHERE NOT mark.closed;
  IF NOT FOUND THEN
    RAISE EXCEPTION USING ERRCODE = 'PT002', MESSAGE = 'given up by its sender';
  END IF;
  RETURN true;
EXCEPTION WHEN SQLSTATE 'PT001' THEN
  -- Expected where several instances meet, so it is an answer and no error in the server's log.
  RETURN false;
END $$;
