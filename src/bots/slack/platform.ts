import type { Platform } from '../../core/values/platform.ts';

/** Slack as data. */
export const slack = {
  name: 'slack',
  title: 'Slack',
  ids: [
    { kind: 'person', form: /^[UW][A-Z0-9]+$/, example: 'U024BE7LH' },
    { kind: 'place', form: /^[CGD][A-Z0-9]+$/, example: 'C0FINANCE' },
    { kind: 'group', form: /^S[A-Z0-9]+$/, example: 'S0614TZR7' },
  ],
  directChannels: /^D[A-Z0-9]+$/,
} as const satisfies Platform;
