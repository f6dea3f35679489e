import { FAILPOINTS, type Failpoint } from '../../../src/core/runtime/failpoints.ts';

/** Moments that a library publishes for us: what it is doing with one HTTP request. */
const BORROWED = {
  'request-begun': {
    channel: 'undici:client:sendHeaders',
    path: /\/make_payment$/,
    what: 'The line to the service stands, and not a byte of the payment request is written.',
  },
  'request-written': {
    channel: 'undici:request:bodySent',
    path: /\/make_payment$/,
    what: 'The payment request is written, and not answered.',
  },
  'message-begun': {
    channel: 'undici:client:sendHeaders',
    path: /\/(sendMessage|editMessageText)$/,
    what: 'A message is about to be written to the chat.',
  },
  'message-written': {
    channel: 'undici:request:bodySent',
    path: /\/(sendMessage|editMessageText)$/,
    what: 'A message is written to the chat, and not answered.',
  },
} as const;

export type PointName = Failpoint | keyof typeof BORROWED;

/** Where a process dies: the n-th time it comes to a moment, or the n-th time with this subject. */
export type Point = { readonly name: PointName; readonly nth: number; readonly subject?: string };

export const borrowedMoments = Object.entries(BORROWED).map(([name, from]) => ({
  name: name as keyof typeof BORROWED,
  ...from,
}));

export const POINT_NAMES = [
  ...(Object.keys(FAILPOINTS) as Failpoint[]),
  ...borrowedMoments.map(({ name }) => name),
] as const;

/** As it is typed: `commit-flushed`, `commit-flushed:3`, `notice-begun:1@01JD2M4X9QK7.outcome`. */
export const pointText = ({ name, nth, subject }: Point): string =>
  `${name}:${nth}${subject === undefined ? '' : `@${subject}`}`;

/** @throws when there is no such moment. */
export const readPoint = (text: string): Point => {
  const [, name, nth = '1', subject] = /^([a-z-]+)(?::(\d+))?(?:@(.+))?$/.exec(text) ?? [];
  const known = POINT_NAMES.find((each) => each === name);
  if (known === undefined)
    throw new Error(`There is no moment "${text}". There are: ${POINT_NAMES.join(', ')}.`);
  return { name: known, nth: Number(nth), ...(subject === undefined ? {} : { subject }) };
};
