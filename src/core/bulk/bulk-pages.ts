import { createHash } from 'node:crypto';
import { isReportOwed } from '../notices/sms-notices.ts';
import {
  type BulkPage,
  type BulkRow,
  type BulkRun,
  hasUnasked,
  pageId,
  ROWS_PER_PAGE,
} from '../records/bulk.ts';
import { type Draft, KEEP_DRAFT_MS } from '../records/draft.ts';
import type { Put } from '../records/records.ts';
import type { SmsBatch } from '../records/sms-batch.ts';
import type { Store } from '../store/store.ts';

/** Looked at again after this, while the run of the rows goes on; and how long they are kept after its end. */
const KEEP_MS = KEEP_DRAFT_MS;

/** The rows of a file, for the commit that stores its dry run, each time it is shown, and the digest of each page. */
export const pagesOf = async (
  store: Pick<Store, 'get'>,
  rows: readonly BulkRow[],
  { of, run, nowMs }: { readonly of: string; readonly run: string; readonly nowMs: number },
): Promise<{ readonly puts: readonly Put[]; readonly digests: readonly string[] }> => {
  const pages: BulkPage[] = [];
  for (let from = 0; from < rows.length; from += ROWS_PER_PAGE) {
    const id = pageId(of, pages.length);
    const earlier = await store.get('rows', id);
    pages.push({
      id,
      of,
      run,
      version: (earlier?.version ?? 0) + 1,
      due: { queue: 'tidy', atMs: nowMs + KEEP_MS },
      rows: rows.slice(from, from + ROWS_PER_PAGE),
    });
  }
  return {
    puts: pages.map((record) => ({ kind: 'rows', record })),
    digests: pages.map(digestOf),
  };
};

const digestOf = ({ rows }: Pick<BulkPage, 'rows'>): string =>
  createHash('sha256').update(JSON.stringify(rows)).digest('base64url');

type Paged = { readonly draftId: string; readonly terms: { readonly pages: readonly string[] } };

/** The rows of a page as they were shown; undefined: they are gone, or were changed in the store. */
const readPage = async (
  store: Pick<Store, 'get'>,
  { draftId, terms }: Paged,
  page: number,
): Promise<readonly BulkRow[] | undefined> => {
  const stored = await store.get('rows', pageId(draftId, page));
  return stored !== undefined && digestOf(stored) === terms.pages[page] ? stored.rows : undefined;
};

/** All rows as they were shown, each with its place; without those of pages that are gone or were changed. */
export const readRows = async <Row extends BulkRow>(
  store: Pick<Store, 'get'>,
  paged: Paged,
  isOfKind: (row: BulkRow) => row is Row,
): Promise<readonly PlacedRow<Row>[]> => {
  const placed: PlacedRow<Row>[] = [];
  for (const page of paged.terms.pages.keys())
    for (const [at, row] of ((await readPage(store, paged, page)) ?? []).entries())
      if (isOfKind(row)) placed.push({ at: page * ROWS_PER_PAGE + at, row });
  return placed;
};

/** A row with its place in the file, counted from 0. */
export type PlacedRow<Row extends BulkRow> = { readonly at: number; readonly row: Row };

/** The row whose turn it is; undefined as with its page. */
export const readNextRow = async <Row extends BulkRow>(
  store: Pick<Store, 'get'>,
  run: BulkRun,
  isOfKind: (row: BulkRow) => row is Row,
): Promise<Row | undefined> => {
  const rows = await readPage(store, run, Math.floor(run.next / ROWS_PER_PAGE));
  const row = rows?.[run.next % ROWS_PER_PAGE];
  return row !== undefined && isOfKind(row) ? row : undefined;
};

/**
 * Removes rows, and SMS, that are not needed any more: of a dry run that was not confirmed in its time, a day after the
 * end of the run, or once an SMS was reported. Rows that got no payment in it stay as long as payments keep their customers, because the
 * next month asks for all.
 */
export const tidyRows = async (
  store: Store,
  { kind, record }: Extract<Put, { kind: 'rows' | 'sms' }>,
  { nowMs, retainMs }: { readonly nowMs: number; readonly retainMs: number },
): Promise<void> => {
  const { id, version } = record;
  // Before the run: a press in between has made one.
  const draft = 'rows' in record ? await store.get('draft', record.of) : undefined;
  const isAsked = 'rows' in record ? isOpen(draft, nowMs) : await isReportOwed(store, id);
  const run = await runOf(store, record, draft);
  const endedMs = run?.endedAtMs === undefined ? 0 : nowMs - run.endedAtMs;
  const isOver = kind === 'rows' && endedMs >= KEEP_MS;
  const isKept = isOver ? endedMs < retainMs : endedMs < KEEP_MS;
  // Of a run that is over nothing changes but its age.
  const waitMs = isOver ? Math.min(30 * KEEP_MS, Math.max(KEEP_MS, retainMs - endedMs)) : KEEP_MS;
  const next = { version: version + 1, due: { queue: 'tidy', atMs: nowMs + waitMs } } as const;
  const kept: Put =
    kind === 'sms'
      ? { kind, record: { ...record, ...next } }
      : {
          kind,
          record: { ...record, ...next, run: run?.id ?? record.run, ...(isOver ? { isOver } : {}) },
        };
  await store.commit(
    isAsked || (run !== undefined && isKept && (!isOver || hasUnasked(run)))
      ? { put: [kept] }
      : { remove: [{ kind, id, version }] },
  );
};

const isOpen = (draft: Draft | undefined, nowMs: number): boolean =>
  draft !== undefined && draft.closedAtMs === undefined && nowMs < draft.expiresAtMs;

/** The run of these rows; undefined: there is none, or it was confirmed by another dry run. */
const runOf = async (
  store: Pick<Store, 'get'>,
  record: BulkPage | SmsBatch,
  draft: Draft | undefined,
): Promise<BulkRun | undefined> => {
  if (!('rows' in record)) return record.bulk && store.get('bulk', record.bulk.run);
  const run = await store.get('bulk', record.run);
  if (run?.draftId === record.of) return run;
  // Before 0.16 the files of merchants had another key: a question that was open then became a run of another id.
  return draft?.resultId === undefined ? undefined : store.get('bulk', draft.resultId);
};
