import { auditCommand } from './audit.ts';
import { balanceCommand } from './balance.ts';
import { chargeCommand } from './charge.ts';
import type { Command, Services } from './command.ts';
import { helpCommand } from './help.ts';
import { lookupCommand } from './lookup.ts';
import { paymentsCommand } from './payments.ts';
import { smsCommand } from './sms.ts';
import { statusCommand } from './status.ts';
import { reinstateCommand, suspendCommand } from './suspend.ts';
import { whoamiCommand } from './whoami.ts';

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
