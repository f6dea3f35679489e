import type { Config } from '../../config/config.ts';
import { Findings, type Report } from './report.ts';

/** What can be said about the settings without asking anybody. */
export const examineConfiguration = (config: Config): Report => {
  const findings = new Findings();
  for (const warning of config.warnings)
    findings.wrong(warning, 'Correct the setting, or take it out.');
  const chats = config.chats.map(({ platform, settings }) => platform.describe(settings));
  findings.note(`Chats: ${chats.join(' and ')}.`);
  findings.note(
    config.payments.kind === 'sandbox'
      ? 'Payments go to the built-in simulator: no money moves.'
      : 'Payments go to the real service.',
  );
  findings.note(
    config.operators.length === 0
      ? 'OPERATORS is not set: alerts are in the log only.'
      : `Alerts go to ${config.operators.map(({ platform, channel }) => `${platform}:${channel}`).join(' and ')}.`,
  );
  return findings.report('Settings');
};
