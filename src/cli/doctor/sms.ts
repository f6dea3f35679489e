import type { Config } from '../../config/config.ts';
import type { AccessRules } from './access.ts';
import { Findings, type Report } from './report.ts';

/** Which sender ids `/sms` may use. That the payment service has approved them shows only when one is sent. */
export const examineSms = ({ sms: { senderIds } }: Config, access: AccessRules): Report => {
  const findings = new Findings();
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
  return findings.report('SMS');
};
