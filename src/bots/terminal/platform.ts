import type { Platform } from '../../core/values/platform.ts';

/** The terminal as data. Its one conversation has the id of its one person. */
export const terminal = {
  name: 'terminal',
  title: 'Terminal',
  ids: [{ kind: 'person', form: /^[\w.-]+$/ }],
  isLocal: true,
} as const satisfies Platform;
