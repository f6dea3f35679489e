import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Failure, Played } from './lanes.ts';
import { namesFor, roundText, type StoreKind } from './plan.ts';
import type { PointName } from './points.ts';
import type { Shop } from './shop.ts';
import { type Finding, idOf, isFinal, repeatsIn, type Story, titleOf } from './verdict.ts';

const MOST_FINDINGS_SHOWN = 8;
const MOST_LOG_LINES = 30;
/** Nobody was in the middle of anything when the last sign is older than that. */
const IN_HAND_MS = 2_000;

/** A run in some lines. */
export const summary = ({ shops }: Played, seconds: number): string => {
  const stories = shops.flatMap((shop) => shop.stories());
  const count = (fits: (story: Story) => boolean) => stories.filter(fits).length;
  const told = (word: string) => count(({ outcomes }) => outcomes.at(-1)?.word === word);
  const repeats = stories.map(repeatsIn);
  const rounds = shops.reduce((sum, shop) => sum + shop.rounds.length, 0);
  return [
    line('run', `${rounds} rounds in ${shops.length} shops, ${seconds.toFixed(0)} s`),
    ...(['embedded', 'postgres'] as const).flatMap((store) => killLines(store, shops)),
    line(
      'charges',
      `${stories.length} typed, ${count(({ sale }) => sale.pressedAtMs !== undefined)} pressed, ${count(({ postings }) => postings.some(({ fate }) => fate === 'charged'))} charged`,
    ),
    line(
      'told',
      `${told('completed')} completed, ${told('failed')} failed, ${told('unknown')} unknown, ${told('not sent')} not sent`,
    ),
    line(
      'repeats',
      `${sum(repeats.map(({ outcomes }) => outcomes))} outcomes and ${sum(repeats.map(({ cards }) => cards))} cards, each right after a death in the middle of a message`,
    ),
    line(
      'set aside',
      `${sum(shops.map(({ setAside }) => setAside.length))} for an hour, each in hand at three deaths and told to the operators`,
    ),
    line('ready', `after kill -9: ${timesText(shops.flatMap(readyTimesMs))} (goal 5 s)`),
    ...(['embedded', 'postgres'] as const).flatMap((store) => {
      const times = shops.filter((shop) => shop.store === store).flatMap(pickUpTimesMs);
      return times.length === 0
        ? []
        : [line('orphans', `${store}: picked up after ${timesText(times)} (goal 60 s)`)];
    }),
  ].join('\n');
};

const killLines = (store: StoreKind, all: readonly Shop[]): string[] => {
  const shops = all.filter((shop) => shop.store === store);
  if (shops.length === 0) return [];
  const deaths = new Map<PointName, number>();
  for (const shop of shops)
    for (const [name, times] of shop.deaths) deaths.set(name, (deaths.get(name) ?? 0) + times);
  const names = namesFor(store);
  const missed = names.filter((name) => !deaths.has(name));
  const atRandom = sum(shops.map(({ randomDeaths }) => randomDeaths));
  const total = sum([...deaths.values()]);
  return [
    line(
      store,
      `${total + atRandom} kills: ${total} at ${deaths.size} of ${names.length} moments, ${atRandom} at random`,
    ),
    line(
      '',
      names.flatMap((name) => (deaths.get(name) ? [`${name} ${deaths.get(name)}`] : [])).join(', '),
    ),
    ...(missed.length === 0 ? [] : [line('', `never reached: ${missed.join(', ')}`)]),
  ];
};

const readyTimesMs = ({ program: { lives } }: Shop): number[] =>
  lives
    .slice(1)
    .flatMap(({ startedAtMs, readyAtMs }) =>
      readyAtMs === undefined ? [] : [readyAtMs - startedAtMs],
    );

/** From the last death that found a payment in somebody's hands to the next sign of life about it. */
const pickUpTimesMs = (shop: Shop): number[] => {
  const deathsMs = shop.program.lives.flatMap(({ endedAtMs }) => endedAtMs ?? []);
  return shop.stories().flatMap((story) => {
    const signs = signsMs(story);
    return signs.flatMap((sign, at) => {
      const before = signs[at - 1];
      const death = deathsMs.findLast((ms) => before !== undefined && before <= ms && ms <= sign);
      const inHand = death !== undefined && before !== undefined && death - before < IN_HAND_MS;
      return inHand ? [sign - death] : [];
    });
  });
};

/** Everything about it that was seen outside from the press to its end; what is asked after that waits for its time. */
const signsMs = ({ sale, postings, askedAtMs, cards, outcomes }: Story): number[] => {
  const end = outcomes.find(isFinal)?.said.atMs ?? Number.POSITIVE_INFINITY;
  return [
    ...(sale.pressedAtMs === undefined ? [] : [sale.pressedAtMs]),
    ...postings.map(({ atMs }) => atMs),
    ...askedAtMs,
    ...[...cards, ...outcomes].map(({ said }) => said.atMs),
  ]
    .filter((atMs) => atMs <= end)
    .sort((a, b) => a - b);
};

/** Everything needed to understand what went wrong. */
export const evidence = ({ failures }: Played, { seed }: { seed: number }): string =>
  failures.flatMap((failure) => failureLines(failure, seed)).join('\n');

const failureLines = ({ shop, round, findings }: Failure, seed: number): string[] => {
  const last = round ?? shop.rounds.at(-1);
  const log = readFileSync(join(shop.dir, 'log'), 'utf8').split('\n');
  return [
    '',
    `${shop.store} shop, ${round === undefined ? 'after its last round' : `round ${round.number}`}; its rounds:`,
    ...shop.rounds.map((each) => `  ${each.number}: ${roundText(each)}`),
    ...findings
      .slice(0, MOST_FINDINGS_SHOWN)
      .flatMap((finding) => findingLines(finding, shop, log)),
    `Folder and log are kept in ${shop.dir}`,
    ...(last === undefined
      ? []
      : [
          `Again: npm run crash-test -- --rounds 20 --seed ${seed} --store ${shop.store} --at ${replay(last)}`,
        ]),
  ];
};

const replay = (round: Parameters<typeof roundText>[0]): string =>
  roundText(round).replaceAll(' + ', '+').replaceAll('at random', 'random');

const findingLines = ({ story, what }: Finding, shop: Shop, log: readonly string[]): string[] => {
  if (story === undefined) return ['', what];
  const id = idOf(story) ?? 'none';
  return [
    '',
    `${titleOf(story)}: ${what}`,
    ...history(story, shop).map(([atMs, text]) => `  ${clockText(atMs)} ${text}`),
    ...log
      .filter((each) => each.includes(id))
      .slice(0, MOST_LOG_LINES)
      .map((each) => `  ${each}`),
  ];
};

const history = ({ sale, postings, askedAtMs, taken, cards, outcomes }: Story, shop: Shop) => {
  const events: [number, string][] = [
    [sale.typedAtMs, `typed, for ${sale.customerNumber}`],
    ...(sale.pressedAtMs === undefined ? [] : [[sale.pressedAtMs, 'pressed'] as [number, string]]),
    ...postings.map(({ atMs, id, fate }): [number, string] => [
      atMs,
      `the service gets ${id}: ${fate}`,
    ]),
    ...postings
      .filter(({ fate }) => fate === 'charged')
      .map(({ settlesAtMs, truth }): [number, string] => [settlesAtMs, `the service: ${truth}`]),
    ...askedAtMs.map((atMs): [number, string] => [atMs, 'the service is asked']),
    ...taken.map(({ atMs }): [number, string] => [atMs, 'a callback is taken']),
    ...[...cards, ...outcomes].map(({ kind, word, said }): [number, string] => [
      said.atMs,
      `${kind} #${said.id}${said.under === undefined ? '' : ` under #${said.under}`}: ${word} in the end`,
    ]),
    ...shop.program.lives.flatMap(({ startedAtMs, readyAtMs, endedAtMs }): [number, string][] => [
      [startedAtMs, 'a process starts'],
      ...(readyAtMs === undefined ? [] : [[readyAtMs, 'it is ready'] as [number, string]]),
      ...(endedAtMs === undefined ? [] : [[endedAtMs, 'it ends'] as [number, string]]),
    ]),
  ];
  return events.filter(([atMs]) => atMs >= sale.typedAtMs - 2_000).sort(([a], [b]) => a - b);
};

const clockText = (atMs: number): string => new Date(atMs).toISOString().slice(11, 23);

const timesText = (times: readonly number[]): string => {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => seconds(sorted[Math.floor((sorted.length - 1) * share)]);
  return `p50 ${at(0.5)}, p99 ${at(0.99)}, max ${at(1)} of ${times.length}`;
};

const line = (name: string, text: string): string => `${name.padEnd(10)}${text}`;

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

const seconds = (ms: number | undefined): string =>
  ms === undefined ? 'never' : `${(ms / 1000).toFixed(2)} s`;
