import type { Config } from '../../config/config.ts';
import type { Clock } from '../../core/runtime/clock.ts';
import { examineAccess, readAccess } from './access.ts';
import { examineCallbackAddress } from './callback-address.ts';
import { examineClock } from './clock.ts';
import { examineConfiguration } from './configuration.ts';
import { examineDataFolder } from './data-folder.ts';
import { examineDatabase } from './database.ts';
import { Network } from './network.ts';
import { examinePaymentService } from './payment-service.ts';
import type { Report } from './report.ts';
import { examineSlack } from './slack.ts';
import { examineSms } from './sms.ts';
import { examineTelegram } from './telegram.ts';

/** Checks every setting against the real services. Changes nothing anywhere, and sends no money and no message. */
export const examine = async (config: Config, clock: Clock): Promise<Report[]> => {
  const network = new Network(clock);
  const access = await readAccess(config);
  const [store, ...rest] = await Promise.all([
    config.databaseUrl === undefined ? examineDataFolder(config) : examineDatabase(config, clock),
    examinePaymentService(config, { clock, network }),
    examineCallbackAddress(config, network),
    examineSlack(config, { network, access }),
    examineTelegram(config, { clock, network }),
  ]);
  return [
    examineConfiguration(config),
    store,
    // Last of those that ask somebody: it looks at the times they told.
    examineClock(network.skews()),
    ...rest.filter((report) => report !== undefined),
    examineAccess(config, access),
    examineSms(config, access),
  ];
};
