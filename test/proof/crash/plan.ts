import type { Dice } from '../storm/dice.ts';
import { POINT_NAMES, type Point, type PointName, pointText } from './points.ts';

export type StoreKind = 'embedded' | 'postgres';

/** When a process comes to a moment: while it starts, while it works, or when it is told to stop. */
type Phase = 'start' | 'work' | 'stop';

type Habit = {
  readonly phase: Phase;
  /** Only one of the stores has it. */
  readonly only?: StoreKind;
  /** How many of its passings in one round are worth dying at. @default 1 */
  readonly times?: number;
  /** What has to be charged alone to come there in time: two digits of MANNERS. */
  readonly manner?: string;
  /** It takes an SMS to come there. */
  readonly sms?: true;
};

const HABITS: Readonly<Record<PointName, Habit>> = {
  'lock-taken': { phase: 'start', only: 'embedded' },
  // Of an empty folder only; see firstDeathsFor.
  'database-made': { phase: 'start', only: 'embedded', times: 0 },
  'database-opened': { phase: 'start', only: 'embedded' },
  'schema-locked': { phase: 'start', only: 'postgres' },
  // Of an empty database only; see firstDeathsFor.
  'schema-step': { phase: 'start', only: 'postgres', times: 0 },
  'recovery-begun': { phase: 'start' },
  'work-counted': { phase: 'start' },
  'commit-begun': { phase: 'work', times: 8 },
  'commit-written': { phase: 'work', only: 'embedded', times: 8 },
  'commit-flushed': { phase: 'work', times: 8 },
  'work-claimed': { phase: 'work', times: 4 },
  'draft-stored': { phase: 'work' },
  'payment-confirmed': { phase: 'work' },
  // Of files, which no round sends: `npm run bulk-crash`.
  'bulk-confirmed': { phase: 'work', times: 0 },
  'row-stored': { phase: 'work', times: 0 },
  'card-posted': { phase: 'work' },
  'submitting-stored': { phase: 'work' },
  'request-begun': { phase: 'work' },
  'request-written': { phase: 'work' },
  'payment-answered': { phase: 'work' },
  'outcome-stored': { phase: 'work' },
  // Late, so that no check would find out by itself.
  'callback-received': { phase: 'work', manner: '06' },
  'callback-stored': { phase: 'work', manner: '06' },
  'status-answered': { phase: 'work' },
  'notice-begun': { phase: 'work', times: 2 },
  'notice-posted': { phase: 'work', times: 3 },
  'message-begun': { phase: 'work', times: 4 },
  'message-written': { phase: 'work', times: 4 },
  'sms-stored': { phase: 'work', sms: true },
  'stop-begun': { phase: 'stop' },
  'workers-stopped': { phase: 'stop' },
  'checkpoint-begun': { phase: 'stop', only: 'embedded' },
  'checkpoint-finished': { phase: 'stop', only: 'embedded' },
  'lock-released': { phase: 'stop', only: 'embedded' },
};

/** How one process dies: at a moment, or after some milliseconds that nobody chose. */
export type Death = Point | 'at random';

/** One process dies while it works, and those after it while they recover; the last one may live. */
export type Round = {
  readonly number: number;
  readonly during: Death;
  readonly recoveries: readonly Death[];
};

export const phaseOf = (name: PointName): Phase => HABITS[name].phase;

/** What a round has to do so that its first process comes to its moment. */
export const needsOf = (death: Death): Pick<Habit, 'manner' | 'sms'> =>
  death === 'at random' ? {} : HABITS[death.name];

/** Moments that only the very first process on an empty folder, or in an empty database, comes to. */
export const firstDeathsFor = (store: StoreKind, dice: Dice): Point[] =>
  store === 'postgres'
    ? [
        { name: 'schema-step', nth: 1 },
        { name: 'schema-step', nth: 2 },
      ]
    : [
        { name: 'database-made', nth: 1 },
        { name: dice.pick(['commit-begun', 'commit-written']), nth: 1 },
      ];

const deathText = (death: Death): string => (death === 'at random' ? death : pointText(death));

export const roundText = ({ during, recoveries }: Pick<Round, 'during' | 'recoveries'>): string =>
  [during, ...recoveries].map(deathText).join(' + ');

/** Every name that this store can come to. */
export const namesFor = (store: StoreKind): PointName[] =>
  POINT_NAMES.filter((name) => (HABITS[name].only ?? store) === store);

/** Every single point of this store; the first passing of each name first. */
const singlesFor = (store: StoreKind): Point[] =>
  namesFor(store)
    .flatMap((name) =>
      Array.from({ length: HABITS[name].times ?? 1 }, (_, at) => ({ name, nth: at + 1 })),
    )
    .sort((a, b) => a.nth - b.nth);

/** All singles, then random moments and pairs: no pair twice before each one had its turn. */
export function* roundsFor(store: StoreKind, dice: Dice): Generator<Omit<Round, 'number'>, never> {
  const singles = singlesFor(store);
  for (const point of singles) yield alone(point);
  for (;;) {
    for (const [first, second] of shuffled(pairsFor(store), dice)) {
      if (dice.chance(0.15)) yield alone('at random');
      const third = dice.chance(0.2) ? [dice.chance(0.5) ? second : ('at random' as const)] : [];
      yield { during: first, recoveries: [second, ...third] };
    }
  }
}

/** What happens only while a process starts needs one before that has left something behind. */
const alone = (death: Death): Omit<Round, 'number'> =>
  death !== 'at random' && phaseOf(death.name) === 'start'
    ? { during: 'at random', recoveries: [death] }
    : { during: death, recoveries: [] };

/** In a recovery nobody is told to stop. */
const pairsFor = (store: StoreKind): [Death, Death][] => {
  const singles: Death[] = [...singlesFor(store), 'at random'];
  const is = (death: Death, phase: Phase) => death !== 'at random' && phaseOf(death.name) === phase;
  return singles
    .filter((first) => !is(first, 'start'))
    .flatMap((first) =>
      singles
        .filter((second) => !is(second, 'stop'))
        .map((second): [Death, Death] => [first, second]),
    );
};

const shuffled = <T>(all: readonly T[], dice: Dice): T[] => {
  const left = [...all];
  return Array.from({ length: left.length }, () =>
    left.splice(dice.whole(0, left.length - 1), 1),
  ).flat();
};
