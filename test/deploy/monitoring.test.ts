import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { systemClock } from '../../src/core/runtime/clock.ts';
import type { Store } from '../../src/core/store/store.ts';
import { Metrics } from '../../src/core/telemetry/metrics.ts';

const text = (file: string): string => readFileSync(file, 'utf8');

/** Every time series that Paythread has, and the labels of each, from a registry as the program makes it. */
const knownSeries = async (): Promise<Map<string, Set<string>>> => {
  const metrics = new Metrics({
    nowMs: () => systemClock.now(),
    info: { version: '0', store: 'embedded' },
    store: emptyStore,
    shops: { currency: 'GHS', merchants: [] },
  });
  const known = new Map<string, Set<string>>();
  for (const { name, type, labelNames } of metrics.described()) {
    const series =
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name];
    for (const each of series)
      known.set(each, new Set([...labelNames, ...(each.endsWith('_bucket') ? ['le'] : [])]));
  }
  return known;
};

const emptyStore: Store = {
  get: async () => undefined,
  commit: async () => true,
  claim: async () => [],
  release: async () => {},
  nextDueMs: async () => undefined,
  countDue: async () => 0,
  onDue: () => () => {},
  listPayments: async () => ({ payments: [] }),
  totalPayments: async () => ({ totals: [], isWhole: true }),
  paymentFigures: async () => [],
  draftsIn: async () => [],
  auditOf: async () => [],
  close: async () => {},
};

/** What Prometheus adds to every series. */
const ADDED_LABELS = ['job', 'instance'];
const NOT_OURS = new Set(['up']);

/** What an expression names that does not exist. */
const unknownIn = (expression: string, known: ReadonlyMap<string, ReadonlySet<string>>) => {
  const unknown: string[] = [];
  for (const [, name = '', selector = ''] of expression.matchAll(
    /\b((?:paythread|process|nodejs)_\w+|up)\b(?:\{([^}]*)\})?/g,
  )) {
    if (NOT_OURS.has(name)) continue;
    const labels = known.get(name);
    if (labels === undefined) unknown.push(name);
    for (const [, label = ''] of selector.matchAll(/(\w+)\s*[=!]~?/g))
      if (labels !== undefined && !labels.has(label) && !ADDED_LABELS.includes(label))
        unknown.push(`${name}{${label}}`);
  }
  const allLabels = new Set([...ADDED_LABELS, ...[...known.values()].flatMap((each) => [...each])]);
  for (const [, labels = ''] of expression.matchAll(/\bby \(([^)]*)\)/g))
    for (const label of labels.split(',').map((each) => each.trim()))
      if (!allLabels.has(label)) unknown.push(`by (${label})`);
  return unknown;
};

let known: Map<string, Set<string>>;
beforeAll(async () => {
  known = await knownSeries();
});

describe('deploy/grafana-dashboard.json', () => {
  const dashboard = z
    .looseObject({
      title: z.literal('Paythread'),
      schemaVersion: z.number(),
      panels: z.array(
        z.looseObject({
          id: z.number(),
          title: z.string(),
          gridPos: z.object({ x: z.number(), y: z.number(), w: z.number(), h: z.number() }),
          targets: z.array(z.looseObject({ expr: z.string() })).optional(),
        }),
      ),
    })
    .parse(JSON.parse(text('deploy/grafana-dashboard.json')));

  it('uses only series and labels that exist', () => {
    const used = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    expect(used.length).toBeGreaterThan(20);
    expect(used.flatMap((expression) => unknownIn(expression, known))).toEqual([]);
  });

  it('shows every number that Paythread has of its own', () => {
    const used = text('deploy/grafana-dashboard.json');
    const ours = [...known.keys()]
      .filter((name) => name.startsWith('paythread_'))
      .map((name) => name.replace(/_(bucket|sum|count)$/, ''));
    expect(ours.length).toBeGreaterThan(15);
    expect([...new Set(ours)].filter((name) => !used.includes(name))).toEqual([]);
  });

  it('has no two panels in one place', () => {
    const ids = dashboard.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, at) => `${x + (at % w)},${y + Math.floor(at / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
  });
});

describe('deploy/alerts.yml', () => {
  const rules = z
    .strictObject({
      groups: z.array(
        z.strictObject({
          name: z.string(),
          rules: z.array(
            z.strictObject({
              alert: z.string().regex(/^Paythread[A-Za-z]+$/),
              expr: z.string(),
              for: z
                .string()
                .regex(/^\d+[smh]$/)
                .optional(),
              labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
              annotations: z.strictObject({
                summary: z.string().endsWith('.'),
                remedy: z.string().endsWith('.').min(30),
              }),
            }),
          ),
        }),
      ),
    })
    .parse(parse(text('deploy/alerts.yml')))
    .groups.flatMap((group) => group.rules);

  it('uses only series and labels that exist', () => {
    expect(rules.length).toBeGreaterThan(10);
    expect(rules.flatMap(({ expr }) => unknownIn(expr, known))).toEqual([]);
  });

  it('is explained in docs/operations.md, rule by rule, and nothing else is', () => {
    const explained = [...text('docs/operations.md').matchAll(/^\| `(Paythread\w+)` \|/gm)];
    expect(explained.map((match) => match[1])).toEqual(rules.map(({ alert }) => alert));
  });
});

describe('the check of these files notices', () => {
  it.each([
    ['paythread_open_payment', ['paythread_open_payment']],
    ['sum by (colour) (paythread_open_payments)', ['by (colour)']],
    ['paythread_open_payments{flag="x"}', ['paythread_open_payments{flag}']],
    ['rate(paythread_gateway_duration_seconds[5m])', ['paythread_gateway_duration_seconds']],
    ['sum by (state) (paythread_open_payments{job=~"$job",state="pending"})', []],
  ])('%s', (expression, unknown) => {
    expect(unknownIn(expression, known)).toEqual(unknown);
  });
});
