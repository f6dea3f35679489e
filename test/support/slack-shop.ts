import { onTestFinished } from 'vitest';
import { freePort } from './free-port.ts';
import type { IdsByName } from './ids-by-name.ts';
import { type Env, type RunOptions, runApp } from './run-app.ts';
import type { ChannelSetup, GroupSetup } from './slack/directory.ts';
import type { Person } from './slack/person.ts';
import { type SlackWorkspace, startSlackWorkspace } from './slack/workspace.ts';

/** Paythread's settings for a workspace, whose requests come to a free port; beside the sandbox. */
const slackSettings = async (slack: SlackWorkspace, transport: 'socket' | 'http'): Promise<Env> => {
  const port = await freePort();
  slack.eventsUrl = `http://127.0.0.1:${port}/slack/events`;
  return {
    PAYMENTS_BASE_URL: 'sandbox',
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_API_URL: slack.apiUrl,
    ...(transport === 'socket'
      ? { SLACK_APP_TOKEN: slack.appToken }
      : { SLACK_SIGNING_SECRET: slack.signingSecret }),
    PORT: String(port),
  };
};

type SlackOptions<Name extends string> = {
  /** @default `http` */
  readonly transport?: 'socket' | 'http';
  readonly people: readonly Name[];
  /** By name alone where everybody and the bot are in it. @default `sales` */
  readonly channels?: readonly (string | ChannelSetup)[];
  readonly groups?: readonly GroupSetup[];
};

/** A workspace that is stopped with the test, its people, their ids by name, and the settings that lead there. */
export const openSlack = async <Name extends string>({
  transport = 'http',
  people,
  channels = ['sales'],
  groups = [],
}: SlackOptions<Name>) => {
  const setups = channels.map((each) => (typeof each === 'string' ? { name: each } : each));
  const slack = await startSlackWorkspace({ transport, people, channels: setups, groups });
  onTestFinished(() => slack.stop());
  const persons = people.map((name) => [name, slack.person(name)] as const);
  const ids: IdsByName = new Map([
    ...persons.map(([name, { id }]) => [`<@${name}>`, `slack:${id}`] as const),
    ...(await Promise.all(
      setups.map(
        async ({ name }) => [`<#${name}>`, `slack:${await slack.channelId(name)}`] as const,
      ),
    )),
    ...groups.map(({ handle }) => [`<!${handle}>`, `slack:${slack.groupId(handle)}`] as const),
  ]);
  const settings = await slackSettings(slack, transport);
  return { slack, ids, settings, ...(Object.fromEntries(persons) as Record<Name, Person>) };
};

/**
 * The whole program beside the sandbox, and a Slack that reaches it. `access` and `env` name people, channels and
 * user groups as `<@ama>`, `<#sales>` and `<!finance>`. Without `access` the first of the people may do everything.
 *
 * ```ts
 * const { slack, ama, payments } = await openSlackShop({ people: ['ama'] });
 * await chargeInSlack(ama, 'sales', '0244123456 50');
 * await slack.message('sales', /: completed/);
 * expect(payments()).toHaveLength(1);
 * ```
 */
export const openSlackShop = async <Name extends string>({
  env = {},
  access,
  ...options
}: SlackOptions<Name> & RunOptions & { readonly env?: Env }) => {
  const { settings, ...slack } = await openSlack(options);
  const all = `{roles: {all: {commands: '*', admin: true}}, members: {all: ['<@${options.people[0]}>']}}`;
  const { ids } = slack;
  const shop = await runApp({ ...settings, ...env }, { ...options, ids, access: access ?? all });
  return { ...shop, ...slack };
};
