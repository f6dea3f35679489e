import type { PostResult } from '../../../src/core/gateway/post-json.ts';
import { assertNever } from '../../../src/core/runtime/errors.ts';
import type { Dice } from '../storm/dice.ts';
import type { Truth } from './charges.ts';
import type { Weather } from './weather.ts';

/** An answer, and how long it takes when that is not by chance. */
export type Reply = readonly [exchange: PostResult, tookMs?: number];

const FATES = [
  'unsent',
  'answerLost',
  'requestLost',
  'late',
  'arrivesLate',
  'busy',
  'serverError',
  'refused',
  'keysRefused',
  'oddAnswer',
] as const;

/** What becomes of a `make_payment`. */
export type Fate = (typeof FATES)[number] | 'oddStatus' | 'taken';

/** The answer proves that nothing was taken. */
export const PROVEN_NOT: ReadonlySet<Fate> = new Set(['unsent', 'busy', 'refused', 'keysRefused']);

/** It was taken, whatever the answer. */
export const TAKEN: ReadonlySet<Fate> = new Set([
  'answerLost',
  'late',
  'arrivesLate',
  'oddStatus',
  'taken',
]);

export const fateOf = (dice: Dice, weather: Weather): Fate => {
  const fate = FATES.find((each) => dice.chance(weather[each])) ?? 'taken';
  return fate === 'oddAnswer' && dice.chance(0.4) ? 'oddStatus' : fate;
};

export const replyTo = (
  fate: Fate,
  { dice, timeoutMs, nowMs }: { dice: Dice; timeoutMs: number; nowMs: number },
): Reply => {
  switch (fate) {
    case 'unsent':
      return [REFUSED_CONNECTION];
    case 'answerLost':
      return [BROKEN];
    case 'requestLost':
      return dice.chance(0.5) ? [NO_ANSWER, timeoutMs] : [BROKEN];
    case 'late':
    case 'arrivesLate':
      return [NO_ANSWER, timeoutMs];
    case 'busy':
      return [busy(dice, nowMs)];
    case 'serverError': {
      const httpStatus = dice.pick([500, 502, 503, 504, 302, 408]);
      const body = dice.pick([UNREADABLE, '', '{"response_code":"500"}']);
      return [{ kind: 'answered', httpStatus, body }];
    }
    case 'refused':
      return [said(dice.pick([400, 422, 404]), '031')];
    case 'keysRefused':
      return [said(dice.pick([401, 403]), '401')];
    case 'oddAnswer': {
      const body = dice.pick([
        '{"response_code":"777"}',
        '{"response_code"',
        'null',
        '{"response_code":"202","response_code":"031"}',
      ]);
      return [{ kind: 'answered', httpStatus: 200, body }];
    }
    case 'oddStatus':
      return [said(dice.pick([400, 500, 201]), '202')];
    case 'taken':
      return [said(200, '202')];
    default:
      return assertNever(fate);
  }
};

/** What becomes of a charge, and when. */
export const truthsOf = (dice: Dice, weather: Weather, atMs: number): Truth[] => {
  if (dice.chance(weather.neverSettles)) return [];
  const slow = dice.chance(weather.slowSettling);
  const firstMs = atMs + (slow ? dice.whole(60_000, 48 * 3_600_000) : dice.whole(0, 20_000));
  const word = dice.chance(0.75) ? 'completed' : 'failed';
  const first: Truth = { atMs: firstMs, word };
  if (!dice.chance(weather.flips)) return [first];
  const other = word === 'completed' ? 'failed' : 'completed';
  return [first, { atMs: firstMs + dice.whole(0, 20 * 3_600_000), word: other }];
};

/** 429, with every way to say how long. */
export const busy = (dice: Dice, nowMs: number): PostResult => {
  const date = new Date(nowMs + 45_000).toUTCString();
  const retryAfter = dice.pick([undefined, '1', '30', '-5', '1000000000', 'soon', date]);
  return { ...said(429, '429'), ...(retryAfter === undefined ? {} : { retryAfter }) };
};

export const said = (
  httpStatus: number,
  code: string,
  data?: object,
): Extract<PostResult, { kind: 'answered' }> => ({
  kind: 'answered',
  httpStatus,
  body: JSON.stringify({
    response_code: code,
    response_message: 'said by the simulation',
    ...(data === undefined ? {} : { response_data: data }),
  }),
});

export const UNREADABLE = '<html><body><h1>502 Bad Gateway</h1></body></html>';

export const NO_ANSWER: PostResult = {
  kind: 'unanswered',
  unsent: false,
  reason: 'No answer came in time.',
};

export const REFUSED_CONNECTION: PostResult = {
  kind: 'unanswered',
  unsent: true,
  reason: 'it refused the connection.',
};

const BROKEN: PostResult = { kind: 'unanswered', unsent: false, reason: 'The connection broke.' };
