const UNIT_MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Milliseconds of `250ms`, `10s`, `5m`, `72h` or `400d`; undefined for anything else. */
export const parseDuration = (text: string): number | undefined => {
  const [, count, unit = ''] = /^(\d{1,12})(ms|s|m|h|d)$/.exec(text.trim()) ?? [];
  const unitMs = UNIT_MS[unit];
  if (count === undefined || unitMs === undefined) return undefined;
  const ms = Number(count) * unitMs;
  return Number.isSafeInteger(ms) ? ms : undefined;
};
