import type { Skew } from './network.ts';
import { Findings, type Report } from './report.ts';

/** The header has whole seconds and the answer takes some; past this it is the clock. */
const MOST_APART_MS = 30_000;

/** This machine's clock against those of the services that were asked. */
export const examineClock = (skews: readonly Skew[]): Report => {
  const findings = new Findings();
  for (const { service, aheadMs } of skews)
    if (Math.abs(aheadMs) > MOST_APART_MS)
      findings.wrong(
        `This machine's clock is ${Math.round(Math.abs(aheadMs) / 1000)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} that of ${service}.`,
        'Switch time synchronisation on, for example with: timedatectl set-ntp true',
      );
  findings.note(
    skews.length === 0
      ? 'No service told its time.'
      : `Compared with ${skews.map(({ service }) => service).join(', ')}.`,
  );
  return findings.report('Clock');
};
