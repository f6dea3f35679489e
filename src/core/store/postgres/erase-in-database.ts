import type { Client } from 'pg';
import type { Change, Kind, Put, Records } from '../../records/records.ts';
import type { Clock } from '../../runtime/clock.ts';
import { numberParts } from '../../values/customer-number.ts';
import type {
  Customer,
  CustomerErasure,
  DetailedRow,
  EndedBefore,
  EndedPayment,
  Erased,
  InErasure,
} from '../customer-erasure.ts';
import { auditRowOf } from '../sql/audit-entry.ts';
import { commitOn } from './change-statement.ts';
import { inTransaction } from './database.ts';
import { inDatabase } from './in-database.ts';

/** Others that hold what is wanted here, or a connection that was cut. */
const MOST_TRIES = 5;

/**
 * Erases in one transaction, while instances work with the database.
 * @throws {StartError} when the database cannot be had, or its role may not do this.
 */
export const eraseInDatabase =
  ({ url, clock }: { readonly url: string; readonly clock: Clock }): InErasure =>
  (work) =>
    inDatabase(
      url,
      (client) => inTransaction(client, () => work(new DatabaseErasure(client, clock))),
      MOST_TRIES,
    );

type RecordRow = { readonly kind: Kind; readonly body: Put['record'] };
type DetailRow = { readonly position: number; readonly entry: string; readonly detail: string };

const DETAILS =
  'SELECT position::float8 AS position, entry, detail FROM audit_details JOIN audit USING (position)';
/** The rows of a story, as `STORY` has them. */
const OF_STORY = `(audit.id = story.id OR (audit.id > story.id || '.' AND audit.id < story.id || '/'))`;

/** By the index `payments_to_forget`. */
export const ENDED_PAYMENTS = `SELECT ended_ms::float8 AS "endedMs", body AS payment FROM payments
  WHERE kind = 'payment' AND (ended_ms, id) > ($1, $2) AND ended_ms < $3
    AND customer_number LIKE '+%' AND due_queue IS NULL
  ORDER BY ended_ms, id LIMIT $4`;

class DatabaseErasure implements CustomerErasure {
  readonly #client: Client;
  readonly #clock: Clock;

  constructor(client: Client, clock: Clock) {
    this.#client = client;
    this.#clock = clock;
  }

  async get<K extends Kind>(kind: K, id: string): Promise<Records[K] | undefined> {
    const [row] = await this.#rows<{ body: Records[K] }>(
      'SELECT body FROM records WHERE kind = $1 AND id = $2',
      [kind, id],
    );
    return row?.body;
  }

  async records({ number, pseudonym }: Customer): Promise<Put[]> {
    const rows = await this.#rows<RecordRow>(
      `SELECT kind, body FROM records WHERE kind <> 'payment'
        UNION ALL SELECT kind, body FROM payments
          WHERE kind = 'payment' AND (customer_number = ANY ($1) OR body::text ~ $2)`,
      [[number, pseudonym], roughPattern(number)],
    );
    return rows.map(asPut);
  }

  stories({ number, pseudonym }: Customer): Promise<string[]> {
    return this.#stories(
      `SELECT story FROM customer_stories one WHERE customer = ANY ($1) AND NOT EXISTS
        (SELECT FROM customer_stories other WHERE other.story = one.story AND other.customer <> ALL ($1))`,
      [[number, pseudonym]],
    );
  }

  /** An unmatched callback names its customer in its body alone, possibly by name only. */
  detailsAbout({ number }: Customer, stories: ReadonlySet<string>): Promise<DetailedRow[]> {
    return this.#details(
      `${DETAILS} WHERE split_part(id, '.', 1) = ANY ($1) OR detail ~ $2
        OR (kind = 'setting' AND id LIKE 'stray-callbacks.%')`,
      [[...stories], roughPattern(number)],
    );
  }

  detailsIn(stories: Iterable<string>): Promise<DetailedRow[]> {
    return this.#details(
      `SELECT position::float8 AS position, entry, detail FROM unnest($1::text[]) AS story (id)
        JOIN audit ON ${OF_STORY} JOIN audit_details USING (position)`,
      [[...stories]],
    );
  }

  endedPayments({
    beforeMs,
    after,
    limit,
  }: EndedBefore & { readonly after?: EndedPayment }): Promise<EndedPayment[]> {
    return this.#rows<EndedPayment>(ENDED_PAYMENTS, [
      after?.endedMs ?? Number.MIN_SAFE_INTEGER,
      after?.payment.id ?? '',
      beforeMs,
      limit,
    ]);
  }

  endedStories({ beforeMs, limit }: EndedBefore): Promise<string[]> {
    return this.#stories(
      `SELECT DISTINCT story FROM customer_stories WHERE since_ms < $1 AND NOT EXISTS
        (SELECT FROM payments WHERE kind = 'payment' AND id = story AND customer_number LIKE '+%')
      AND NOT EXISTS (SELECT FROM records WHERE id = story AND kind IN ('draft', 'sms'))
      LIMIT $2`,
      [beforeMs, limit],
    );
  }

  /** Locked, in the order in which all lock. */
  async held(puts: readonly Put[]): Promise<readonly Put[]> {
    const rows = await this.#rows<RecordRow>(
      `SELECT r.kind, r.body FROM records r
        JOIN unnest($1::text[], $2::text[]) AS wanted (kind, id) USING (kind, id)
        ORDER BY r.kind, r.id FOR UPDATE OF r`,
      [puts.map(({ kind }) => kind), puts.map(({ record }) => record.id)],
    );
    return rows.map(asPut);
  }

  async commit(change: Change, { details = [], customer, stories = [] }: Erased): Promise<boolean> {
    if (!(await commitOn(this.#client, change, this.#clock.now()))) return false;
    await this.#rows('DELETE FROM audit_details WHERE position = ANY ($1)', [details]);
    if (customer !== undefined)
      await this.#rows(RENAME_STORIES, [customer.number, customer.pseudonym]);
    if (stories.length > 0) {
      await this.#rows(DELETE_DETAILS_IN, [stories]);
      await this.#rows('DELETE FROM customer_stories WHERE story = ANY ($1)', [stories]);
    }
    return true;
  }

  async #stories(text: string, values: unknown[]): Promise<string[]> {
    return (await this.#rows<{ story: string }>(text, values)).map(({ story }) => story);
  }

  async #details(text: string, values: unknown[]): Promise<DetailedRow[]> {
    const rows = await this.#rows<DetailRow>(text, values);
    return rows.map(({ position, entry, detail }) => ({
      position,
      row: auditRowOf(entry, detail),
    }));
  }

  async #rows<Row extends object>(text: string, values: unknown[]): Promise<Row[]> {
    return (await this.#client.query<Row>(text, values)).rows;
  }
}

const RENAME_STORIES = `
  WITH theirs AS (DELETE FROM customer_stories WHERE customer = $1 RETURNING story, since_ms)
  INSERT INTO customer_stories (customer, story, since_ms) SELECT $2, story, since_ms FROM theirs
  ON CONFLICT DO NOTHING`;

/** A payment's details went with its number. */
const DELETE_DETAILS_IN = `
  DELETE FROM audit_details USING unnest($1::text[]) AS story (id) JOIN audit ON ${OF_STORY}
  WHERE audit_details.position = audit.position
    AND NOT EXISTS (SELECT FROM payments p WHERE p.kind = 'payment' AND p.id = story.id)`;

/**
 * What the server looks for in a text: the digits of a number in their order, close to each other. It finds more than
 * there is, and the rest is decided by the caller.
 */
const roughPattern = (number: string): string =>
  [...numberParts(number).nationalNumber].join('.{0,9}');

/** The body is the record of its kind, as it was committed; the compiler cannot know. */
const asPut = ({ kind, body }: RecordRow): Put => ({ kind, record: body }) as Put;
