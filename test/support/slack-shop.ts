import { onTestFinished } from 'vitest';
import { freePort } from './free-port.ts';
import { runApp } from './run-app.ts';
import { startSlackWorkspace } from './slack/workspace.ts';

/** The whole program beside the sandbox, and a Slack that reaches it over HTTP, with one person who may do everything. */
export const openSlackShop = async (env: Readonly<Record<string, string>> = {}) => {
  const slack = await startSlackWorkspace({
    transport: 'http',
    people: ['ama'],
    channels: [{ name: 'sales' }],
  });
  onTestFinished(() => slack.stop());
  const ama = slack.person('ama');
  const port = await freePort();
  slack.eventsUrl = `http://127.0.0.1:${port}/slack/events`;
  const { app } = await runApp(
    {
      PAYMENTS_BASE_URL: 'sandbox',
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_API_URL: slack.apiUrl,
      SLACK_SIGNING_SECRET: slack.signingSecret,
      PORT: String(port),
      ...env,
    },
    { access: `{roles: {all: {commands: '*'}}, members: {all: ['slack:${ama.id}']}}` },
  );
  return { slack, ama, app };
};
