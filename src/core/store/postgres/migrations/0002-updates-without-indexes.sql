-- Stores a change whole, or nothing of it (false) when a version is not the expected one. `changes` and `bodies`
-- go together, in the order of kind and id: everybody locks in this order, so nobody waits in a circle.
CREATE OR REPLACE FUNCTION commit_change(
  p_connection uuid, p_serial bigint, p_given_ms bigint,
  p_changes json, p_bodies text[], p_audited json, p_entries text[]
) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  c record;
  n integer := 0;
  new_claim_ms bigint;
BEGIN
  FOR c IN SELECT * FROM json_to_recordset(p_changes) AS each (
    remove boolean, kind text, id text, version integer, queue text, delay_ms bigint, state text,
    customer_number text, requester text, confirmed_ms bigint, currency text, amount_minor bigint
  ) LOOP
    n := n + 1;
    IF c.remove THEN
      DELETE FROM records r WHERE r.kind = c.kind AND r.id = c.id AND r.version = c.version;
    ELSIF c.version = 1 THEN
      INSERT INTO records (kind, id, version, body, due_queue, claim_ms, state, customer_number,
          requester, confirmed_ms, currency, amount_minor)
        VALUES (c.kind, c.id, 1, p_bodies[n]::json, c.queue, now_ms(p_given_ms) + c.delay_ms, c.state,
          c.customer_number, c.requester, c.confirmed_ms, c.currency, c.amount_minor)
        ON CONFLICT (kind, id) DO NOTHING;
    ELSE
      new_claim_ms := now_ms(p_given_ms) + c.delay_ms;
      UPDATE records r SET version = c.version, body = p_bodies[n]::json, due_queue = c.queue,
          -- Due as before, but for what the way here took: then no index needs to know of this change.
          -- By a given time the way takes none.
          claim_ms = CASE WHEN r.leased_by IS NULL
              AND abs(r.claim_ms - new_claim_ms) <= CASE WHEN p_given_ms IS NULL THEN 100 ELSE 0 END
            THEN r.claim_ms ELSE new_claim_ms END,
          leased_by = NULL, state = c.state,
          customer_number = c.customer_number, requester = c.requester, confirmed_ms = c.confirmed_ms,
          currency = c.currency, amount_minor = c.amount_minor
        WHERE r.kind = c.kind AND r.id = c.id AND r.version = c.version - 1;
    END IF;
    IF NOT FOUND THEN
      RAISE EXCEPTION USING ERRCODE = 'PT001', MESSAGE = 'stale version';
    END IF;
  END LOOP;
  n := 0;
  FOR c IN SELECT * FROM json_to_recordset(p_audited) AS each (kind text, id text) LOOP
    n := n + 1;
    -- Not every row comes with its record. Taken after all locks on records, so that nobody waits in a circle.
    PERFORM pg_advisory_xact_lock(hashtextextended(c.kind || '/' || c.id, 0));
    PERFORM append_audit(c.kind, c.id, p_entries[n]);
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
