import { readFileSync } from 'node:fs';
import { createEmulator, type Emulator } from 'emulate';
import { request } from 'undici';
import { parse } from 'yaml';
import { z } from 'zod';

export const BOT_TOKEN = 'xoxb-test-bot-token';
export const APP_TOKEN = 'xapp-test-app-token';
export const CONFIG_TOKEN = 'xoxe.xoxp-test-configuration-token';
export const BOT_USER_ID = 'U0PAYTHREAD';
export const BOT_NAME = 'paythread';
const BOT_ID = 'B0PAYTHREAD';
export const APP_ID = 'A0PAYTHREAD';

/** An answer of the Web API. */
export type Answer = { ok: boolean; error?: string } & Record<string, unknown>;

/** The app as it was made. */
export const MANIFEST = z
  .looseObject({
    features: z.looseObject({
      slash_commands: z.array(
        z.looseObject({ command: z.string(), should_escape: z.boolean().default(false) }),
      ),
      shortcuts: z.array(z.object({ name: z.string(), type: z.string(), callback_id: z.string() })),
    }),
    settings: z.looseObject({
      event_subscriptions: z.object({ bot_events: z.array(z.string()) }),
    }),
    oauth_config: z.looseObject({ scopes: z.looseObject({ bot: z.array(z.string()) }) }),
  })
  .parse(parse(readFileSync(new URL('../../../manifest.yml', import.meta.url), 'utf8')));

/** What the app was installed with: nothing else may be used, so a scope missing in the manifest shows. */
export const BOT_SCOPES: readonly string[] = MANIFEST.oauth_config.scopes.bot;
export const SLASH_COMMANDS: readonly string[] = MANIFEST.features.slash_commands.map(
  ({ command }) => command,
);

/** Commands in whose words Slack puts ids in the place of mentions. */
export const ESCAPED_COMMANDS: readonly string[] = MANIFEST.features.slash_commands
  .filter(({ should_escape }) => should_escape)
  .map(({ command }) => command);

/** What the menus of Slack offer of the app. */
const SHORTCUTS = MANIFEST.features.shortcuts;

/** The callback id of a shortcut in the manifest. */
export const shortcutNamed = (name: string, type: 'global' | 'message'): string => {
  const found = SHORTCUTS.find((each) => each.name === name && each.type === type);
  if (found === undefined) throw new Error(`the manifest has no ${type} shortcut "${name}"`);
  return found.callback_id;
};

/** The stateful Web API behind our front: channels, messages, threads, direct channels and views. */
export class EmulatedSlack {
  /** Counts the calls that may have changed messages. */
  changes = 0;
  readonly #emulator: Emulator;
  readonly #url: string;

  private constructor(emulator: Emulator) {
    this.#emulator = emulator;
    this.#url = emulator.url.replace('localhost', '127.0.0.1');
  }

  static async start(people: readonly string[]): Promise<EmulatedSlack> {
    const seed = {
      team: { name: 'Acme', domain: 'acme' },
      strict_scopes: true,
      users: people.map((name) => ({ name })),
      oauth_apps: [
        {
          client_id: 'paythread',
          client_secret: 'unused',
          app_id: APP_ID,
          name: 'Paythread',
          redirect_uris: [],
          bot_id: BOT_ID,
          bot_user_id: BOT_USER_ID,
          bot_name: BOT_NAME,
        },
      ],
      tokens: [
        { token: BOT_TOKEN, user: BOT_NAME, scopes: BOT_SCOPES, bot_id: BOT_ID, app_id: APP_ID },
        ...people.map((name) => ({ token: tokenOf(name), user: name })),
      ],
    };
    return new EmulatedSlack(
      await createEmulator({ service: 'slack', port: 0, seed: { slack: seed } }),
    );
  }

  /** One call, with whatever arguments. */
  async call(method: string, args: Record<string, unknown>, token: string): Promise<Answer> {
    try {
      // A call by `fetch` costs three times the CPU, and the tests make tens of thousands.
      const { body } = await request(`${this.#url}/api/${method}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(args),
      });
      return (await body.json()) as Answer;
    } finally {
      // After the change: who looked meanwhile may not have seen it, and looks again.
      if (method.startsWith('chat.')) this.changes += 1;
    }
  }

  /** Puts a file where `files.getUploadURLExternal` said; returns the status. */
  async upload(id: string, bytes: Buffer): Promise<number> {
    const url = `${this.#url}/upload/v1/${id}`;
    return (await fetch(url, { method: 'POST', body: new Blob([new Uint8Array(bytes)]) })).status;
  }

  /** A call that the test itself needs to work. */
  async must(method: string, args: Record<string, unknown>, token: string): Promise<Answer> {
    const answer = await this.call(method, args, token);
    if (!answer.ok)
      throw new Error(`${method} ${JSON.stringify(args)}: ${answer.error ?? answer.message}`);
    return answer;
  }

  async stop(): Promise<void> {
    await this.#emulator.close();
  }
}

/** A person's own token. */
export const tokenOf = (name: string): string => `xoxp-${name}`;
