import { createServer } from 'node:http';
import { App, HTTPReceiver, LogLevel } from '@slack/bolt';
import { serve } from '../served.ts';

/** Bare Bolt. With ANSWER set it also does what a bot is for: it answers, once, with a few words. */
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
const answers = process.env['ANSWER'] !== undefined;
app.command(/^/, async ({ ack, respond }) => {
  await ack();
  if (answers) await respond('You are ama.');
});
serve(createServer((request, response) => receiver.requestListener(request, response)));
