import type { Platform } from '../../core/values/platform.ts';

/** Telegram as data. A private chat has the id of its person; groups and channels have negative ids. */
export const telegram = {
  name: 'telegram',
  title: 'Telegram',
  ids: [
    { kind: 'person', form: /^[1-9]\d*$/, example: '123456789' },
    { kind: 'place', form: /^-[1-9]\d*$/, example: '-1001234567890' },
  ],
} as const satisfies Platform;
