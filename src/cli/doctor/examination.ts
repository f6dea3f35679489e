import type { ChatPlatform, ConfiguredChat, Examination, Sample } from '../../bots/platform.ts';
import type { Config } from '../../config/config.ts';
import type { Clock } from '../../core/runtime/clock.ts';
import { jsonOf } from '../../core/values/json-of.ts';
import { examineAccess, readAccess } from './access.ts';
import { examineCallbackAddress } from './callback-address.ts';
import { examineDataFolder } from './data-folder.ts';
import { examineDatabase } from './database.ts';
import type { Examined } from './examined.ts';
import { Network } from './network.ts';
import { examinePaymentService } from './payment-service.ts';
import { Findings } from './report.ts';
import { examineClock, examineSettings, examineSms } from './settings.ts';
import { examineTemplates } from './templates.ts';

type Area = readonly [title: string, examine: (examined: Examined) => void | Promise<void>];

/** Checks every setting against the real services. Changes nothing anywhere, and sends no money and no message. */
export const examine = async (config: Config, clock: Clock): Promise<Findings[]> => {
  const shared = { config, clock, network: new Network(clock), access: await readAccess(config) };
  const reportOf = async ([title, questions]: Area): Promise<Findings> => {
    const findings = new Findings(title);
    await questions({ ...shared, findings });
    return findings;
  };
  const store: Area =
    config.databaseUrl === undefined
      ? ['Data folder', examineDataFolder]
      : ['Database', examineDatabase];
  const chats = config.chats.filter(({ platform }) => platform.examine !== undefined).map(chatArea);
  const areas: Area[] = [
    ['Settings', examineSettings],
    store,
    ['Payment service', examinePaymentService],
    ...(config.listener.publicUrl === undefined
      ? []
      : [['Callback address', examineCallbackAddress] satisfies Area]),
    ...chats,
    ['Access', examineAccess],
    ['SMS', examineSms],
    ['Templates', examineTemplates],
  ];
  const reports = await Promise.all(areas.map(reportOf));
  // Asked last, because it compares the times that the services told.
  return reports.toSpliced(2, 0, await reportOf(['Clock', examineClock]));
};

const chatArea = ({ platform, settings }: ConfiguredChat): Area => [
  platform.title,
  async ({ config, access, network, clock, findings }) =>
    platform.examine?.(settings, {
      ...asking(platform, network, findings),
      nowMs: clock.now(),
      publicUrl: config.listener.publicUrl ?? '',
      named: access.roles
        .flatMap(({ members }) => members)
        .filter((member) => member.platform === platform.name),
    }),
];

export const examineCards = (
  { cardChecks }: Config,
  clock: Clock,
  samples: readonly Sample[],
): Promise<Findings[]> =>
  Promise.all(
    cardChecks.map(async ({ platform, address }) => {
      const findings = new Findings(`Cards in ${platform.title}`);
      const examination = { ...asking(platform, new Network(clock), findings), clock };
      await platform.examineCards?.(address, samples, examination);
      return findings;
    }),
  );

const asking = (
  { title }: ChatPlatform,
  network: Network,
  findings: Findings,
): Pick<Examination, 'ask' | 'wrong' | 'note'> => ({
  ask: async (setting, schema, url, init) => {
    const reply = await network.ask(title, url, init);
    if (reply.kind === 'answered') {
      const { data: said } = schema.safeParse(jsonOf(reply.text));
      if (said !== undefined) return { said, headers: reply.headers };
    }
    const why = reply.kind === 'silent' ? reply.why : `it answers with ${reply.status}`;
    findings.wrong(
      `${title} gave no usable answer: ${why}.`,
      `Check ${setting}, and whether this machine may connect to it.`,
    );
    return undefined;
  },
  wrong: (what, remedy) => findings.wrong(what, remedy),
  note: (text) => findings.note(text),
});
