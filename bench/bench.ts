import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Child } from './child.ts';
import type { LoadPlan, LoadResult } from './load/plan.ts';

export type Size = {
  readonly rounds: number;
  readonly sliceMs: number;
  /** Payments of a long history. */
  readonly manyPayments: number;
  /** Among so many payments some are searched for. */
  readonly foundPayments: number;
};

export const FULL: Size = {
  rounds: 7,
  sliceMs: 1_500,
  manyPayments: 100_000,
  foundPayments: 1_000_000,
};
export const QUICK: Size = { rounds: 1, sliceMs: 500, manyPayments: 5_000, foundPayments: 20_000 };

/** What every figure is given. */
export type Bench = Size & { readonly log: (line: string) => void };

/** A generator process; one slice at a time. */
export class Load {
  readonly #child: Child;
  readonly #folder: string;
  #files = 0;

  private constructor(child: Child, folder: string) {
    this.#child = child;
    this.#folder = folder;
  }

  static async start(folder: string): Promise<Load> {
    return new Load(await Child.fork('bench/load/generator.ts'), folder);
  }

  /** Rejects when anything was answered with another status than 200. */
  async run(
    requests: readonly string[],
    plan: Omit<LoadPlan, 'requestsFile'>,
  ): Promise<LoadResult> {
    const requestsFile = join(this.#folder, `requests-${process.pid}-${this.#files++ % 8}.json`);
    writeFileSync(requestsFile, JSON.stringify(requests));
    const result = await this.#child.ask<LoadResult>({ ...plan, requestsFile });
    if (Object.keys(result.refused).length > 0)
      throw new Error(`answers other than 200: ${JSON.stringify(result.refused)}`);
    return result;
  }

  stop(): Promise<void> {
    return this.#child.stop();
  }
}

/** Stops what it was given, last one first, whatever happened. */
export const withStops = async <T>(
  use: (keep: <S extends { stop(): Promise<void> }>(started: S) => S) => Promise<T>,
): Promise<T> => {
  const started: { stop(): Promise<void> }[] = [];
  try {
    return await use((one) => {
      started.push(one);
      return one;
    });
  } finally {
    for (const one of started.reverse()) await one.stop();
  }
};
