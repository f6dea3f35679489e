import { SegmentedMessage } from 'sms-segments-calculator';
import { guardPut } from '../core/charge-guard.ts';
import { KeyedLock } from '../core/keyed-lock.ts';
import type { Draft } from '../core/payments/draft.ts';
import { startOfDayMs } from '../core/shown-time.ts';
import { SmsDay } from '../core/sms-day.ts';
import type { Grants } from './access.ts';
import { plainCard, problemCard } from './answer-cards.ts';
import type { Card } from './card.ts';
import type { Context, Services } from './command.ts';
import { overtakenCard } from './draft-press.ts';
import { logRefusal } from './log-refusal.ts';

/** More often in a row than this something else is wrong. */
const MOST_TRIES = 20;

/** From the press that counts to the confirmed SMS, if the person's day has room for it. */
export class SmsStart {
  readonly #services: Services;
  /** One after the other in this process; over several instances the record of the day sees to it. */
  readonly #lock = new KeyedLock();

  constructor(services: Services) {
    this.#services = services;
  }

  /** The answer to the press. */
  run(draft: Draft, context: Context): Promise<Card> {
    const { caller } = context;
    const of = `${caller.platform}:${caller.id}`;
    return this.#lock.run(of, async () => {
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        const answer = await this.#try(draft, of, context);
        if (answer !== undefined) return answer;
      }
      throw new Error(`draft ${draft.id}: ${MOST_TRIES} times another SMS came between`);
    });
  }

  /** Undefined: something else came between, so look again. */
  async #try(draft: Draft, of: string, context: Context): Promise<Card | undefined> {
    const { store, clock, access, drafts, smsSender, log } = this.#services;
    const { caller } = context;
    const day = await SmsDay.of({ store, clock }, of);
    const guard = await guardPut({ store, clock }, of, draft.id);
    const grants = await access.grantsOf(caller);
    if (!grants.may('sms')) {
      logRefusal(log, context, 'sms');
      return plainCard('Not possible any more', 'You may no longer send SMS. Nothing was sent.');
    }
    const why = await whyNoRoom(this.#services, grants, day, draft);
    if (why !== undefined) return problemCard({ message: why });
    const stored = (batchId: string) => [guard, day.with(batchId, partsEach(draft))];
    if ((await smsSender.confirm(draft, caller, stored)) !== undefined)
      return plainCard(
        'Confirmed: the SMS is being sent',
        'The report follows in this conversation.',
      );
    const newest = await drafts.get(draft.id);
    return newest?.version === draft.version ? undefined : overtakenCard(draft.id, this.#services);
  }
}

/** Why these SMS do not fit into the person's day; undefined: they fit. */
export const whyNoRoom = async (
  { clock, settings }: Pick<Services, 'clock' | 'settings'>,
  { dailySms }: Grants,
  day: SmsDay,
  draft: Pick<Draft, 'what'>,
): Promise<string | undefined> => {
  if (dailySms === undefined || draft.what.kind !== 'sms') return undefined;
  const used = await day.partsSince(startOfDayMs(clock.now(), settings.timeZone));
  const parts = partsEach(draft) * draft.what.terms.recipients.length;
  return used + parts <= dailySms
    ? undefined
    : `This would exceed your ${dailySms} SMS parts of a day: ${used} are used today, and this takes ${parts}. Nothing was sent.`;
};

const partsEach = ({ what }: Pick<Draft, 'what'>): number =>
  what.kind === 'sms' ? new SegmentedMessage(what.terms.text).segmentsCount : 0;
