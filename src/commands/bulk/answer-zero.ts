import { type FileDraft, isOfFile } from '../../core/records/draft.ts';
import type { Services } from '../command.ts';
import { goneCard, overtakenCard, type pressOn } from '../draft-buttons.ts';
import { dryRunCard } from './dry-run-card.ts';

/** The press that says that numbers without their leading 0 are read right. */
export const answerZero =
  (services: Services, kind: FileDraft['kind'], button: string): Parameters<typeof pressOn>[1] =>
  async (draft, { surface, caller }) => {
    if (!isOfFile(draft) || draft.kind !== kind) return surface.refusePress(goneCard);
    if (draft.zeroAsked === undefined) return surface.replace(dryRunCard(draft));
    const { zeroAsked: _, ...rest } = draft;
    const press = { button, where: caller.conversation };
    const answered = await services.drafts.showAgain<FileDraft>(rest, caller, press);
    await (answered === undefined
      ? surface.refusePress(await overtakenCard(draft.id, services))
      : surface.replace(dryRunCard(answered)));
  };
