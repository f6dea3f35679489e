import type { Draft } from '../../records/draft.ts';
import type { PaymentFilter, PaymentPage, PaymentTotals } from '../../records/payment.ts';
import type { FigureGroup, FiguresAsked, PaymentFigure } from '../../records/payment-figures.ts';
import type { AuditRow, Kind, Records } from '../../records/records.ts';
import type { Person } from '../../values/conversation.ts';
import type { PageAsked } from '../store.ts';
import { STORY, type StoryRow, storyBounds, storyOf } from './audit-order.ts';
import { paymentFiguresQuery } from './payment-figures.ts';
import { whereOf } from './payment-query.ts';
import { pageInSlices, totalsInSlices } from './search-in-slices.ts';
import { bodyOf, type SqlQuestions } from './sql.ts';
import { isStorableText } from './storable-text.ts';

/** What both stores, and those who read beside them, ask in the same statements. */
export class SqlReader<Questions extends SqlQuestions = SqlQuestions> {
  protected readonly sql: Questions;

  constructor(sql: Questions) {
    this.sql = sql;
  }

  async get<K extends Kind>(kind: K, id: string): Promise<Records[K] | undefined> {
    if (!isStorableText(id)) return undefined;
    const text =
      kind === 'payment'
        ? `SELECT body FROM payments ${whereOf([...this.sql.dialect.byId, 'id = ?'])}`
        : 'SELECT body FROM records WHERE id = ? AND kind = ?';
    const values = kind === 'payment' ? [id] : [id, kind];
    const [row] = await this.sql.rows<{ body: unknown }>({ text, values, isKept: true });
    return row && bodyOf<Records[K]>(row.body);
  }

  listPayments(filter: PaymentFilter, page: PageAsked): Promise<PaymentPage> {
    return pageInSlices(this.sql, filter, page);
  }

  totalPayments(filter: PaymentFilter): Promise<PaymentTotals> {
    return totalsInSlices(this.sql, filter);
  }

  paymentFigures<Group extends FigureGroup = never>(
    asked: FiguresAsked<Group>,
  ): Promise<PaymentFigure<Group>[]> {
    return this.sql.rows(paymentFiguresQuery(asked));
  }

  async auditOf(id: string): Promise<AuditRow[]> {
    if (!isStorableText(id)) return [];
    const query = { text: STORY, values: storyBounds(id), isKept: true };
    return storyOf(await this.sql.rows<StoryRow>(query));
  }

  /**
   * The words are looked for in the text of the body, in which a quote that a person typed is escaped: PostgreSQL cannot
   * read a field of a body that has \u0000 in another one. Without an index: drafts are removed a day after their end.
   */
  async draftsIn(status: Draft['status'], requester?: Person): Promise<Draft[]> {
    const { bodyText, position } = this.sql.dialect;
    const values = [
      `"status":"${status}"`,
      requester === undefined ? [] : personText(requester),
    ].flat();
    // Sign by sign.
    const contains = `AND ${position}(${bodyText}, ?) > 0 `.repeat(values.length);
    const text = `SELECT body FROM records WHERE kind = 'draft' ${contains}LIMIT 100`;
    const rows = await this.sql.rows<{ body: unknown }>({ text, values });
    return rows.map(({ body }) => bodyOf(body));
  }
}

const personText = ({ platform, id }: Person): string =>
  `"requester":${JSON.stringify({ platform, id }).slice(0, -1)},`;
