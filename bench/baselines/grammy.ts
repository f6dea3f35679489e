import { createServer } from 'node:http';
import { Bot, webhookCallback } from 'grammy';
import { serve } from '../served.ts';

/** Bare grammY. With ANSWER set it also does what a bot is for: it answers, once, with a few words. */
const bot = new Bot(process.env['TELEGRAM_BOT_TOKEN'] ?? '', {
  client: { apiRoot: process.env['TELEGRAM_API_ROOT'] ?? '' },
});
const answers = process.env['ANSWER'] !== undefined;
bot.on('message', (context) => {
  // As Paythread does: Telegram is answered at once, the person when the words are there.
  if (answers) void context.reply('You are ama.');
});
await bot.init();
const secretToken = process.env['TELEGRAM_WEBHOOK_SECRET'] ?? '';
serve(createServer(webhookCallback(bot, 'http', { secretToken })));
