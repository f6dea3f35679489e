import { createHash } from 'node:crypto';
import { type BulkRun, commandOf } from '../../core/records/bulk.ts';
import { personOf } from '../../core/values/conversation.ts';
import { type Card, plainCard } from '../cards/card.ts';
import { deliveryCard } from '../cards/delivery-card.ts';
import type { OutgoingFile } from '../cards/outgoing-file.ts';
import { type Context, isOwn, type Press, type Services } from '../command.ts';
import { goneCard } from '../draft-buttons.ts';
import { exportRow } from '../export/told-exports.ts';
import type { Caller } from '../inbound.ts';
import { type IsWhole, resultFile } from './result-files.ts';
import { runCard } from './run-card.ts';

/**
 * Pause, Resume, Stop and Result, for every person with the command; of another command's runs they do nothing.
 * @param goesOn what a pause or stop does not undo
 */
export const runPresses = (
  services: Services,
  verb: ReturnType<typeof commandOf>,
  goesOn: string,
): Readonly<Record<string, Press>> => {
  const runOf = async (id: string): Promise<BulkRun | undefined> => {
    const run = await services.bulkRuns.get(id);
    return run !== undefined && commandOf(run.terms) === verb ? run : undefined;
  };
  const changePress = (to: BulkRun['status'], button: string): Press => ({
    of: 'bulk',
    run: async (id, { caller, surface }) => {
      if ((await runOf(id)) === undefined) return surface.answerPress(goneCard);
      const press = { button, where: caller.conversation };
      const result = await services.bulkRuns.change(id, to, caller, press);
      // The card of the run tells the change to everyone; the presser hears only why there was none.
      const card = result === undefined ? goneCard : runCard(result.run, services);
      await surface.answerPress(result?.changed === true ? changed[to] : card);
    },
  });
  const changed: Readonly<Record<BulkRun['status'], Card>> = {
    paused: plainCard('Paused', goesOn),
    running: plainCard('Resumed'),
    stopped: plainCard('Stopped', goesOn),
  };
  const sendResult = async (id: string, { surface, caller, grants }: Context): Promise<void> => {
    const run = await runOf(id);
    if (run === undefined) return surface.answerPress(goneCard);
    const isWhole = grants.reveal || isOwn(run, caller);
    const isShown: IsWhole = ({ maskedFrom }) =>
      grants.reveal || (isWhole && maskedFrom === undefined);
    const file = await resultFile(services, run, isShown);
    // In the audit trail before it is sent: without its row no file goes out.
    await recordResult(services, run, { file, isWhole }, caller);
    await surface.answerPress(deliveryCard(await surface.sendFile(file), 'file'));
  };
  return {
    [`${verb}-pause`]: changePress('paused', `${verb}-pause`),
    [`${verb}-resume`]: changePress('running', `${verb}-resume`),
    [`${verb}-stop`]: changePress('stopped', `${verb}-stop`),
    [`${verb}-result`]: { of: 'bulk', run: sendResult },
  };
};

/** As of an export, so that a file that turns up leads to who got it. */
const recordResult = async (
  { store, clock }: Pick<Services, 'store' | 'clock'>,
  run: BulkRun,
  { file, isWhole }: { readonly file: OutgoingFile; readonly isWhole: boolean },
  caller: Caller,
): Promise<void> => {
  const bytes = await new Response(file.content.stream()).bytes();
  const written = { sha256: createHash('sha256').update(bytes).digest('hex'), rows: run.next };
  const of = commandOf(run.terms) === 'sms' ? { of: 'SMS' } : {};
  const words = `result of ${run.terms.fileName}`;
  const by = { atMs: clock.now(), who: personOf(caller), where: caller.conversation };
  await store.commit({ audit: [exportRow(by, { ...written, ...of, words, isWhole })] });
};
