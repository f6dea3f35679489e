import { type ChargeRun, isChargeRun } from '../../core/records/bulk.ts';
import { type Card, plainCard } from '../cards/card.ts';
import type { Context, Services } from '../command.ts';
import { frozenCard, goneCard } from '../draft-buttons.ts';
import { chargingAt } from '../merchants.ts';

/** A run of charges that is over, whose rows may be asked for once more by this person here; else why they may not. */
export const askableRun = async (
  { bulkRuns, freeze, settings }: Services,
  id: string,
  { caller }: Context,
): Promise<ChargeRun | Card> => {
  const run = await bulkRuns.get(id);
  if (run === undefined || !isChargeRun(run)) return goneCard;
  if (run.endedAtMs === undefined) return notYetCard;
  const frozen = await freeze.standing();
  if (frozen !== undefined) return frozenCard(frozen, settings.timeZone);
  const charging = chargingAt(settings, caller);
  if (!charging.ok) return charging.why;
  return charging.merchant?.name === run.terms.merchant ? run : otherMerchantCard;
};

const notYetCard = plainCard('Not yet', 'Some of its payments have no outcome. Wait for them.');

const otherMerchantCard = plainCard(
  'Nothing was charged',
  'This file belongs to another merchant. Press it in a conversation of that merchant.',
);
