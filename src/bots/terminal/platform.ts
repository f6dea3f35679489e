import { randomUUID } from 'node:crypto';
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

  async create(_, { input, output, inbound, askStepByStep, commands, userName, isSandbox }) {
    const { TerminalBot } = await import('./terminal-bot.ts');
    return new TerminalBot({
      input,
      output,
      inbound,
      askStepByStep,
      name: userName,
      greeting: isSandbox
        ? 'Paythread with a simulated payment service: no money moves. Try /charge 0244123456 50 GHS, or /help.'
        : 'Paythread. /help lists the commands.',
      newEventId: randomUUID,
      commandNames: commands.map(({ name }) => name),
    });
  },
};
