import type { Clock } from '../runtime/clock.ts';
import { InFlight } from '../runtime/in-flight.ts';
import type { Answer } from './answer.ts';

export type Health = {
  /** How late the oldest due work is, in ms; 0 when nothing is late. */
  lateMs(): Promise<number>;
  /** What is missing until the program is ready; empty when it is. */
  missing(): string[];
  /** Prometheus text. */
  metrics(): Promise<string>;
};

export type Page = () => Promise<Answer>;

export type PagePath = '/healthz' | '/readyz' | '/metrics';

const TOO_LATE_MS = 120_000;
/** Who asks more often shares an answer: it costs several queries of the store. */
const ASKED_EVERY_MS = 1_000;

/** Health and metrics for operators and their scrapers, by path. */
export const healthPages = (
  health: Health,
  clock: Pick<Clock, 'monotonic'>,
): ReadonlyMap<PagePath, Page> => {
  const healthz = async (): Promise<Answer> => {
    const lateMs = await health.lateMs();
    const ok = lateMs <= TOO_LATE_MS;
    return json(ok, { ok, lateSeconds: Math.round(lateMs / 1000) });
  };
  const readyz = async (): Promise<Answer> => {
    const missing = health.missing();
    const ready = missing.length === 0;
    return json(ready, ready ? { ready } : { ready, missing });
  };
  const metrics = async (): Promise<Answer> => ({
    status: 200,
    type: 'text/plain; version=0.0.4; charset=utf-8',
    text: await health.metrics(),
  });
  return new Map<PagePath, Page>([
    ['/healthz', sharedAnswer(healthz, ASKED_EVERY_MS, clock)],
    ['/readyz', readyz],
    ['/metrics', sharedAnswer(metrics, ASKED_EVERY_MS, clock)],
  ]);
};

const json = (ok: boolean, value: object): Answer => ({
  status: ok ? 200 : 503,
  type: 'application/json',
  text: JSON.stringify(value),
});

/** The same question, asked once in `everyMs` at most: callers in between share the answer, or its failure. */
export const sharedAnswer = <T>(
  ask: () => Promise<T>,
  everyMs: number,
  clock: Pick<Clock, 'monotonic'>,
): (() => Promise<T>) => {
  const asking = new InFlight();
  let last: { readonly atMs: number; readonly answer: Promise<T> } | undefined;
  return () => {
    const nowMs = clock.monotonic();
    if (last === undefined || (asking.size === 0 && nowMs - last.atMs >= everyMs))
      last = { atMs: nowMs, answer: asking.add(ask()) };
    return last.answer;
  };
};
