import {
  type Level,
  type MirrorRule,
  type NotifyRule,
  placeKey,
} from '../../../src/core/records/notify-rules.ts';
import { smsSettings } from '../../support/sms-templates.ts';
import { Dice } from '../storm/dice.ts';
import { CHANNELS } from './seats.ts';

/** What a shop uses beside charges: each may be off, so that a world stays one of a few things at a time. */
export type Habits = {
  /** The `notify` part of the access file. */
  readonly notify: readonly NotifyRule[];
  /** Virtual minutes after which the access file has no such part any more. @default never */
  readonly notifyUntilMinutes?: number;
  /** What people set by `/notify` in the chats of the sellers. @default nothing */
  readonly levelsSet?: readonly LevelChange[];
  /** `RECEIPT`; absent: no SMS can be sent. */
  readonly receipt?: 'ask' | 'always';
  /** Strangers ask for access in the chat, and an administrator gives it and takes it back. */
  readonly givesAccess: boolean;
  /** CSV files of charges and SMS that people send. @default none */
  readonly files?: number;
  /** How likely a row asks for what another row or a typed charge asks for; and files are asked for again. @default never */
  readonly repeats?: number;
  /** How often the administrator closes a day. @default never */
  readonly closes?: number;
  /** The chat of each platform belongs to a merchant of its own. @default one shop */
  readonly hasMerchants?: true;
  /** Sellers write down what they gave back of what was paid, and notes. @default never */
  readonly givesBack?: true;
  /** How often somebody presses what nobody showed them. @default never */
  readonly forgeries?: number;
};

/** Sellers may not set a level, and try. */
export type LevelChange = {
  readonly atMinutes: number;
  readonly platform: 'slack' | 'telegram';
  readonly level: Level;
  readonly by: 'administrator' | 'seller';
  readonly how: 'command' | 'press';
};

/** Charges alone. */
export const PLAIN: Habits = { notify: [], givesAccess: false };

/** Nothing but mirrors is posted there. */
export const MIRROR_PLACES = [
  { platform: 'slack', channel: 'C7FINANCE' },
  { platform: 'telegram', channel: '-1007' },
] as const;

const isMirrorPlace = new Set<string>(MIRROR_PLACES.map(placeKey));

export const isMirror = (platform: string, channel: string): boolean =>
  isMirrorPlace.has(placeKey({ platform, channel }));

/** The habits of a seed, from dice of their own: the weather of a seed stays what it was. */
export const habitsOf = (seed: number): Habits => {
  const dice = new Dice(seed ^ 0x4ab1);
  const notify: NotifyRule[] = dice.chance(0.5) ? [] : [...levelsOf(dice), ...mirrorsOf(dice)];
  return {
    notify,
    ...(dice.chance(0.2) ? { notifyUntilMinutes: dice.whole(1, 20) } : {}),
    ...(dice.chance(0.5) ? {} : { receipt: dice.pick(['ask', 'always']) }),
    givesAccess: dice.chance(0.5),
  };
};

/** The same with levels that change in the chat; again with dice of their own. */
export const changingHabitsOf = (seed: number): Habits => {
  const dice = new Dice(seed ^ 0x1e_7e15);
  const changes = dice.chance(0.6)
    ? []
    : Array.from({ length: dice.whole(1, 6) }, () => ({
        atMinutes: dice.whole(0, 40),
        platform: dice.pick(['slack', 'telegram'] as const),
        level: dice.pick(['all', 'problems', 'none'] as const),
        by: dice.pick(['administrator', 'administrator', 'seller'] as const),
        how: dice.pick(['command', 'press'] as const),
      }));
  return { ...habitsOf(seed), ...(changes.length === 0 ? {} : { levelsSet: changes }) };
};

/** The same with files; once more with dice of their own. */
export const filingHabitsOf = (seed: number): Habits => {
  const dice = new Dice(seed ^ 0xf11e5);
  return { ...changingHabitsOf(seed), files: dice.whole(1, 4) };
};

/** All that a shop does, in half of the worlds: its files repeat each other and typed charges, and its days are closed. */
export const shopHabitsOf = (seed: number): Habits => {
  const dice = new Dice(seed ^ 0x5_409_a7);
  if (dice.chance(0.5)) return changingHabitsOf(seed);
  return {
    ...filingHabitsOf(seed),
    repeats: dice.pick([0.1, 0.4, 0.9]),
    closes: dice.whole(0, 3),
  };
};

/** The same with two merchants, or with people who have a changed client; dice of their own as ever. */
export const crowdHabitsOf = (seed: number): Habits => {
  const dice = new Dice(seed ^ 0xc20_3d);
  return {
    ...shopHabitsOf(seed),
    ...(dice.chance(0.4) ? { hasMerchants: true } : {}),
    ...(dice.chance(0.5) ? { forgeries: dice.whole(5, 60) } : {}),
  };
};

/** The same with money that is given back, in half of the worlds; dice of their own as ever. */
export const tillHabitsOf = (seed: number): Habits => {
  const dice = new Dice(seed ^ 0x71_11);
  return { ...crowdHabitsOf(seed), ...(dice.chance(0.5) ? { givesBack: true } : {}) };
};

const levelsOf = (dice: Dice): NotifyRule[] =>
  (['slack', 'telegram'] as const).flatMap((platform) =>
    dice.chance(0.5)
      ? []
      : [
          {
            place: { platform, channel: CHANNELS[platform] },
            level: dice.pick(['all', 'problems', 'none']),
          },
        ],
  );

const mirrorsOf = (dice: Dice): NotifyRule[] =>
  MIRROR_PLACES.flatMap((place) => {
    if (dice.chance(0.3)) return [];
    const from = { amountMinor: 50_000, currency: 'GHS' };
    const states = dice.pick<MirrorRule['states']>([
      { pending: 'all', completed: 'all', failed: 'all' },
      { completed: from, failed: 'all', unknown: 'all', 'not sent': 'all', refused: 'all' },
      { completed: 'all' },
    ]);
    return [{ place, mirror: { states } }];
  });

/** The settings of a shop with these habits. An SMS names its payment, by which its copies are counted. */
export const smsSettingsOf = ({ receipt, files }: Habits) =>
  receipt === undefined
    ? { senderIds: [] }
    : smsSettings({
        receipt,
        templates: new Map(
          ['receipt', 'reminder', ...(files === undefined ? [] : ['filed'])].map((name) => [
            name,
            { name, text: `${name} {reference}` },
          ]),
        ),
      });
