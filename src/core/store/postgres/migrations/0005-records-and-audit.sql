-- Times are in milliseconds since 1970. Ids are compared byte by byte, as the program does.
CREATE TABLE records (
  kind text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  version integer NOT NULL CHECK (version > 0),
  -- Not jsonb, which refuses \u0000 and halves of characters: what people type comes back as it was.
  body json NOT NULL,
  -- Of the digest of a payment's body that stands in the audit; a new one with each version.
  salt bytea,
  due_queue text,
  -- When it may be claimed (again), by the clock of this server.
  claim_ms bigint,
  -- The instance that has claimed it and not given it back; it may be dead, and the lease may have run out.
  leased_by uuid,
  -- What payments are searched by; empty in other records.
  state text,
  customer_number text,
  requester text,
  currency text,
  amount_minor bigint,
  flag text,
  confirmed_ms bigint,
  -- When it was confirmed or settled, whichever is later.
  ended_ms bigint,
  PRIMARY KEY (kind, id),
  CHECK ((due_queue IS NULL) = (claim_ms IS NULL))
) PARTITION BY LIST (kind);

-- Payments stay for ever and the rest comes and goes, so each has a table of its own.
CREATE TABLE payments PARTITION OF records (
  salt NOT NULL,
  state NOT NULL,
  customer_number NOT NULL,
  requester NOT NULL,
  currency NOT NULL,
  amount_minor NOT NULL,
  confirmed_ms NOT NULL,
  ended_ms NOT NULL
) FOR VALUES IN ('payment') WITH (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02);

CREATE TABLE other_records PARTITION OF records DEFAULT WITH (autovacuum_vacuum_scale_factor = 0.05);

CREATE INDEX ON records (due_queue, claim_ms) WHERE due_queue IS NOT NULL;
-- Payments are listed by id, newest first; the primary key serves a list without a filter.
CREATE INDEX ON payments (state, id);
CREATE INDEX ON payments (customer_number, id);
CREATE INDEX ON payments (requester, id);
CREATE INDEX ON payments (ended_ms, id);
CREATE INDEX ON payments (flag, id) WHERE flag IS NOT NULL;

-- Who did what to which record: numbered from 1 for each record, each row with a hash over the one before. An entry has
-- digests in the place of what may be about a customer.
CREATE TABLE audit (
  position bigint GENERATED ALWAYS AS IDENTITY,
  kind text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  seq integer NOT NULL,
  entry text NOT NULL,
  hash bytea NOT NULL,
  PRIMARY KEY (id, kind, seq)
);

-- What a row tells beside that: a callback's body, the service's words. Deleted when the customer is forgotten.
CREATE TABLE audit_details (
  position bigint PRIMARY KEY,
  salt bytea NOT NULL,
  detail text NOT NULL
);

-- Whom the audit rows of drafts and SMS are about, which outlive the records. A story is the id of a payment, a draft or
-- an SMS; the customer is a number, or the pseudonym after they were forgotten.
CREATE TABLE customer_stories (
  customer text COLLATE "C" NOT NULL,
  story text COLLATE "C" NOT NULL,
  since_ms bigint NOT NULL,
  PRIMARY KEY (customer, story)
);

CREATE INDEX ON customer_stories (story);
CREATE INDEX ON customer_stories (since_ms, story);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% of % is not allowed: what is in it stays.', TG_OP, TG_TABLE_NAME;
END $$;

CREATE TRIGGER audit_stays BEFORE UPDATE OR DELETE OR TRUNCATE ON audit
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
-- A detail is deleted or kept, and never changed.
CREATE TRIGGER audit_details_stay BEFORE UPDATE OR TRUNCATE ON audit_details
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
CREATE FUNCTION append_audit(p_kind text, p_id text, p_entry text, p_salt bytea, p_detail text) RETURNS void
LANGUAGE plpgsql AS $$
DECLARE
  last_seq integer;
  last_hash bytea;
  new_position bigint;
BEGIN
  SELECT a.seq, a.hash INTO last_seq, last_hash FROM audit a
    WHERE a.kind = p_kind AND a.id = p_id ORDER BY a.seq DESC LIMIT 1;
  last_seq := coalesce(last_seq, 0) + 1;
  INSERT INTO audit (kind, id, seq, entry, hash)
    VALUES (p_kind, p_id, last_seq, p_entry, audit_hash(last_hash, last_seq, p_entry))
    RETURNING audit.position INTO new_position;
  IF p_detail IS NOT NULL THEN
    INSERT INTO audit_details (position, salt, detail) VALUES (new_position, p_salt, p_detail);
  END IF;
END $$;

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

-- Token buckets, sliding windows and turns that all instances share, as the program writes them. `full_at_ms` says from
-- when on a row is as good as none. Not logged: a crash of the server forgets them, and that is cheaper than a flush for
-- every message.
CREATE UNLOGGED TABLE paces (
  key text COLLATE "C" PRIMARY KEY,
  full_at_ms double precision NOT NULL DEFAULT 0,
  blocked_until_ms double precision NOT NULL DEFAULT 0,
  version bigint NOT NULL DEFAULT 0,
  state text
) WITH (fillfactor = 50);

-- Compare-and-set of several keys at once: false, and nothing is written, when another instance wrote one of them.
CREATE FUNCTION swap_paces(
  p_keys text[], p_versions bigint[], p_states text[], p_idle_at_ms double precision[]
) RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO paces (key) SELECT unnest(p_keys) ON CONFLICT DO NOTHING;
  PERFORM FROM paces WHERE key = ANY (p_keys) ORDER BY key FOR UPDATE;
  IF EXISTS (
    SELECT FROM unnest(p_keys, p_versions) AS seen (key, version) JOIN paces pace USING (key)
      WHERE pace.version <> seen.version
  ) THEN
    RETURN false;
  END IF;
  UPDATE paces pace SET version = pace.version + 1, state = next.state, full_at_ms = next.idle_at_ms
    FROM unnest(p_keys, p_states, p_idle_at_ms) AS next (key, state, idle_at_ms) WHERE pace.key = next.key;
  RETURN true;
END $$;

-- The folder whose records were moved here: how many audit rows it had, and the hash of the last one.
CREATE TABLE moved_from (
  only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
  audit_rows bigint NOT NULL,
  last_hash text NOT NULL,
  moved_at timestamptz NOT NULL DEFAULT now()
);
