import type { AuditRow } from '../../records/records.ts';
import { STORY, type StoryRow, storyBounds, storyOf } from '../sql/audit-order.ts';
import { isStorableText } from '../sql/storable-text.ts';
import { inDatabase } from './in-database.ts';
import { numbered, type Rows } from './query.ts';

/** As `Store.auditOf`. */
export const auditRowsOf = async (rows: Rows, id: string): Promise<AuditRow[]> =>
  isStorableText(id)
    ? storyOf(await rows<StoryRow>(numbered({ text: STORY, values: storyBounds(id) })))
    : [];

/** The same without a store, for whoever only looks. */
export const auditInDatabase = (url: string, id: string): Promise<AuditRow[]> =>
  inDatabase(url, (client) => auditRowsOf(async (query) => (await client.query(query)).rows, id));
