-- What is known of each key, as the program writes it: sliding windows and turns beside the token buckets.
-- `full_at_ms` says from when on the row is as good as none.
ALTER TABLE paces ADD COLUMN version bigint NOT NULL DEFAULT 0, ADD COLUMN state text;

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
