import type { Clock } from '../runtime/clock.ts';

type Asked<T> = { readonly atMs: number; readonly answer: Promise<T>; isPending: boolean };

/** The same question, asked once in `everyMs` at most: callers in between share the answer, or its failure. */
export const sharedAnswer = <T>(
  ask: () => Promise<T>,
  everyMs: number,
  clock: Pick<Clock, 'monotonic'>,
): (() => Promise<T>) => {
  let last: Asked<T> | undefined;
  return () => {
    const nowMs = clock.monotonic();
    if (last !== undefined && (last.isPending || nowMs - last.atMs < everyMs)) return last.answer;
    const asked: Asked<T> = { atMs: nowMs, answer: ask(), isPending: true };
    const ended = () => {
      asked.isPending = false;
    };
    asked.answer.then(ended, ended);
    last = asked;
    return asked.answer;
  };
};
