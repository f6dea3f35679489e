import type { Config } from '../config/config.ts';
import { systemClock } from '../core/runtime/clock.ts';
import { maskerFor } from '../core/runtime/masking.ts';
import { examine, examineCards } from './doctor/examination.ts';
import { reportText } from './doctor/report.ts';
import type { Printed, ShellCommand } from './shell-command.ts';

/** `paythread doctor`: 0 when there is nothing to correct, 1 with findings. */
export const doctor: ShellCommand = (command, run) => {
  command
    .description(
      'Checks every setting against the real services: the payment service, the chats, the store, the callback address. It moves no money, sends no message and changes nothing. Exits with 1 when there is something to correct.',
    )
    .option('--cards', 'also asks whether samples of every card and form are taken')
    .action(({ cards }: { cards?: true }) => run(({ config }) => report(config(), cards === true)));
};

const report = async (config: Config, withCards: boolean): Promise<Printed> => {
  const mask = maskerFor(config.secrets);
  const reports = await examine(config, systemClock);
  if (withCards) {
    const { sampleCards } = await import('../app/sample-cards.ts');
    reports.push(
      ...(await examineCards(config, systemClock, await sampleCards(config, systemClock))),
    );
  }
  const isFine = reports.every(({ findings }) => findings.length === 0);
  return { text: String(mask(reportText(reports))), exitCode: isFine ? 0 : 1 };
};
