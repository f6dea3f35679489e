-- Every record, whatever its kind. Times are in milliseconds since 1970.
CREATE TABLE records (
  kind text NOT NULL,
  -- In the order of bytes, as the program compares ids.
  id text COLLATE "C" NOT NULL,
  version integer NOT NULL CHECK (version > 0),
  -- Not jsonb, which refuses \u0000 and halves of characters: what people type comes back as it was.
  body json NOT NULL,
  due_queue text,
  -- When it may be claimed (again), by the clock of this server.
  claim_ms bigint,
  -- The instance that has claimed it and not given it back; it may be dead, and the lease may have run out.
  leased_by uuid,
  -- What payments are searched by; empty in other records.
  state text,
  customer_number text,
  requester text,
  confirmed_ms bigint,
  currency text,
  amount_minor bigint,
  PRIMARY KEY (kind, id),
  CHECK ((due_queue IS NULL) = (claim_ms IS NULL))
) PARTITION BY LIST (kind);

-- Payments stay for ever and the rest comes and goes, so each has a table of its own.
CREATE TABLE payments PARTITION OF records (
  state NOT NULL,
  customer_number NOT NULL,
  requester NOT NULL,
  confirmed_ms NOT NULL,
  currency NOT NULL,
  amount_minor NOT NULL
) FOR VALUES IN ('payment') WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02);

CREATE TABLE other_records PARTITION OF records DEFAULT WITH (autovacuum_vacuum_scale_factor = 0.05);

CREATE INDEX ON records (due_queue, claim_ms) WHERE due_queue IS NOT NULL;
-- Payments are listed by id, newest first; the primary key serves a list without a filter.
CREATE INDEX ON payments (state, id);
CREATE INDEX ON payments (customer_number, id);
CREATE INDEX ON payments (requester, id);
CREATE INDEX ON payments (confirmed_ms);

-- Who did what to which record: numbered from 1 for each record, each row sealed with the hash of the one before.
CREATE TABLE audit (
  kind text NOT NULL,
  id text COLLATE "C" NOT NULL,
  seq integer NOT NULL,
  entry json NOT NULL,
  hash bytea NOT NULL,
  PRIMARY KEY (kind, id, seq)
);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% of % is not allowed: what is in it stays.', TG_OP, TG_TABLE_NAME;
END $$;

CREATE TRIGGER audit_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payments_stay BEFORE DELETE ON payments
  FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER payments_stay_all BEFORE TRUNCATE ON payments
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE FUNCTION audit_hash(before bytea, seq integer, entry text) RETURNS bytea
LANGUAGE sql IMMUTABLE AS $$
  SELECT sha256(coalesce(before, '') || convert_to(seq || ' ' || entry, 'UTF8'))
$$;

-- Whoever calls it sees to it that nobody else does so for the same record meanwhile.
CREATE FUNCTION append_audit(p_kind text, p_id text, p_entry text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  last_seq integer;
  last_hash bytea;
BEGIN
  SELECT a.seq, a.hash INTO last_seq, last_hash FROM audit a
    WHERE a.kind = p_kind AND a.id = p_id ORDER BY a.seq DESC LIMIT 1;
  last_seq := coalesce(last_seq, 0) + 1;
  INSERT INTO audit (kind, id, seq, entry, hash)
    VALUES (p_kind, p_id, last_seq, p_entry::json, audit_hash(last_hash, last_seq, p_entry));
END $$;

-- The rows that were not written by append_audit, or changed since; none in a whole audit.
CREATE FUNCTION broken_audit() RETURNS TABLE (kind text, id text, seq integer)
LANGUAGE sql STABLE AS $$
  SELECT a.kind, a.id, a.seq
  FROM (
    SELECT *, row_number() OVER w AS place, lag(audit.hash) OVER w AS before
    FROM audit WINDOW w AS (PARTITION BY audit.kind, audit.id ORDER BY audit.seq)
  ) a
  WHERE a.seq <> a.place OR a.hash <> audit_hash(a.before, a.seq, a.entry::text)
$$;

-- The clock of this server, or the time a test holds in its hand.
CREATE FUNCTION now_ms(given bigint) RETURNS bigint
LANGUAGE sql VOLATILE AS $$
  SELECT coalesce(given, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
$$;

-- The last commit of each connection. When a connection is cut during a commit, another one reads here what
-- became of it, and closes the row, so that a commit still under way cannot be stored afterwards.
CREATE TABLE commit_marks (
  connection uuid PRIMARY KEY,
  serial bigint NOT NULL,
  closed boolean NOT NULL DEFAULT false,
  seen_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50);

-- Stores a change whole, or nothing of it (false) when a version is not the expected one. `changes` and `bodies`
-- go together, in the order of kind and id: everybody locks in this order, so nobody waits in a circle.
CREATE FUNCTION commit_change(
  p_connection uuid, p_serial bigint, p_given_ms bigint,
  p_changes json, p_bodies text[], p_audited json, p_entries text[]
) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
  c record;
  n integer := 0;
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
      UPDATE records r SET version = c.version, body = p_bodies[n]::json, due_queue = c.queue,
          claim_ms = now_ms(p_given_ms) + c.delay_ms, leased_by = NULL, state = c.state,
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

-- Token buckets that all instances share, each written as the moment at which it is full again. Not logged:
-- a crash of the server forgets them, and that is cheaper than a flush for every message.
CREATE UNLOGGED TABLE paces (
  key text COLLATE "C" PRIMARY KEY,
  full_at_ms double precision NOT NULL DEFAULT 0,
  blocked_until_ms double precision NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

CREATE FUNCTION spend_paces(p_now_ms double precision, p_keys text[], p_per_ms double precision[])
RETURNS void LANGUAGE sql AS $$
  INSERT INTO paces AS pace (key, full_at_ms)
    SELECT key, p_now_ms + per_ms FROM unnest(p_keys, p_per_ms) AS spent (key, per_ms)
    ON CONFLICT (key) DO UPDATE SET
      full_at_ms = greatest(pace.full_at_ms, p_now_ms) + excluded.full_at_ms - p_now_ms
$$;

-- Takes one from each bucket and returns 0; or takes none and returns how long to wait. Keys in order, each once.
CREATE FUNCTION take_paces(
  p_given_ms bigint, p_keys text[], p_bursts double precision[], p_per_ms double precision[]
) RETURNS double precision
LANGUAGE plpgsql AS $$
DECLARE
  here_ms double precision;
  wait_ms double precision;
BEGIN
  INSERT INTO paces (key) SELECT unnest(p_keys) ON CONFLICT DO NOTHING;
  PERFORM FROM paces WHERE key = ANY (p_keys) ORDER BY key FOR UPDATE;
  -- Only now: others may have held these rows for a while.
  here_ms := now_ms(p_given_ms);
  SELECT max(greatest(0, pace.blocked_until_ms - here_ms,
      pace.full_at_ms - here_ms - (wanted.burst - 1) * wanted.per_ms))
    INTO wait_ms
    FROM unnest(p_keys, p_bursts, p_per_ms) AS wanted (key, burst, per_ms) JOIN paces pace USING (key);
  IF coalesce(wait_ms, 0) = 0 THEN
    PERFORM spend_paces(here_ms, p_keys, p_per_ms);
  END IF;
  RETURN coalesce(wait_ms, 0);
END $$;

-- The folder whose records were moved here: how many commits its journal had, and the hash of the last one.
CREATE TABLE moved_from (
  only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
  journal_seq bigint NOT NULL,
  journal_hash text NOT NULL,
  moved_at timestamptz NOT NULL DEFAULT now()
);
