import type { Trouble } from './instances.ts';
import {
  type Finding,
  repeatsOf,
  type Story,
  tellingMs,
  titleOf,
  type Verdict,
} from './verdict.ts';

const MOST_FINDINGS_SHOWN = 10;
const LOG_TAIL_LINES = 40;
const MOST_LOG_LINES_EACH = 30;

type Weathered = {
  readonly verdict: Verdict;
  readonly troubles: readonly Trouble[];
  /** How often the payment service was too busy to take a payment. */
  readonly busy: number;
};

/** The storm in some lines. */
export const summary = ({ verdict: { stories }, troubles, busy }: Weathered): string => {
  const count = (fits: (story: Story) => boolean) => stories.filter(fits).length;
  const told = (word: string) => count(({ outcomes }) => outcomes.some((one) => one.word === word));
  const truth = (word: string) => count(({ takings }) => takings[0]?.truth === word);
  const repeats = stories.flatMap((story) => [...repeatsOf(story)]);
  const cards = sum(repeats.map(([what, times]) => (what === 'the card' ? times : 0)));
  const outcomes = sum(repeats.map(([, times]) => times)) - cards;
  const inCalm = count((story) => story.calm && repeatsOf(story).size > 0);
  return lines([
    ['weather', weatherText(troubles)],
    [
      'charges',
      `${stories.length} asked, ${count(({ charge }) => charge.presses > 0)} pressed (${sum(stories.map(({ charge }) => charge.presses))} presses), ${count(({ charge }) => charge.acceptedAtMs !== undefined)} seen accepted, ${count(({ charge }) => charge.cancelledAtMs !== undefined)} cancelled, ${count(({ calm }) => calm)} away from every trouble`,
    ],
    [
      'service',
      `${count(({ takings }) => takings.length > 0)} taken: ${truth('completed')} completed, ${truth('failed')} failed; ${busy} times too busy`,
    ],
    [
      'told',
      `${told('completed')} completed, ${told('failed')} failed, ${told('unknown')} unknown (${count(isNeverKnown)} for good), ${told('not sent')} not sent, ${told('refused')} refused`,
    ],
    ['repeats', `${outcomes} outcomes and ${cards} cards, ${inCalm} of them away from trouble`],
    ['time', timeText(stories)],
  ]);
};

const isNeverKnown = ({ takings, outcomes }: Story): boolean =>
  takings.length === 0 && outcomes.length > 0 && outcomes.every(({ word }) => word === 'unknown');

const weatherText = (troubles: readonly Trouble[]): string => {
  const of = (kind: Trouble['kind']) => troubles.filter((trouble) => trouble.kind === kind);
  const longestMs = Math.max(0, ...of('pause').map(({ fromMs, toMs }) => toMs - fromMs));
  return `${of('kill').length} kills, ${of('pause').length} pauses (the longest ${seconds(longestMs)}), ${of('roll').length} rolls`;
};

const timeText = (stories: readonly Story[]): string => {
  const times = (some: readonly Story[]) =>
    some.flatMap((story) => tellingMs(story) ?? []).sort((a, b) => a - b);
  const all = times(stories);
  const calm = times(stories.filter((story) => story.calm));
  const median = all[Math.floor(all.length / 2)];
  return `from the end at the service to the outcome in the chat: ${seconds(median)} in the middle, ${seconds(all.at(-1))} at most, ${seconds(calm.at(-1))} at most away from trouble`;
};

/** Everything needed to understand what went wrong. */
export const evidence = (
  findings: readonly Finding[],
  {
    troubles,
    startedMs,
    logs,
  }: Pick<Weathered, 'troubles'> & {
    startedMs: number;
    /** By instance. */
    logs: Readonly<Record<string, string>>;
  },
): string => {
  const at = (ms: number) => `+${((ms - startedMs) / 1000).toFixed(2)} s`;
  const shown = findings.slice(0, MOST_FINDINGS_SHOWN);
  return [
    'Timeline of the weather:',
    ...troubles.map(
      ({ kind, instance, fromMs, toMs }) => `  ${at(fromMs)} to ${at(toMs)}: ${kind} ${instance}`,
    ),
    ...shown.flatMap(({ story, what }) => [
      '',
      `${titleOf(story)}: ${what}`,
      ...history(story).map(([ms, text]) => `  ${at(ms)} ${text}`),
      ...logsAbout(story, logs),
    ]),
    ...Object.entries(logs).flatMap(([name, log]) => [
      '',
      `The end of the log of ${name}:`,
      ...log.trimEnd().split('\n').slice(-LOG_TAIL_LINES),
    ]),
  ].join('\n');
};

const history = ({ charge, takings, cards, outcomes }: Story): [number, string][] => {
  const { askedAtMs, pressedAtMs, presses, acceptedAtMs, cancelledAtMs, customerNumber } = charge;
  const told = [...cards, ...outcomes];
  const events: (readonly [number | undefined, string])[] = [
    [askedAtMs, `typed, for ${customerNumber}`],
    [pressedAtMs, `pressed, ${presses} times in all`],
    [acceptedAtMs, 'seen accepted'],
    [cancelledAtMs, 'seen cancelled'],
    ...takings.map((one) => [one.atMs, `the service takes ${one.transactionId}`] as const),
    ...takings.map((one) => [one.settlesAtMs, `the service settles: ${one.truth}`] as const),
    ...told.map(
      ({ kind, word, said }) =>
        [
          said.atMs,
          `${kind} #${said.id}${said.under === undefined ? '' : ` under #${said.under}`}: ${word} in the end`,
        ] as const,
    ),
  ];
  return events
    .flatMap(([ms, text]): [number, string][] => (ms === undefined ? [] : [[ms, text]]))
    .sort(([a], [b]) => a - b);
};

const logsAbout = (
  { takings, cards, outcomes }: Story,
  logs: Readonly<Record<string, string>>,
): string[] => {
  const ids = new Set(
    [...takings, ...cards, ...outcomes].flatMap((one) => one.transactionId ?? []),
  );
  return Object.entries(logs).flatMap(([name, log]) =>
    log
      .split('\n')
      .filter((line) => [...ids].some((id) => line.includes(id)))
      .slice(0, MOST_LOG_LINES_EACH)
      .map((line) => `  ${name}: ${line}`),
  );
};

const lines = (rows: readonly (readonly [string, string])[]): string =>
  rows.map(([name, text]) => `${name.padEnd(9)}${text}`).join('\n');

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

const seconds = (ms: number | undefined): string =>
  ms === undefined ? 'never' : `${(ms / 1000).toFixed(1)} s`;
