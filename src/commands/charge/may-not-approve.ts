import { suspendedCard } from '../access/suspend.ts';
import { deniedCard } from '../cards/reply-cards.ts';
import type { Context, Services } from '../command.ts';
import { logRefusal } from '../log-refusal.ts';

/** Tells the presser why they may not approve. The question stays open for others. */
export const mayNotApprove = (
  { log, settings, clock }: Pick<Services, 'log' | 'settings' | 'clock'>,
  context: Context,
): Promise<void> => {
  const { surface, caller, grants } = context;
  logRefusal(log, context, 'approve');
  return surface.refusePress(
    grants.suspended === undefined
      ? deniedCard('approve charges', caller, grants.withheld)
      : suspendedCard(grants.suspended, { timeZone: settings.timeZone, nowMs: clock.now() }),
  );
};
