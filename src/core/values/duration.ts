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

const NAMED_UNITS = [
  { name: 'day', seconds: 86_400 },
  { name: 'hour', seconds: 3_600 },
  { name: 'minute', seconds: 60 },
  { name: 'second', seconds: 1 },
] as const;

/** For people, in the two largest units: `10 minutes`, `1 hour 30 minutes`. */
export const formatDuration = (ms: number): string => {
  if (ms > 0 && ms < 1_000) return 'less than a second';
  let restSeconds = Math.round(Math.max(ms, 0) / 1_000);
  const first = NAMED_UNITS.findIndex(({ seconds }) => restSeconds >= seconds);
  if (first < 0) return '0 seconds';
  const words: string[] = [];
  for (const { name, seconds } of NAMED_UNITS.slice(first, first + 2)) {
    const count = Math.floor(restSeconds / seconds);
    restSeconds -= count * seconds;
    if (count > 0) words.push(`${count} ${name}${count === 1 ? '' : 's'}`);
  }
  return words.join(' ');
};
