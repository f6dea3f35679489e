import { reinstateCommand, suspendCommand } from './access/suspend.ts';
import { whoamiCommand } from './access/whoami.ts';
import { auditCommand } from './audit/audit.ts';
import { balanceCommand } from './balance.ts';
import { chargeCommand } from './charge/charge.ts';
import type { Command, Services } from './command.ts';
import { helpCommand } from './help/help.ts';
import { lookupCommand } from './lookup/lookup.ts';
import { paymentsCommand } from './payments/payments.ts';
import { statusCommand } from './payments/status.ts';
import { smsCommand } from './sms/sms.ts';

/** Every command there is, in the order of help and menus. */
export const allCommands = (services: Services): readonly Command[] => {
  const commands: Command[] = [
    chargeCommand(services),
    lookupCommand(services),
    statusCommand(services),
    smsCommand(services),
    balanceCommand(services),
    paymentsCommand(services),
    auditCommand(services),
    suspendCommand(services),
    reinstateCommand(services),
    helpCommand(() => commands),
    whoamiCommand(() => commands.map(({ name }) => name)),
  ];
  return commands;
};
