import { SegmentedMessage } from 'sms-segments-calculator';
import { withoutAutoLinks } from '../values/normalise-input.ts';

/** How many parts a text has: each costs one SMS. */
export const partsOf = (text: string): number => new SegmentedMessage(text).segmentsCount;

/** A text as it may be sent: what cannot be seen is gone, unless letters or emoji are joined by it. */
export const cleanText = (typed: string): string =>
  withoutAutoLinks(typed)
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    // One no-break space would make a message more than twice as dear.
    .replace(/[^\S\n\ufeff]/g, ' ')
    .replace(
      /(?![\n])\p{Cc}|[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu,
      '',
    )
    .toWellFormed();
