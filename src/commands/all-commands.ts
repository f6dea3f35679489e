import { accessCommand } from './access/access-command.ts';
import { reinstateCommand, suspendCommand } from './access/suspend.ts';
import { whoamiCommand } from './access/whoami.ts';
import { auditCommand } from './audit/audit.ts';
import { balanceCommand } from './balance.ts';
import { bulkCommand } from './bulk/bulk.ts';
import { chargeCommand } from './charge/charge.ts';
import { closeCommand } from './close/close.ts';
import type { Command, CommandRecord, Services } from './command.ts';
import { grantable, type Right, type Rights } from './command-rights.ts';
import { exportCommand } from './export/export.ts';
import { helpCommand } from './help.ts';
import { lookupCommand } from './lookup.ts';
import { notifyCommand } from './notify/notify.ts';
import { customerCommand } from './payments/customer.ts';
import { paymentsCommand } from './payments/payments.ts';
import { statusCommand } from './payments/status.ts';
import { reportCommand } from './report/report.ts';
import { smsCommand } from './sms/sms.ts';
import { todayCommand } from './today/today.ts';

/** Every command there is, in the order of help and menus: its name, who may use it, and what makes it. */
const COMMANDS: Readonly<
  Record<
    string,
    readonly [Right, (services: Services, all: () => readonly Command[]) => CommandRecord]
  >
> = {
  charge: ['granted', chargeCommand],
  bulk: ['granted', bulkCommand],
  lookup: ['granted', lookupCommand],
  status: ['granted', statusCommand],
  sms: ['granted', smsCommand],
  balance: ['granted', balanceCommand],
  payments: ['granted', paymentsCommand],
  customer: ['granted', customerCommand],
  report: ['granted', reportCommand],
  export: ['granted', exportCommand],
  close: ['granted', closeCommand],
  // Without the right to see payments, a person's own day.
  today: ['holders', todayCommand],
  audit: ['granted', auditCommand],
  notify: ['administrators', notifyCommand],
  access: ['administrators', accessCommand],
  suspend: ['administrators', suspendCommand],
  reinstate: ['administrators', reinstateCommand],
  help: ['everyone', helpCommand],
  whoami: ['everyone', (_services, all) => whoamiCommand(all)],
};

export const COMMAND_NAMES: readonly string[] = Object.keys(COMMANDS);

/** Known without the services that commands work with: the access file is read first. */
export const RIGHTS: Rights = new Map([
  ...Object.entries(COMMANDS).map(([name, [right]]) => [name, right] as const),
  // A right without a command: to write down what was given back, with a button.
  ['refund', 'granted'],
]);

export const GRANTABLE_COMMANDS: readonly string[] = grantable(RIGHTS).filter((name) =>
  COMMAND_NAMES.includes(name),
);

export const allCommands = (services: Services): readonly Command[] => {
  const all: readonly Command[] = Object.entries(COMMANDS).map(([name, [right, make]]) => ({
    name,
    right,
    ...make(services, () => all),
  }));
  return all;
};
