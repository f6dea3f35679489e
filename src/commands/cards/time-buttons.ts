import { type Button, pressButton } from './card.ts';

/** The most bytes of a button's verb, a colon and its id. */
const MOST_BYTES = 64;

/** A button; undefined where its words are too long for one. */
export const fittingButton = (label: string, verb: string, id: string): Button | undefined =>
  Buffer.byteLength(`${verb}:${id}`) > MOST_BYTES ? undefined : pressButton(label, verb, id);

const TIMES = ['Today', 'Yesterday', 'This week', 'Last week', 'This month', 'Last month'];

/** Buttons for the same command with times that it knows, and `others` of its words. */
export const timeButtons = (verb: string, others = '', times = TIMES): Button[] =>
  times.flatMap(
    (time) => fittingButton(time, verb, `${time.toLowerCase()} ${others}`.trim()) ?? [],
  );
