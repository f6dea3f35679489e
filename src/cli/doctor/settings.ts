import { placeKey } from '../../core/records/notify-rules.ts';
import { showClock } from '../../core/values/format-time.ts';
import type { Examined } from './examined.ts';

export const examineSettings = ({ config, findings }: Examined): void => {
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
      : `Alerts go to ${config.operators.map(placeKey).join(' and ')}.`,
  );
  const { places, atMinutes } = config.digest;
  findings.note(
    places.length === 0
      ? 'DIGEST is not set: no daily summary is sent.'
      : `The daily summary is sent at ${showClock(atMinutes * 60_000, 'UTC')} to ${places.map(placeKey).join(' and ')}.`,
  );
};

/** The header has whole seconds and the answer takes some; past this it is the clock. */
const MOST_APART_MS = 30_000;

/** This machine's clock against those of the services that were asked. */
export const examineClock = ({ network, findings }: Examined): void => {
  for (const [service, aheadMs] of network.aheadMs)
    if (Math.abs(aheadMs) > MOST_APART_MS)
      findings.wrong(
        `This machine's clock is ${Math.round(Math.abs(aheadMs) / 1000)} s ${aheadMs > 0 ? 'ahead of' : 'behind'} that of ${service}.`,
        'Switch time synchronisation on, for example with: timedatectl set-ntp true',
      );
  if (network.aheadMs.size > 0)
    findings.note(`Compared with ${[...network.aheadMs.keys()].join(', ')}.`);
};

/** Which sender ids `/sms` may use. That the payment service has approved them shows only when one is sent. */
export const examineSms = ({ config, access, findings }: Examined): void => {
  const { senderIds } = config.sms;
  const granting = access.roles.filter(({ commands }) => commands !== '*' && commands.has('sms'));
  if (senderIds.length === 0 && granting.length > 0)
    findings.wrong(
      `The access file grants /sms (${granting.map(({ name }) => name).join(', ')}), but SMS_SENDER_ID is not set.`,
      'Set SMS_SENDER_ID to a sender id that the payment service has approved, or take sms out of the roles.',
    );
  for (const id of new Set(senderIds.filter((each, at) => senderIds.indexOf(each) !== at)))
    findings.wrong(`SMS_SENDER_ID names ${id} twice.`, 'Leave one of the two out.');
  for (const id of senderIds.filter((each) => /^\d+$/.test(each)))
    findings.wrong(
      `SMS_SENDER_ID ${id} is all digits, which networks show as a phone number or refuse.`,
      'Use the name that the payment service has approved.',
    );
  findings.note(
    senderIds.length === 0
      ? 'SMS is off.'
      : `Sender ids: ${senderIds.join(', ')}. Whether they are approved shows when one is used.`,
  );
};
