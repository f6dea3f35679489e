import type { BulkRun } from '../../core/records/bulk.ts';
import { type Card, plainCard } from '../cards/card.ts';
import { type Context, isOwn, type Press, type Services } from '../command.ts';
import { goneCard } from '../draft-buttons.ts';
import { resultFile } from './result-files.ts';
import { runCard } from './run-card.ts';

/** The buttons of the runs that a command begins; of another command's runs they do nothing. */
type OfCommand = {
  /** In front of each verb. */
  readonly verb: 'bulk' | 'sms';
  readonly isOwnRun: (run: BulkRun) => boolean;
  /** What a pause or stop does not undo. */
  readonly goesOn: string;
};

/** Pause, Resume, Stop and Result, for every person with the command. */
export const runPresses = (
  services: Services,
  { verb, isOwnRun, goesOn }: OfCommand,
): Readonly<Record<string, Press>> => {
  const runOf = async (id: string): Promise<BulkRun | undefined> => {
    const run = await services.bulkRuns.get(id);
    return run !== undefined && isOwnRun(run) ? run : undefined;
  };
  const changePress = (to: BulkRun['status'], button: string): Press => ({
    run: async (id, { caller, surface }) => {
      if ((await runOf(id)) === undefined) return surface.refusePress(goneCard);
      const press = { button, where: caller.conversation };
      const result = await services.bulkRuns.change(id, to, caller, press);
      // The card of the run tells the change to everyone; the presser hears only why there was none.
      await surface.refusePress(result?.changed === true ? changed[to] : notChanged(result?.run));
    },
  });
  const changed: Readonly<Record<BulkRun['status'], Card>> = {
    paused: plainCard('Paused', goesOn),
    running: plainCard('Going on'),
    stopped: plainCard('Stopped', goesOn),
  };
  const sendResult = async (id: string, { surface, caller, grants }: Context): Promise<void> => {
    const run = await runOf(id);
    if (run === undefined) return surface.refusePress(goneCard);
    const isWhole = isOwn(run, caller) || grants.reveal;
    const delivery = await surface.sendFile(await resultFile(services, run, isWhole));
    if (!delivery.ok)
      return surface.refusePress(plainCard('I could not send the file', delivery.remedy));
    await surface.refusePress(
      delivery.savedAs === undefined
        ? plainCard('The file is in our direct chat')
        : plainCard('The file is saved', delivery.savedAs),
    );
  };
  return {
    [`${verb}-pause`]: changePress('paused', `${verb}-pause`),
    [`${verb}-resume`]: changePress('running', `${verb}-resume`),
    [`${verb}-stop`]: changePress('stopped', `${verb}-stop`),
    [`${verb}-result`]: { run: sendResult },
  };
};

const notChanged = (run: BulkRun | undefined): Card =>
  run === undefined ? goneCard : runCard(run);
