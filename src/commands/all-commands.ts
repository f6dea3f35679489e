import { reinstateCommand, suspendCommand } from './access/suspend.ts';
import { whoamiCommand } from './access/whoami.ts';
import { auditCommand } from './audit/audit.ts';
import { balanceCommand } from './balance.ts';
import { chargeCommand } from './charge/charge.ts';
import type { Command, Services } from './command.ts';
import { COMMAND_NAMES, type CommandName } from './command-rights.ts';
import { helpCommand } from './help.ts';
import { lookupCommand } from './lookup.ts';
import { paymentsCommand } from './payments/payments.ts';
import { statusCommand } from './payments/status.ts';
import { smsCommand } from './sms/sms.ts';

/** Every command there is, in the order of help and menus. */
export const allCommands = (services: Services): readonly Command[] => {
  const commands: Readonly<Record<CommandName, Command>> = {
    charge: chargeCommand(services),
    lookup: lookupCommand(services),
    status: statusCommand(services),
    sms: smsCommand(services),
    balance: balanceCommand(services),
    payments: paymentsCommand(services),
    audit: auditCommand(services),
    suspend: suspendCommand(services),
    reinstate: reinstateCommand(services),
    help: helpCommand(() => inOrder),
    whoami: whoamiCommand(() => COMMAND_NAMES),
  };
  const inOrder = COMMAND_NAMES.map((name) => commands[name]);
  return inOrder;
};
