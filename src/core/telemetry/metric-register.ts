import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Makes metrics in a registry. Labels are words from the code, never what a person typed. */
export class MetricRegister {
  readonly #registers: Registry[];

  constructor(registry: Registry) {
    this.#registers = [registry];
  }

  counter<L extends string>(name: string, help: string, labelNames: readonly L[]): Counter<L> {
    return new Counter({ name, help, labelNames, registers: this.#registers });
  }

  gauge<L extends string>(name: string, help: string, labelNames: readonly L[]): Gauge<L> {
    return new Gauge({ name, help, labelNames, registers: this.#registers });
  }

  /** `buckets`: their upper bounds, in seconds. */
  histogram<L extends string>(
    name: string,
    help: string,
    buckets: number[],
    labelNames: readonly L[],
  ): Histogram<L> {
    return new Histogram({ name, help, buckets, labelNames, registers: this.#registers });
  }
}
