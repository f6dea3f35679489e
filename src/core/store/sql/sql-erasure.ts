import type { Payment } from '../../records/payment.ts';
import type { Change, Kind, Put } from '../../records/records.ts';
import type {
  Customer,
  CustomerErasure,
  DetailedRow,
  EndedBefore,
  EndedPayment,
  Erased,
} from '../customer-erasure.ts';
import { auditRowOf } from './audit-entry.ts';
import { storyBounds } from './audit-order.ts';
import type { Query } from './payment-query.ts';
import { bodyOf, type Sql, type SqlDialect } from './sql.ts';

type RecordRow = { readonly kind: Kind; readonly body: unknown };
type DetailRow = { readonly position: number; readonly entry: string; readonly detail: string };

const DETAILS = `SELECT CAST(position AS double precision) AS position, entry, detail
  FROM audit_details JOIN audit USING (position)`;
/** The rows of a story, as `STORY` has them. */
const OF_STORY = '(id = ? OR (id > ? AND id < ?))';
/** So many values stand in one statement. */
const AT_ONCE = 500;

/** The payments that ended between an id of a time and a time, by the index that has no other payments. */
export const endedPaymentsText = ({ toForget, planning }: SqlDialect): string => {
  const conditions = [
    ...planning.byId,
    "(ended_ms, id) > (?, ?) AND ended_ms < ? AND customer_number LIKE '+%'",
    planning.notDue,
  ];
  return `SELECT CAST(ended_ms AS double precision) AS "endedMs", body FROM ${toForget}
    WHERE ${conditions.join(' AND ')} ORDER BY ended_ms, id LIMIT ?`;
};

type Writer = Pick<CustomerErasure, 'get' | 'held'> & {
  /** Stores the change together with the statements, or nothing. */
  readonly commit: (change: Change, more: readonly Query[]) => Promise<boolean>;
};

export class SqlErasure implements CustomerErasure {
  readonly get: CustomerErasure['get'];
  readonly held: CustomerErasure['held'];
  readonly #sql: Sql;
  readonly #commit: Writer['commit'];

  constructor(sql: Sql, { get, held, commit }: Writer) {
    this.get = get;
    this.held = held;
    this.#sql = sql;
    this.#commit = commit;
  }

  /** Other customers' references and the service's words may have the number. */
  async *records({ number, pseudonym }: Customer): AsyncGenerator<Put> {
    const { bodyText, mayMention, planning } = this.#sql.dialect;
    const mention = mayMention(bodyText, number);
    const isTheirs = `(customer_number IN (?, ?) OR ${mention.text})`;
    const rows = this.#sql.stream<RecordRow>({
      text: `SELECT kind, body FROM records WHERE kind <> 'payment' UNION ALL
        SELECT 'payment', body FROM payments WHERE ${[...planning.byId, isTheirs].join(' AND ')}`,
      values: [number, pseudonym, ...mention.values],
    });
    for await (const row of rows) yield asPut(row);
  }

  stories({ number, pseudonym }: Customer): Promise<string[]> {
    return this.#stories(
      `SELECT story FROM customer_stories one WHERE customer IN (?, ?) AND NOT EXISTS
        (SELECT 1 FROM customer_stories other WHERE other.story = one.story AND other.customer NOT IN (?, ?))`,
      [number, pseudonym, number, pseudonym],
    );
  }

  /** An unmatched callback names its customer in its body alone, possibly by name only. */
  async *detailsAbout(
    { number }: Customer,
    stories: Iterable<string>,
  ): AsyncGenerator<DetailedRow> {
    yield* this.detailsIn(stories);
    const { text, values } = this.#sql.dialect.mayMention('detail', number);
    const isTold = `${text} OR (kind = 'setting' AND id LIKE 'stray-callbacks.%')`;
    yield* this.#details({ text: `${DETAILS} WHERE ${isTold}`, values });
  }

  async *detailsIn(stories: Iterable<string>): AsyncGenerator<DetailedRow> {
    for (const story of stories)
      yield* this.#details({ text: `${DETAILS} WHERE ${OF_STORY}`, values: storyBounds(story) });
  }

  async endedPayments({
    beforeMs,
    after,
    limit,
  }: EndedBefore & { readonly after?: EndedPayment }): Promise<EndedPayment[]> {
    const rows = await this.#sql.rows<{ endedMs: number; body: unknown }>({
      text: endedPaymentsText(this.#sql.dialect),
      values: [after?.endedMs ?? Number.MIN_SAFE_INTEGER, after?.payment.id ?? '', beforeMs, limit],
    });
    return rows.map(({ endedMs, body }) => ({ endedMs, payment: bodyOf<Payment>(body) }));
  }

  endedStories({ beforeMs, limit }: EndedBefore): Promise<string[]> {
    return this.#stories(
      `SELECT DISTINCT story FROM customer_stories WHERE since_ms < ? AND NOT EXISTS
        (SELECT 1 FROM payments WHERE ${this.#byId('story')} AND customer_number LIKE '+%')
      AND NOT EXISTS (SELECT 1 FROM records WHERE id = story AND kind IN ('draft', 'sms'))
      LIMIT ?`,
      [beforeMs, limit],
    );
  }

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
    return [...this.#sql.dialect.planning.byId, `payments.id = ${id}`].join(' AND ');
  }

  async #stories(text: string, values: Query['values']): Promise<string[]> {
    return (await this.#sql.rows<{ story: string }>({ text, values })).map(({ story }) => story);
  }

  async *#details(query: Query): AsyncGenerator<DetailedRow> {
    for await (const { position, entry, detail } of this.#sql.stream<DetailRow>(query))
      yield { position, row: auditRowOf(entry, detail) };
  }
}

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

/** The body is the record of its kind, as it was committed; the compiler cannot know. */
export const asPut = ({ kind, body }: RecordRow): Put => ({ kind, record: bodyOf(body) }) as Put;
