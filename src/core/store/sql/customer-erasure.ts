import type { Payment } from '../../records/payment.ts';
import { type AuditRow, type Change, type Kind, type Put, putOf } from '../../records/records.ts';
import { auditRowOf } from './audit-entry.ts';
import { storyBounds } from './audit-order.ts';
import { bodyOf, type Query, type Sql, type SqlDialect } from './sql.ts';
import { SqlReader } from './sql-reader.ts';

/** Whose number it is, as it is stored, and what replaces it. */
export type Customer = { readonly number: string; readonly pseudonym: string };

/** Under this id the audit has a row for each time that customers were forgotten. */
export const FORGOTTEN_ID = 'forgotten';

/** An audit row whose detail is stored, and the position of both. */
export type DetailedRow = { readonly position: number; readonly row: AuditRow };

/** A payment and when it ended, which is what they are listed by. */
export type EndedPayment = { readonly endedMs: number; readonly payment: Payment };

/** What goes with the change that takes customers out of records. */
export type Erased = {
  /** Positions of the details that are deleted. */
  readonly details?: readonly number[];
  /** Whose stories are theirs under the pseudonym from now on. */
  readonly customer?: Customer;
  /** Stories whose details are deleted, unless they are payments, together with whom they were about. */
  readonly stories?: readonly string[];
};

type RecordRow = { readonly kind: Kind; readonly body: unknown };
type DetailRow = { readonly position: number; readonly entry: string; readonly detail: string };

const DETAILS = `SELECT CAST(position AS double precision) AS position, entry, detail
  FROM audit_details JOIN audit USING (position)`;
/** The rows of a story, as `STORY` has them. */
const OF_STORY = '(id = ? OR (id > ? AND id < ?))';
/** So many values stand in one statement. */
const AT_ONCE = 500;
/** Others wait while a batch of what ended is written. */
const ENDED_AT_ONCE = 50;

/** The payments that ended between an id of a time and a time, by the index that has no other payments. */
export const endedPaymentsText = ({ toForget, byId, notDue }: SqlDialect): string => {
  const conditions = [
    ...byId,
    "(ended_ms, id) > (?, ?) AND ended_ms < ? AND customer_number LIKE '+%'",
    notDue,
  ];
  return `SELECT CAST(ended_ms AS double precision) AS "endedMs", body FROM ${toForget}
    WHERE ${conditions.join(' AND ')} ORDER BY ended_ms, id LIMIT ?`;
};

type Writer = {
  /** The records as they are now. `commit` answers `false` if they were changed meanwhile. */
  readonly held: (puts: readonly Put[]) => Promise<readonly Put[]>;
  /** Stores the change together with the statements, or nothing. */
  readonly commit: (change: Change, more: readonly Query[]) => Promise<boolean>;
};

/** What the erasure of customers reads from a store, and the one write that does it. */
export class CustomerErasure extends SqlReader<Sql> {
  readonly held: Writer['held'];
  readonly #commit: Writer['commit'];

  constructor(sql: Sql, { held, commit }: Writer) {
    super(sql);
    this.held = held;
    this.#commit = commit;
  }

  /**
   * Every record that may mention a customer; more than do. Other customers' references and the service's words may have
   * the number.
   */
  async *records({ number, pseudonym }: Customer): AsyncGenerator<Put> {
    const { bodyText, mayMention, byId } = this.sql.dialect;
    const mention = mayMention(bodyText, number);
    const isTheirs = `(customer_number IN (?, ?) OR ${mention.text})`;
    const rows = this.sql.stream<RecordRow>({
      text: `SELECT kind, body FROM records WHERE kind <> 'payment' UNION ALL
        SELECT 'payment', body FROM payments WHERE ${[...byId, isTheirs].join(' AND ')}`,
      values: [number, pseudonym, ...mention.values],
    });
    for await (const row of rows) yield asPut(row);
  }

  /** Stories about that customer alone: an SMS to several people is not theirs. */
  stories({ number, pseudonym }: Customer): Promise<string[]> {
    return this.#stories(
      `SELECT story FROM customer_stories one WHERE customer IN (?, ?) AND NOT EXISTS
        (SELECT 1 FROM customer_stories other WHERE other.story = one.story AND other.customer NOT IN (?, ?))`,
      [number, pseudonym, number, pseudonym],
    );
  }

  /**
   * The detailed rows that may mention a customer, or belong to one of their stories; more than do. An unmatched callback
   * names its customer in its body alone, possibly by name only.
   */
  async *detailsAbout(
    { number }: Customer,
    stories: Iterable<string>,
  ): AsyncGenerator<DetailedRow> {
    yield* this.detailsIn(stories);
    const { text, values } = this.sql.dialect.mayMention('detail', number);
    const isTold = `${text} OR (kind = 'setting' AND id LIKE 'stray-callbacks.%')`;
    yield* this.#details({ text: `${DETAILS} WHERE ${isTold}`, values });
  }

  /** The detailed rows of stories. */
  async *detailsIn(stories: Iterable<string>): AsyncGenerator<DetailedRow> {
    for (const story of stories)
      yield* this.#details({ text: `${DETAILS} WHERE ${OF_STORY}`, values: storyBounds(story) });
  }

  /** The first payments that ended before a time and still name a customer, in the order of their end. */
  async endedPayments(beforeMs: number, after?: EndedPayment): Promise<EndedPayment[]> {
    const afterMs = after?.endedMs ?? Number.MIN_SAFE_INTEGER;
    const rows = await this.sql.rows<{ endedMs: number; body: unknown }>({
      text: endedPaymentsText(this.sql.dialect),
      values: [afterMs, after?.payment.id ?? '', beforeMs, ENDED_AT_ONCE],
    });
    return rows.map(({ endedMs, body }) => ({ endedMs, payment: bodyOf<Payment>(body) }));
  }

  /** Some stories from before a time, of payments without a customer and of what is no record any more. */
  endedStories(beforeMs: number): Promise<string[]> {
    return this.#stories(
      `SELECT DISTINCT story FROM customer_stories WHERE since_ms < ? AND NOT EXISTS
        (SELECT 1 FROM payments WHERE ${this.#byId('story')} AND customer_number LIKE '+%')
      AND NOT EXISTS (SELECT 1 FROM records WHERE id = story AND kind IN ('draft', 'sms'))
      LIMIT ?`,
      [beforeMs, ENDED_AT_ONCE],
    );
  }

  /** `false`: a record had another version than expected, and nothing was stored. */
  commit(change: Change, { details = [], customer, stories = [] }: Erased): Promise<boolean> {
    return this.#commit(change, [
      ...deletions(details),
      ...(customer === undefined ? [] : renamed(customer)),
      ...stories.flatMap((story) => this.#withoutDetails(story)),
    ]);
  }

  /** A payment's details went with its number. */
  #withoutDetails(story: string): Query[] {
    return [
      {
        text: `DELETE FROM audit_details WHERE position IN (SELECT position FROM audit WHERE ${OF_STORY})
          AND NOT EXISTS (SELECT 1 FROM payments WHERE ${this.#byId('?')})`,
        values: [...storyBounds(story), story],
        isKept: true,
      },
      { text: 'DELETE FROM customer_stories WHERE story = ?', values: [story], isKept: true },
    ];
  }

  #byId(id: string): string {
    return [...this.sql.dialect.byId, `payments.id = ${id}`].join(' AND ');
  }

  async #stories(text: string, values: Query['values']): Promise<string[]> {
    return (await this.sql.rows<{ story: string }>({ text, values })).map(({ story }) => story);
  }

  async *#details(query: Query): AsyncGenerator<DetailedRow> {
    for await (const { position, entry, detail } of this.sql.stream<DetailRow>(query))
      yield { position, row: auditRowOf(entry, detail) };
  }
}

/** Runs `work` in one transaction where the store has such: it is stored when `work` resolves, and undone when it rejects. */
export type InErasure = <T>(work: (store: CustomerErasure) => Promise<T>) => Promise<T>;

const deletions = (details: readonly number[]): Query[] =>
  Array.from({ length: Math.ceil(details.length / AT_ONCE) }, (_, batch) => {
    const values = details.slice(batch * AT_ONCE, (batch + 1) * AT_ONCE);
    const positions = values.map(() => '?').join(', ');
    return { text: `DELETE FROM audit_details WHERE position IN (${positions})`, values };
  });

const renamed = ({ number, pseudonym }: Customer): Query[] => [
  {
    text: `INSERT INTO customer_stories (customer, story, since_ms)
      SELECT ?, story, since_ms FROM customer_stories WHERE customer = ? ON CONFLICT DO NOTHING`,
    values: [pseudonym, number],
  },
  { text: 'DELETE FROM customer_stories WHERE customer = ?', values: [number] },
];

export const asPut = ({ kind, body }: RecordRow): Put => putOf(kind, bodyOf(body));
