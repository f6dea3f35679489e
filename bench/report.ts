import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';
import type { Figure } from './figure.ts';

/** Where and on what the figures were measured. */
export const circumstances = () => ({
  commit: commit(),
  node: process.version,
  machine: `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}`,
  at: new Date().toISOString(),
});

const commit = (): string => {
  try {
    const head = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
    const changed = execFileSync('git', ['status', '--porcelain', 'src'], { encoding: 'utf8' });
    return changed === '' ? head : `${head} with changes`;
  } catch {
    // Not a checkout.
    return 'unknown';
  }
};

/** A Markdown table, with what else is to be said of it below. */
export const tableOf = (figures: readonly Figure[], baseline = 'baseline'): string =>
  [
    `| what | Paythread | ${baseline} | unit | ratio (least to most) | goal | |`,
    '|---|---|---|---|---|---|---|',
    ...figures.map((figure) => `| ${cells(figure).join(' | ')} |`),
    ...new Set(figures.flatMap(({ note }) => (note === undefined ? [] : [`\n${note}`]))),
  ].join('\n');

const cells = ({ what, ours, baseline, unit, ratio, goal, reached }: Figure): string[] => [
  what,
  short(ours),
  short(baseline),
  unit,
  `${ratio.median.toFixed(2)} (${ratio.least.toFixed(2)} to ${ratio.most.toFixed(2)})`,
  goal,
  reached ? 'reached' : 'not reached',
];

const short = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));
