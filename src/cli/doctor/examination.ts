import type { ConfiguredChat } from '../../bots/platform.ts';
import type { Config } from '../../config/config.ts';
import type { Clock } from '../../core/runtime/clock.ts';
import { type AccessRules, examineAccess, readAccess } from './access.ts';
import { examineCallbackAddress } from './callback-address.ts';
import { examineClock } from './clock.ts';
import { examineConfiguration } from './configuration.ts';
import { examineDataFolder } from './data-folder.ts';
import { examineDatabase } from './database.ts';
import { Network } from './network.ts';
import { examinePaymentService } from './payment-service.ts';
import { Findings, type Report } from './report.ts';
import { examineSms } from './sms.ts';

/** Checks every setting against the real services. Changes nothing anywhere, and sends no money and no message. */
export const examine = async (config: Config, clock: Clock): Promise<Report[]> => {
  const network = new Network(clock);
  const access = await readAccess(config);
  const [store, ...rest] = await Promise.all([
    config.databaseUrl === undefined ? examineDataFolder(config) : examineDatabase(config, clock),
    examinePaymentService(config, { clock, network }),
    examineCallbackAddress(config, network),
    ...config.chats.map((chat) => examineChat(chat, config, { access, network, clock })),
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

/** Undefined: a platform with nothing to ask. */
const examineChat = async (
  { platform, settings }: ConfiguredChat,
  { listener }: Config,
  { access, network, clock }: { access: AccessRules; network: Network; clock: Clock },
): Promise<Report | undefined> => {
  if (platform.examine === undefined) return undefined;
  const findings = new Findings();
  await platform.examine(settings, {
    ask: (url, init) => network.ask(platform.title, url, init),
    wrong: (what, remedy) => findings.wrong(what, remedy),
    note: (text) => findings.note(text),
    nowMs: clock.now(),
    publicUrl: listener.publicUrl ?? '',
    named: access.roles
      .flatMap(({ members }) => members)
      .filter((member) => member.platform === platform.name),
  });
  return findings.report(platform.title);
};
