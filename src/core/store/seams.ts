import { FORGOTTEN_ID } from '../privacy/forgotten-records.ts';
import type { AuditRow, Put, Setting } from '../records/records.ts';

/** A month of the journal that was made anew, so that the month behind it follows what it was before. */
export type Seam = {
  readonly file: string;
  /** The hash that the month behind it follows. */
  readonly was: string;
  /** The hash it ends with. */
  readonly is: string;
};

/** What the store keeps of its seams, so that a start need not read the whole journal to know them. */
export const SEAMS_ID = 'seams';

const seamsIn = (setting: Setting | undefined): readonly Seam[] =>
  // Only Paythread writes it.
  setting === undefined ? [] : (JSON.parse(setting.value) as Seam[]);

/** Nothing, where there are none and never were. */
export const seamsPut = (seams: readonly Seam[], earlier: Setting | undefined): Put[] => {
  const version = (earlier?.version ?? 0) + 1;
  if (version === 1 && seams.length === 0) return [];
  return [{ kind: 'setting', record: { id: SEAMS_ID, version, value: JSON.stringify(seams) } }];
};

/** The setting as it stands after some puts; undefined: they say nothing of it. */
export const seamsAmong = (puts: readonly Put[] = []): readonly Seam[] | undefined => {
  const put = puts.find(({ kind, record }) => kind === 'setting' && record.id === SEAMS_ID);
  return put?.kind === 'setting' ? seamsIn(put.record) : undefined;
};

export const isSame = (one: Seam, other: Seam): boolean =>
  one.file === other.file && one.was === other.was && one.is === other.is;

/** The months that an audit row says were made anew: each with the hash before and after. */
export const remadeIn = ({ kind, id, detail }: AuditRow): readonly Seam[] => {
  const files = kind === 'setting' && id === FORGOTTEN_ID ? detail?.['files'] : undefined;
  return Array.isArray(files) ? files.filter(isSeam) : [];
};

const isSeam = (value: unknown): value is Seam => {
  const { file, was, is } = (value ?? {}) as Partial<Record<keyof Seam, unknown>>;
  return [file, was, is].every((text) => typeof text === 'string');
};

/** Whether a month that ended with one hash was made anew, once or oftener, until it ended with the other. */
export const leadsTo = ({ file, was, is }: Seam, remade: readonly Seam[]): boolean => {
  const reached = new Set([was]);
  for (const one of remade) if (one.file === file && reached.has(one.was)) reached.add(one.is);
  return reached.has(is);
};
