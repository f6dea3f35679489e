import { SegmentedMessage } from 'sms-segments-calculator';

/** How many parts a text has: each costs one SMS. */
export const partsOf = (text: string): number => new SegmentedMessage(text).segmentsCount;
