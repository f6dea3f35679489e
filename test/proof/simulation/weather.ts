import type { Dice } from '../storm/dice.ts';

/**
 * What goes wrong in one seed's world, each as a chance for every occasion. Most seeds have a part of the
 * faults only (swarm testing): all at once would hide from each other.
 */
export type Weather = {
  /** Virtual minutes of activity before everything heals. */
  readonly minutes: number;
  readonly orders: number;
  readonly isShared: boolean;
  readonly requestsPerSecond: number;

  /** A process dies in the middle of a call to the outside or to its disk. */
  readonly dies: number;
  /** Times in an hour that a process is killed, stopped cleanly, stands still, or has its clock set. */
  readonly kills: number;
  readonly stops: number;
  readonly pauses: number;
  /** A process stands still in the middle of a call. */
  readonly stalls: number;
  readonly clockJumps: number;
  readonly slowStore: number;
  readonly failingStore: number;

  readonly unsent: number;
  readonly answerLost: number;
  readonly requestLost: number;
  readonly late: number;
  readonly arrivesLate: number;
  readonly busy: number;
  readonly serverError: number;
  readonly refused: number;
  readonly keysRefused: number;
  readonly oddAnswer: number;
  /** A refusal that charges all the same. */
  readonly lyingRefusal: number;
  readonly gatewayDown: number;

  readonly neverSettles: number;
  readonly slowSettling: number;
  readonly notFoundFirst: number;
  readonly staleStatus: number;
  readonly statusTrouble: number;
  readonly wrongAmount: number;
  readonly flips: number;

  readonly callbackLost: number;
  readonly callbackLate: number;
  readonly callbackTwice: number;
  readonly callbackFalse: number;
  readonly callbackForged: number;
  readonly callbackEarly: number;

  readonly chatTrouble: number;
  readonly chatUnclear: number;
  readonly chatBusy: number;
  readonly chatDown: number;
  readonly placeGone: number;
  readonly placeMoved: number;

  readonly redelivery: number;
  readonly doublePress: number;
  readonly colleaguePresses: number;
  readonly latePress: number;
  readonly repeatsOrder: number;
  readonly asksStatus: number;
  readonly revokes: number;
  /** A 429 that charges all the same. */
  readonly busyTaken: number;
};

type Plan = Pick<Weather, 'minutes' | 'orders' | 'isShared' | 'requestsPerSecond'>;
type Fault = Exclude<keyof Weather, keyof Plan>;

/** The highest chance of each fault, or its highest number an hour. */
const WORST: Readonly<Record<Fault, number>> = {
  dies: 0.05,
  kills: 12,
  stops: 4,
  pauses: 6,
  stalls: 0.02,
  clockJumps: 3,
  slowStore: 0.3,
  failingStore: 0.01,
  unsent: 0.4,
  answerLost: 0.4,
  requestLost: 0.3,
  late: 0.3,
  arrivesLate: 0.2,
  busy: 0.6,
  serverError: 0.3,
  refused: 0.2,
  keysRefused: 0.2,
  oddAnswer: 0.3,
  lyingRefusal: 0.5,
  gatewayDown: 2,
  neverSettles: 0.2,
  slowSettling: 0.4,
  notFoundFirst: 0.4,
  staleStatus: 0.4,
  statusTrouble: 0.5,
  wrongAmount: 0.15,
  flips: 0.15,
  callbackLost: 1,
  callbackLate: 0.6,
  callbackTwice: 0.6,
  callbackFalse: 0.4,
  callbackForged: 0.5,
  callbackEarly: 0.5,
  chatTrouble: 0.3,
  chatUnclear: 0.3,
  chatBusy: 0.3,
  chatDown: 2,
  placeGone: 0.2,
  placeMoved: 0.2,
  redelivery: 0.3,
  doublePress: 0.4,
  colleaguePresses: 0.3,
  latePress: 0.2,
  repeatsOrder: 0.5,
  asksStatus: 0.5,
  revokes: 0.2,
  // At the end, so that the weather of a seed stays what it was.
  busyTaken: 0.5,
};

const FAULTS = Object.keys(WORST) as Fault[];

/** Nothing goes wrong. */
export const calmWeather = ({ minutes, orders, isShared, requestsPerSecond }: Plan): Weather => ({
  // The record has every fault, which the compiler cannot see.
  ...(Object.fromEntries(FAULTS.map((fault) => [fault, 0])) as Record<Fault, number>),
  minutes,
  orders,
  isShared,
  requestsPerSecond,
});

/** Mostly short, because most goes wrong in the first minutes; sometimes longer than a day. */
const minutesOf = (dice: Dice): number => {
  const length = dice.between(0, 1);
  if (length < 0.8) return dice.whole(8, 20);
  return length < 0.96 ? dice.whole(20, 60) : dice.whole(60, 40 * 60);
};

/** The weather of a seed: calm, or some of the faults, from rare to often. */
export const weatherOf = (dice: Dice): Weather => {
  const calm = calmWeather({
    minutes: minutesOf(dice),
    orders: dice.whole(1, 4),
    isShared: dice.chance(0.25),
    requestsPerSecond: dice.pick([5, 5, 5, 1, 0.5]),
  });
  const share = dice.pick([0, 0.08, 0.08, 0.2, 0.2, 0.5, 1]);
  const faults = FAULTS.map((fault) => {
    const strength = dice.pick([0.1, 0.4, 1]);
    return [fault, dice.chance(share) ? WORST[fault] * strength : 0];
  });
  return { ...calm, ...(Object.fromEntries(faults) as Record<Fault, number>) };
};
