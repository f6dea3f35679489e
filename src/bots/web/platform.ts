import type { ChatPlatform } from '../platform.ts';
import type { Revision } from './revision.ts';
import type { WebBot } from './web-bot.ts';

export type WebSettings = {
  readonly revision: Revision;
  readonly onCreated: (bot: WebBot) => void;
};

/** The practice page as data. No setting turns it on: each visit is a program of its own, with this platform alone. */
export const web: ChatPlatform<Record<never, never>, WebSettings> = {
  name: 'web',
  title: 'Practice page',
  ids: [
    { kind: 'person', form: /^[a-z]+$/ },
    { kind: 'place', form: /^[a-z]+-look$/ },
  ],

  variables: {},
  signs: [],
  needs: () => [],
  settingsFrom: () => undefined,
  describe: () => 'the practice page',
  webhookPath: () => undefined,

  async create({ revision, onCreated }, parts) {
    const { WebBot } = await import('./web-bot.ts');
    const bot = new WebBot(revision, parts);
    onCreated(bot);
    return bot;
  },
};
