import { createServer } from 'node:http';
import { App, HTTPReceiver, LogLevel } from '@slack/bolt';
import { Bot, webhookCallback } from 'grammy';
import { serve } from '../served.ts';

/** Both libraries in one process, signed in, and nothing else. */
const receiver = new HTTPReceiver({
  signingSecret: process.env['SLACK_SIGNING_SECRET'] ?? '',
  endpoints: ['/slack/events'],
  logLevel: LogLevel.ERROR,
});
const app = new App({
  token: 'xoxb-bench',
  receiver,
  clientOptions: { slackApiUrl: process.env['SLACK_API_URL'] ?? '' },
  logLevel: LogLevel.ERROR,
});
app.command(/^/, ({ ack }) => ack());
const bot = new Bot(process.env['TELEGRAM_BOT_TOKEN'] ?? '', {
  client: { apiRoot: process.env['TELEGRAM_API_ROOT'] ?? '' },
});
await Promise.all([app.client.auth.test(), bot.init()]);
const telegram = webhookCallback(bot, 'http');
serve(
  createServer((request, response) => {
    if (request.url === '/slack/events') receiver.requestListener(request, response);
    else if (request.url === '/telegram/webhook') void telegram(request, response);
    else response.end('ready');
  }),
);
