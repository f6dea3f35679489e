import type { QueryConfig } from 'pg';
import type { AuditRow } from '../../records/records.ts';
import { STORY, type StoryRow, storyBounds, storyOf } from '../sql/audit-order.ts';
import type { Query } from '../sql/payment-query.ts';
import { isStorableText } from '../sql/storable-text.ts';
import { inDatabase } from './in-database.ts';

/** Asks on a connection of the caller's choosing. */
export type Rows = <Row extends object>(query: QueryConfig) => Promise<Row[]>;

/** A statement that both databases share, whose `?` PostgreSQL wants numbered. */
export const numbered = ({ text, values }: Query): QueryConfig => {
  let number = 0;
  return { text: text.replace(/\?/g, () => `$${++number}`), values: [...values] };
};

/** As `Store.auditOf`. */
export const auditRowsOf = async (rows: Rows, id: string): Promise<AuditRow[]> =>
  isStorableText(id)
    ? storyOf(await rows<StoryRow>(numbered({ text: STORY, values: storyBounds(id) })))
    : [];

/** The same without a store, for readers. */
export const auditInDatabase = (url: string, id: string): Promise<AuditRow[]> =>
  inDatabase(url, (client) => auditRowsOf(async (query) => (await client.query(query)).rows, id));
