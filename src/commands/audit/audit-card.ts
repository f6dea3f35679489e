import { showDate, showSecond } from '../../core/values/format-time.ts';
import type { Card, CardPart } from '../cards/card.ts';
import type { Story } from './audit-story.ts';

/** What fits into one message of every platform, with room for the rest of the message. */
const MOST_LINES = 36;
const MOST_CHARACTERS = 2_900;
/** Some platforms share a list's room out among its lines; so many have enough of it each. */
const LINES_IN_LIST = 12;

type Line = { readonly day: string; readonly text: string };

/** @param options `isWhole`: nothing is left out, for where there is room. */
export const storyCard = (
  { title, steps }: Story,
  timeZone: string,
  { isWhole = false } = {},
): Card => {
  const lines = steps.map(({ atMs, text }) => ({
    day: showDate(atMs, timeZone),
    text: `${showSecond(atMs, timeZone)} ${text}`,
  }));
  return { title, parts: runsOf(isWhole ? lines : shortened(lines)).flatMap(dayParts) };
};

/** How a thing began and how it ended tell more than its middle. */
const shortened = (lines: readonly Line[]): readonly Line[] => {
  const [head, tail] = [[] as Line[], [] as Line[]];
  let [first, last, room] = [0, lines.length - 1, MOST_CHARACTERS];
  while (first <= last && head.length + tail.length < MOST_LINES) {
    const isHead = head.length <= tail.length;
    const line = lines[isHead ? first : last];
    if (line === undefined || line.text.length > room) break;
    room -= line.text.length;
    if (isHead) head.push(line);
    else tail.unshift(line);
    if (isHead) first++;
    else last--;
  }
  const leftOut = last - first + 1;
  if (leftOut <= 0) return lines;
  const day = head.at(-1)?.day ?? '';
  return [...head, { day, text: `… ${leftOut} more left out here …` }, ...tail];
};

const runsOf = (lines: readonly Line[]): Line[][] => {
  const runs: Line[][] = [];
  for (const line of lines) {
    const run = runs.at(-1);
    if (run?.[0]?.day === line.day) run.push(line);
    else runs.push([line]);
  }
  return runs;
};

const dayParts = (lines: readonly Line[]): CardPart[] => {
  const parts: CardPart[] = [{ kind: 'text', text: lines[0]?.day ?? '' }];
  for (let at = 0; at < lines.length; at += LINES_IN_LIST)
    parts.push({
      kind: 'list',
      items: lines.slice(at, at + LINES_IN_LIST).map(({ text }) => text),
    });
  return parts;
};
