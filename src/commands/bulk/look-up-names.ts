import type { LookupOutcome } from '../../core/gateway/gateway.ts';
import { plainCard } from '../cards/card.ts';
import type { Services } from '../command.ts';
import type { Surface } from '../inbound.ts';
import type { ChargeRow } from './read-charge-rows.ts';

/** More would keep the person waiting; the names of the others are not compared. */
const MOST_LOOKUPS = 150;
const PATIENCE_MS = 30_000;
const AT_ONCE = 4;
const TOLD_EVERY = 40;

/** The answers by row, of rows with a name first. They are asked as background questions: people's own go in turns with them. */
export const lookUpNames = async (
  { gateway, clock }: Pick<Services, 'gateway' | 'clock'>,
  rows: readonly ChargeRow[],
  merchant: string | undefined,
  surface: Pick<Surface, 'sayProgress'>,
): Promise<ReadonlyMap<number, LookupOutcome>> => {
  const answers = new Map<number, LookupOutcome>();
  const untilMs = clock.now() + PATIENCE_MS;
  const named = rows.filter(({ name }) => name !== undefined);
  const others = rows.filter(({ name }) => name === undefined);
  const asked = [...named, ...others].slice(0, MOST_LOOKUPS);
  const waiting = asked.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const { row, customerNumber: number, network } of waiting) {
        if (clock.now() > untilMs) return;
        const query = { number, network, merchant, urgency: 'background' } as const;
        answers.set(row, await gateway.lookUpAccount(query));
        if (answers.size % TOLD_EVERY === 0)
          await surface.sayProgress(plainCard(`${answers.size} of ${asked.length} names checked`));
      }
    }),
  );
  return answers;
};
