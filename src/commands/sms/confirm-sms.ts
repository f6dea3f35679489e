import { SegmentedMessage } from 'sms-segments-calculator';
import { limitGuard } from '../../core/guards/limit-guards.ts';
import type { SmsDraft, SmsTerms } from '../../core/records/draft.ts';
import { SmsDay } from '../../core/sms/sms-day.ts';
import { startOfDayMs } from '../../core/values/format-time.ts';
import type { Grants } from '../access/access.ts';
import { logRefusal } from '../access/denial.ts';
import { plainCard, problemCard } from '../cards/reply-cards.ts';
import type { Context, Services } from '../command.ts';
import { overtakenCard } from '../draft-buttons.ts';
import { GuardedRetry } from '../guarded-retry.ts';

/** Turns a pressed draft into a confirmed SMS batch, if the person's daily limit has room for it. */
export class SmsConfirmation {
  readonly #services: Services;
  readonly #retry = new GuardedRetry();

  constructor(services: Services) {
    this.#services = services;
  }

  /** Confirms, or says why not. */
  async run(draft: SmsDraft, context: Context): Promise<void> {
    const { caller } = context;
    const of = `${caller.platform}:${caller.id}`;
    await this.#retry.run(of, draft.id, () => this.#try(draft, of, context));
  }

  /** False: another SMS changed a guard, so every check has to run again. */
  async #try(draft: SmsDraft, of: string, context: Context): Promise<boolean> {
    const { store, clock, access, drafts, smsSender, log } = this.#services;
    const { caller, surface } = context;
    const day = await SmsDay.of({ store, clock }, of);
    const guard = await limitGuard({ store, clock }, of, draft.id);
    const grants = await access.grantsOf(caller);
    if (!grants.may('sms')) {
      logRefusal(log, context, 'sms');
      await surface.refusePress(plainCard('Nothing was sent', 'You may no longer send SMS.'));
      return true;
    }
    const why = await whyNoRoom(this.#services, grants, day, draft.terms);
    if (why !== undefined) {
      await surface.replace(problemCard({ message: why }));
      return true;
    }
    const stored = (batchId: string) => [guard, day.with(batchId, partsEach(draft.terms))];
    if ((await smsSender.confirm(draft, caller, stored)) !== undefined) {
      await surface.replace(CONFIRMED);
      return true;
    }
    const newest = await drafts.get(draft.id);
    if (newest?.version === draft.version) return false;
    await surface.refusePress(await overtakenCard(draft.id, this.#services));
    return true;
  }
}

const CONFIRMED = plainCard('The SMS is being sent', 'I report here when it is done.');

/** Why the SMS does not fit into the person's daily limit; undefined: it fits. */
export const whyNoRoom = async (
  { clock, settings }: Pick<Services, 'clock' | 'settings'>,
  { dailySms }: Grants,
  day: SmsDay,
  terms: SmsTerms,
): Promise<string | undefined> => {
  if (dailySms === undefined) return undefined;
  const used = await day.partsSince(startOfDayMs(clock.now(), settings.timeZone));
  const parts = partsEach(terms) * terms.recipients.length;
  return used + parts <= dailySms
    ? undefined
    : `Nothing was sent. You may send ${dailySms} SMS a day, and ${used} are used today. This costs ${parts}.`;
};

const partsEach = ({ text }: SmsTerms): number => new SegmentedMessage(text).segmentsCount;
