import { createHash } from 'node:crypto';
import { type BulkPage, type BulkRow, pageId, ROWS_PER_PAGE } from '../records/bulk.ts';
import { KEEP_DRAFT_MS } from '../records/draft.ts';
import type { Put } from '../records/records.ts';
import type { SmsBatch } from '../records/sms-batch.ts';
import type { Store } from '../store/store.ts';

/** Looked at again after this, while the run of the rows goes on; and how long they are kept after its end. */
const KEEP_MS = KEEP_DRAFT_MS;

/** The rows of a file, for the commit that stores its dry run, and the digest of each page. */
export const pagesOf = (
  rows: readonly BulkRow[],
  { of, run, nowMs }: { readonly of: string; readonly run: string; readonly nowMs: number },
): { readonly puts: readonly Put[]; readonly digests: readonly string[] } => {
  const pages: BulkPage[] = [];
  for (let from = 0; from < rows.length; from += ROWS_PER_PAGE)
    pages.push({
      id: pageId(of, pages.length),
      version: 1,
      due: { queue: 'tidy', atMs: nowMs + KEEP_MS },
      of,
      run,
      rows: rows.slice(from, from + ROWS_PER_PAGE),
    });
  return {
    puts: pages.map((record) => ({ kind: 'rows', record })),
    digests: pages.map(digestOf),
  };
};

const digestOf = ({ rows }: Pick<BulkPage, 'rows'>): string =>
  createHash('sha256').update(JSON.stringify(rows)).digest('base64url');

type Paged = { readonly draftId: string; readonly terms: { readonly pages: readonly string[] } };

/** The rows of a page as they were shown; undefined: they are gone, or were changed in the store. */
export const readPage = async (
  store: Pick<Store, 'get'>,
  { draftId, terms }: Paged,
  page: number,
): Promise<readonly BulkRow[] | undefined> => {
  const stored = await store.get('rows', pageId(draftId, page));
  return stored !== undefined && digestOf(stored) === terms.pages[page] ? stored.rows : undefined;
};

/** The row at a place, counted from 0; undefined as with its page. */
export const readRow = async (
  store: Pick<Store, 'get'>,
  paged: Paged,
  at: number,
): Promise<BulkRow | undefined> =>
  (await readPage(store, paged, Math.floor(at / ROWS_PER_PAGE)))?.[at % ROWS_PER_PAGE];

/**
 * Removes rows, and SMS of rows, that are not needed any more: of a dry run that was not confirmed, or a day after the
 * end of the run.
 */
export const tidyRows = async (
  store: Store,
  { kind, record }: Extract<Put, { kind: 'rows' | 'sms' }>,
  nowMs: number,
): Promise<void> => {
  const { id, version } = record;
  const due = { queue: 'tidy', atMs: nowMs + KEEP_MS } as const;
  await store.commit(
    (await isNeeded(store, record, nowMs))
      ? { put: [{ kind, record: { ...record, version: version + 1, due } } as Put] }
      : { remove: [{ kind, id, version }] },
  );
};

const isNeeded = async (
  store: Pick<Store, 'get'>,
  record: BulkPage | SmsBatch,
  nowMs: number,
): Promise<boolean> => {
  const id = 'rows' in record ? record.run : record.bulk?.run;
  const run = id === undefined ? undefined : await store.get('bulk', id);
  if (run === undefined || ('rows' in record && run.draftId !== record.of)) return false;
  return run.endedAtMs === undefined || nowMs - run.endedAtMs < KEEP_MS;
};
