/**
 * How long a test waits for what never comes, in ms. A passing test never waits for it, so it is longer than the slowest
 * machine needs; `npm run mutants` shortens it, because there most tests are to fail.
 * @default 120,000
 */
export const PATIENCE_MS = Number(process.env['TEST_PATIENCE_MS'] ?? 120_000);
