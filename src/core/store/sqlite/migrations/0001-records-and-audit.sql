-- Times are in milliseconds since 1970. Bodies are JSON as text: what people type comes back as it was.
CREATE TABLE payments (
  id TEXT NOT NULL UNIQUE,
  version INTEGER NOT NULL CHECK (version > 0),
  body TEXT NOT NULL,
  -- Of the digest of the body that stands in the audit; a new one with each version.
  salt BLOB NOT NULL,
  state TEXT NOT NULL,
  customer_number TEXT NOT NULL,
  requester TEXT NOT NULL,
  currency TEXT NOT NULL,
  amount_minor INTEGER NOT NULL,
  flag TEXT,
  confirmed_ms INTEGER NOT NULL,
  -- When it was confirmed or settled, whichever is later.
  ended_ms INTEGER NOT NULL,
  -- Whether it is in a queue of due work: which one and when is in the body.
  is_due INTEGER NOT NULL CHECK (is_due IN (0, 1))
) STRICT;

-- Payments are listed by id, newest first.
CREATE INDEX payments_by_state ON payments (state, id);
CREATE INDEX payments_by_customer ON payments (customer_number, id);
CREATE INDEX payments_by_requester ON payments (requester, id);
CREATE INDEX payments_by_end ON payments (ended_ms, id);
CREATE INDEX payments_flagged ON payments (flag, id) WHERE flag IS NOT NULL;
CREATE INDEX payments_due ON payments (id) WHERE is_due = 1;

CREATE TRIGGER payments_stay BEFORE DELETE ON payments BEGIN
  SELECT RAISE(ABORT, 'a payment is never deleted');
END;

-- Every other record; they come and go.
CREATE TABLE records (
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL CHECK (version > 0),
  body TEXT NOT NULL,
  UNIQUE (kind, id)
) STRICT;

-- Who did what to which record, in the order of writing: numbered from 1 for each record, each row with a hash over
-- the one before. An entry has digests in the place of what may be about a customer.
CREATE TABLE audit (
  position INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  entry TEXT NOT NULL,
  hash BLOB NOT NULL,
  UNIQUE (id, kind, seq)
) STRICT;

CREATE TRIGGER audit_is_not_changed BEFORE UPDATE ON audit BEGIN
  SELECT RAISE(ABORT, 'the audit trail is never changed');
END;
CREATE TRIGGER audit_is_not_deleted BEFORE DELETE ON audit BEGIN
  SELECT RAISE(ABORT, 'the audit trail is never deleted');
END;

-- What a row tells beside that: a callback's body, the service's words. Deleted when the customer is forgotten.
CREATE TABLE audit_details (
  position INTEGER PRIMARY KEY REFERENCES audit (position),
  salt BLOB NOT NULL,
  detail TEXT NOT NULL
) STRICT;

CREATE TRIGGER audit_details_are_not_changed BEFORE UPDATE ON audit_details BEGIN
  SELECT RAISE(ABORT, 'a detail of the audit trail is deleted or kept, and never changed');
END;

-- Whom the audit rows of drafts and SMS are about, which outlive the records. A story is the id of a payment, a
-- draft or an SMS; the customer is a number, or the pseudonym after they were forgotten.
CREATE TABLE customer_stories (
  customer TEXT NOT NULL,
  story TEXT NOT NULL,
  since_ms INTEGER NOT NULL,
  UNIQUE (customer, story)
) STRICT;

CREATE INDEX customer_stories_by_story ON customer_stories (story);
CREATE INDEX customer_stories_by_age ON customer_stories (since_ms, story);
