/** One time series, such as `paythread_open_payments{state="pending"}`, by its name and labels. */
export type Samples = {
  readonly text: string;
  readonly names: ReadonlySet<string>;
  /** The value of the series with these labels, which may have more; undefined: there is none. Several are added up. */
  value(name: string, labels?: Readonly<Record<string, string>>): number | undefined;
};

/** What `GET /metrics` says on this port of this machine. */
export const metricsOf = async (port: number): Promise<Samples> => {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  if (!response.ok) throw new Error(`/metrics answered ${response.status}`);
  return readSamples(await response.text());
};

/** Reads Prometheus text. */
export const readSamples = (text: string): Samples => {
  const samples = text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name = '', labels = '', value = ''] = /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      return { name, labels, value: Number(value) };
    });
  return {
    text,
    names: new Set(samples.map(({ name }) => name)),
    value: (name, labels = {}) => {
      const wanted = Object.entries(labels).map(([key, value]) => `${key}="${value}"`);
      const found = samples.filter(
        (sample) =>
          sample.name === name && wanted.every((each) => sample.labels.split(',').includes(each)),
      );
      return found.length === 0
        ? undefined
        : found.map(({ value }) => value).reduce((sum, value) => sum + value);
    },
  };
};
