import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { type Parsed, parsed, wrong } from '../../core/runtime/errors.ts';
import { readYaml, yamlOf } from '../../core/values/yaml-text.ts';
import type { ManifestOptions } from '../platform.ts';
import { CommandNames } from './command-names.ts';
import { commandPrefix, requestAddress, SLACK_EVENTS_PATH } from './settings.ts';

const readManifest = () => readFile(new URL('../../../manifest.yml', import.meta.url), 'utf8');

/** What the options change; the rest stays as it is. */
const appSchema = z.looseObject({
  features: z.looseObject({ slash_commands: z.array(z.looseObject({ command: z.string() })) }),
  settings: z.looseObject({
    event_subscriptions: z.looseObject({}),
    interactivity: z.looseObject({}),
  }),
});
type App = z.output<typeof appSchema>;

/** What manifest.yml says; with an option without its comments, for commands with a prefix or requests over HTTP. */
export const slackManifest = async ({ prefix, http }: ManifestOptions): Promise<Parsed<string>> => {
  if (prefix === undefined && http === undefined) return parsed((await readManifest()).trimEnd());
  const before = commandPrefix.optional().safeParse(prefix);
  if (!before.success)
    return wrong('A prefix has up to 20 small letters, digits, - and _.', 'manifest --prefix pay-');
  const root = requestAddress.optional().safeParse(http);
  if (!root.success)
    return wrong('Slack needs an https address.', 'manifest --http https://pay.example.com');
  const app = await appOfManifest();
  const named = before.data === undefined ? app : withPrefix(app, before.data);
  return parsed(yamlOf(root.data === undefined ? named : withAddress(named, root.data)).trimEnd());
};

/** The app as manifest.yml has it, with its commands as people type them after `prefix`. */
export const appWith = async (prefix = ''): Promise<App> =>
  withPrefix(await appOfManifest(), prefix);

const appOfManifest = async (): Promise<App> => {
  const app = readYaml(await readManifest(), appSchema);
  if (app.ok) return app.value;
  throw new Error(`manifest.yml: ${app.problems.join(' ')}`);
};

const withPrefix = ({ features, ...app }: App, prefix: string): App => {
  const names = new CommandNames(prefix);
  const renamed = features.slash_commands.map((each) => ({
    ...each,
    command: names.text(`/${names.nameOf(each.command)}`),
  }));
  // `/help` and what people type in its place are one command then.
  const commands = [...new Map(renamed.map((each) => [each.command, each])).values()];
  return { ...app, features: { ...features, slash_commands: commands } };
};

const withAddress = ({ features, settings, ...app }: App, root: string): App => {
  const url = `${root.replace(SLACK_EVENTS_PATH, '')}${SLACK_EVENTS_PATH}`;
  const commands = features.slash_commands.map((each) => ({ ...each, url }));
  return {
    ...app,
    features: { ...features, slash_commands: commands },
    settings: {
      ...settings,
      event_subscriptions: { ...settings.event_subscriptions, request_url: url },
      interactivity: { ...settings.interactivity, request_url: url },
      socket_mode_enabled: false,
    },
  };
};
