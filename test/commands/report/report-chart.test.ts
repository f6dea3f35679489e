import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DayFigure, sumsOf } from '../../../src/commands/figures/sums.ts';
import type { ReportRow } from '../../../src/commands/figures/sums-by-group.ts';
import { svgToPng } from '../../../src/commands/report/chart-png.ts';
import { type Chart, chartSvg } from '../../../src/commands/report/chart-svg.ts';
import { readReport } from '../../../src/commands/report/read-report.ts';
import type { Report } from '../../../src/commands/report/report-card.ts';
import { chartText, reportChart } from '../../../src/commands/report/report-chart.ts';
import { hostileText } from '../../support/hostile-text.ts';

const moment = { nowMs: Date.parse('2026-11-22T16:00:00Z'), timeZone: 'Africa/Accra' };

const figure = (day: string, amountMinor: number, changes: Partial<DayFigure> = {}): DayFigure => ({
  state: 'completed',
  currency: 'GHS',
  flag: null,
  count: 1,
  amountMinor,
  day: Date.parse(day) / 86_400_000,
  ...changes,
});

const chartOf = (
  words: string,
  figures: readonly DayFigure[],
  rows: readonly ReportRow[] = [],
  more: Partial<Report> = {},
): Chart => {
  const wish = readReport(words, moment);
  if (!wish.ok) throw new Error(wish.problem.message);
  const sums = { now: sumsOf(figures), before: sumsOf([]) };
  const names = { shop: '', currency: 'GHS' };
  const report = { wish: wish.value, ...sums, rows, left: 0, ...names, ...more };
  return reportChart(report, figures, moment);
};

const aChart: Chart = {
  shop: '',
  unit: 'GHS',
  title: 'Report',
  sum: 'GHS 1.00',
  lines: ['1 completed'],
  bars: [],
  isTime: false,
};

/** Width and height of a PNG, and how many different bytes its pixels have. */
const looked = async (chart: Chart) => {
  const bytes = Buffer.from(await svgToPng(chartSvg(chart)).arrayBuffer());
  expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  const data: Buffer[] = [];
  for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at))
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT')
      data.push(bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)));
  const pixels = inflateSync(Buffer.concat(data));
  return {
    width: bytes.readUInt32BE(16),
    height: bytes.readUInt32BE(20),
    shades: new Set(pixels).size,
  };
};

describe('the chart of a report', () => {
  it('writes a long title and a large sum smaller, so that they fit', () => {
    const sizesOf = (title: string, sum: string) =>
      [...chartSvg({ ...aChart, title, sum }).matchAll(/font-size="(\d+)"/g)]
        .slice(0, 2)
        .map(([, size]) => Number(size));
    expect(sizesOf('Report, 22 Nov 2026', 'GHS 1,000,000.00')).toEqual([38, 72]);
    const long = 'TEST · Report, this month, 1 to 22 Nov 2026, by merchant';
    expect(sizesOf(long, 'GHS 1,000,000,000,000.00')).toEqual([31, 58]);
  });

  it('has a column for each hour of one day and for each day of several, days without a payment too', () => {
    const quarter = (Date.parse('2026-11-22T09:15:00Z') / 900_000) | 0;
    const hours = chartOf('today', [{ ...figure('2026-11-22', 5_000), quarter } as DayFigure]);
    expect(hours.bars).toHaveLength(24);
    expect(hours.bars[9]).toEqual({ label: '09:00', height: 50, text: 'GHS 50.00' });
    const days = chartOf('1-15 Nov', [figure('2026-11-01', 5_000), figure('2026-11-15', 100)]);
    expect(days.bars.map(({ height }) => height)).toEqual([50, ...Array(13).fill(0), 1]);
    expect(days.bars.at(-1)?.label).toBe('15 Nov');
  });

  it('puts days together where there are too many for a phone', () => {
    const { bars } = chartOf('2026-01-01..2026-11-22', [
      figure('2026-01-01', 5_000),
      figure('2026-01-06', 5_000),
      figure('2026-11-22', 100),
    ]);
    expect(bars).toHaveLength(55);
    expect([bars[0]?.height, bars.at(-1)?.height]).toEqual([100, 1]);
  });

  it('shows the currency of most payments alone, and names the sums of others', () => {
    const usd = figure('2026-11-20', 99_900, { currency: 'USD' });
    const chart = chartOf('20-21 Nov', [usd, figure('2026-11-20', 5_000, { count: 2 })]);
    expect(chart.sum).toBe('GHS 50.00');
    expect(chart.lines[0]).toBe('3 completed · USD 999.00');
    expect(chart.bars.map(({ height }) => height)).toEqual([50, 0]);
  });

  it('says in picture and words what was given back, and the net, as the card does', () => {
    const given = figure('2026-11-20', 5_000, { givenBackMinor: 5_000 });
    const usd = figure('2026-11-20', 900, { currency: 'USD' });
    const all = chartOf('20-21 Nov', [given]);
    expect(all.lines[0]).toBe('1 completed · GHS 50.00 given back · net GHS 0.00');
    expect(chartText(all)).toMatch(
      /: GHS 50\.00\. 1 completed · GHS 50\.00 given back · net GHS 0/,
    );
    expect(chartOf('20-21 Nov', [{ ...given, count: 2, givenBackMinor: 100 }, usd]).lines[0]).toBe(
      '3 completed · USD 9.00 · GHS 1.00 given back · net GHS 49.00',
    );
  });

  it('shows a row that has nothing in that currency, and a sum of nothing, as zero', () => {
    const usd = sumsOf([figure('2026-11-20', 100, { currency: 'USD' })]);
    const rows = [{ label: 'Osu', sums: usd }];
    expect(chartOf('today by branch', [figure('2026-11-22', 5_000)], rows).bars).toEqual([
      { label: 'Osu', height: 0, text: 'GHS 0.00' },
    ]);
    expect(chartOf('today', []).sum).toBe('GHS 0.00');
  });

  it('says in its alternative text what it shows', () => {
    const chart = chartOf('20-21 Nov', [
      figure('2026-11-20', 5_000),
      figure('2026-11-21', 0, { state: 'failed' }),
    ]);
    expect(chartText(chart)).toBe(
      'Report, 20 to 21 Nov 2026: GHS 50.00. 1 completed. Average: GHS 50.00. Success rate: 50 % (1 of 2 with an outcome). Waiting: 0. In conflict: 0. 18 to 19 Nov: 0 completed · GHS 0.00. 20 Nov GHS 50.00',
    );
  });

  it("is a picture of a phone's width with letters in it, where no font is installed", async () => {
    const empty = await looked({ ...aChart, title: '', sum: '', lines: [] });
    const written = await looked({ ...aChart, title: '', sum: '', lines: ['Nyarkɔ'] });
    expect(written.width).toBe(1080);
    expect(written.shades).toBeGreaterThan(empty.shades + 20);
  });

  it.each([true, false])('is drawn whatever the sums are, in columns: %s', async (isTime) => {
    for (const heights of [
      [0],
      [0.01],
      [3, 7, 9],
      [1e12, 1],
      [36],
      Array.from({ length: 62 }, (_, at) => at),
    ]) {
      const bars = heights.map((height) => ({ label: String(height), height, text: 'GHS' }));
      expect((await looked({ ...aChart, bars, isTime })).height).toBeGreaterThan(300);
    }
  });

  it('names the shop, and the currency above the numbers of its axis', () => {
    const svg = chartSvg(chartOf('today', [figure('2026-11-22', 5_000)], [], { shop: 'A & B' }));
    expect(svg).toContain('>A &#38; B<');
    expect(svg).toContain('>GHS<');
    expect(chartText(chartOf('today', [], [], { shop: 'A & B' }))).toMatch(
      /^Report, .*GHS 0\.00\. .*\. A & B\. $/,
    );
  });

  it.each([
    ['up', 15_000, '50 % more'],
    ['up', 10_001, '1 % more'],
    ['down', 2_500, '75 % less'],
    ['down', 0, '100 % less'],
  ])(
    'shows by an arrow that points %s how the sum has changed: from 10,000 to %s',
    (points, now, much) => {
      const before = sumsOf([figure('2026-11-21', 10_000)]);
      const chart = chartOf('today', [figure('2026-11-22', now)], [], { before });
      const svg = chartSvg(chart);
      const [, base, tip] = /<path d="M60 (\d+)h32L76 (\d+)z"/.exec(svg) ?? [];
      expect(Number(tip) < Number(base)).toBe(points === 'up');
      expect(svg).toContain(`>${much} than yesterday until 16:00<`);
      // Once, and in the words for readers who do not see it.
      expect(chart.lines.join()).not.toMatch(/more|less/);
      expect(chartText(chart)).toContain(`${much} than yesterday until 16:00`);
    },
  );

  it('has no arrow where the sum is the same, or nothing was paid before', () => {
    const before = sumsOf([figure('2026-11-21', 5_000)]);
    const same = chartOf('today', [figure('2026-11-22', 5_000)], [], { before });
    expect(chartSvg(same)).not.toContain('h32L');
    expect(same.lines.join()).toContain('now the same');
    expect(chartSvg(chartOf('today', [figure('2026-11-22', 5_000)]))).not.toContain('h32L');
  });

  it('breaks long lines and cuts long names', () => {
    const bars = [{ label: 'a'.repeat(40), height: 1, text: '' }];
    const lines = [
      'Yesterday until 16:00: 1 completed · GHS 100.00 · 50 % success · now 50 % more',
    ];
    const svg = chartSvg({ ...aChart, lines, bars });
    expect(svg).toContain(`>${'a'.repeat(25)}…<`);
    expect(svg).toContain('>Yesterday until 16:00: 1 completed<');
    expect(svg).toContain('>   GHS 100.00 · 50 % success · now 50 % more<');
  });

  it('takes no name for markup, which could show a file of the server, and draws any name', {
    tags: ['T9'],
  }, async () => {
    const name = (label: string): Chart => ({
      ...aChart,
      bars: [{ label, height: 1, text: label }],
    });
    expect(chartSvg(name('<image href="/x"/>'))).not.toContain('<image');
    expect(chartSvg(name('a\u0000b\ud800'))).toContain('ab\ufffd<');
    await fc.assert(
      fc.asyncProperty(hostileText, async (label) => {
        expect(svgToPng(chartSvg(name(label))).size).toBeGreaterThan(1_000);
      }),
      { numRuns: 25 },
    );
  });
});
