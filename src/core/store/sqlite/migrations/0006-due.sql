-- Which queue of due work a record is in, and when it is due, beside its body: read in this order from the indexes.
ALTER TABLE payments ADD COLUMN queue TEXT;
ALTER TABLE payments ADD COLUMN due_ms INTEGER;
ALTER TABLE records ADD COLUMN queue TEXT;
ALTER TABLE records ADD COLUMN due_ms INTEGER;

UPDATE payments SET queue = body ->> '$.due.queue', due_ms = CAST(body ->> '$.due.atMs' AS INTEGER)
  WHERE is_due = 1 AND json_valid(body);
UPDATE records SET queue = body ->> '$.due.queue', due_ms = CAST(body ->> '$.due.atMs' AS INTEGER)
  WHERE json_valid(body) AND body ->> '$.due.queue' IS NOT NULL;

DROP INDEX payments_due;
CREATE INDEX payments_queued ON payments (queue, due_ms, id) WHERE queue IS NOT NULL;
CREATE INDEX records_queued ON records (queue, due_ms, kind, id) WHERE queue IS NOT NULL;
