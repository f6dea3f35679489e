import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** A registry that makes its metrics. Labels are words from the code, never what a person typed. */
export class MetricRegister extends Registry {
  counter<L extends string>(name: string, help: string, labelNames: readonly L[]): Counter<L> {
    return new Counter({ name, help, labelNames, registers: [this] });
  }

  gauge<L extends string>(name: string, help: string, labelNames: readonly L[]): Gauge<L> {
    return new Gauge({ name, help, labelNames, registers: [this] });
  }

  /** `buckets`: their upper bounds, in seconds. */
  histogram<L extends string>(
    name: string,
    help: string,
    buckets: number[],
    labelNames: readonly L[],
  ): Histogram<L> {
    return new Histogram({ name, help, buckets, labelNames, registers: [this] });
  }
}
