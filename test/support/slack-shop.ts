import { onTestFinished } from 'vitest';
import type { Clock } from '../../src/core/runtime/clock.ts';
import { freePort } from './free-port.ts';
import { runApp } from './run-app.ts';
import { startSlackWorkspace } from './slack/workspace.ts';

/** Paythread's settings for a workspace, whose requests come to a free port; beside the sandbox. */
export const slackSettings = async (
  slack: Awaited<ReturnType<typeof startSlackWorkspace>>,
  transport: 'socket' | 'http',
): Promise<Readonly<Record<string, string>>> => {
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

/** The whole program beside the sandbox, and a Slack that reaches it over HTTP, with one person who may do everything. */
export const openSlackShop = async (
  env: Readonly<Record<string, string>> = {},
  { people = ['ama'], ...options }: { clock?: Clock; people?: readonly string[] } = {},
) => {
  const slack = await startSlackWorkspace({
    transport: 'http',
    people,
    channels: [{ name: 'sales' }],
  });
  onTestFinished(() => slack.stop());
  const ama = slack.person('ama');
  const { app } = await runApp(
    { ...(await slackSettings(slack, 'http')), ...env },
    {
      ...options,
      access: `{roles: {all: {commands: '*', admin: true}}, members: {all: ['slack:${ama.id}']}}`,
    },
  );
  return { slack, ama, app };
};
