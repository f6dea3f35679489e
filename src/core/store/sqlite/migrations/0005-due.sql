-- What is due, as the bodies say it: read by the queues, oldest first. A body that is no JSON stops no write and no start
-- here: the program names the record.
CREATE INDEX payments_queued ON payments (
  CASE WHEN json_valid(body) THEN body ->> '$.due.queue' END, CASE WHEN json_valid(body) THEN body ->> '$.due.atMs' END, id
) WHERE is_due = 1;
CREATE INDEX records_queued ON records (
  CASE WHEN json_valid(body) THEN body ->> '$.due.queue' END, CASE WHEN json_valid(body) THEN body ->> '$.due.atMs' END, kind, id
) WHERE CASE WHEN json_valid(body) THEN body ->> '$.due.queue' END IS NOT NULL;
DROP INDEX payments_due;
