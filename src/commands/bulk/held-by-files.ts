import type { BulkRun } from '../../core/records/bulk.ts';

/** `held by the paused file dues.csv`, `held by the running file dues.csv and 2 more`. */
export const heldText = ([first, ...others]: readonly BulkRun[]): string => {
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return `held by the ${first?.status} file ${first?.terms.fileName}${more}`;
};
