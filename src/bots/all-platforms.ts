import { slack } from './slack/platform.ts';
import { telegram } from './telegram/platform.ts';
import { terminal } from './terminal/platform.ts';

/** Every chat platform, in the order of messages and menus. */
export const platforms = [slack, telegram, terminal] as const;
