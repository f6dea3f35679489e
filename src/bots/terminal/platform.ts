import type { ChatPlatform } from '../platform.ts';

/** The terminal as data. Its one conversation has the id of its one person. */
export const terminal: ChatPlatform<Record<never, never>, Record<never, never>> = {
  name: 'terminal',
  title: 'Terminal',
  ids: [{ kind: 'person', form: /^[\w.-]+$/ }],
  isLocal: true,

  variables: {},
  signs: [],
  needs: () => [],
  settingsFrom: () => ({}),
  describe: () => 'the terminal',
  webhookPath: () => undefined,

  async create(_, parts) {
    const { TerminalBot } = await import('./terminal-bot.ts');
    return new TerminalBot(parts);
  },
};
