import { describe, expect, it } from 'vitest';
import { circlesIn } from './support/import-circles.ts';
import { breaches, sourcesIn } from './support/layer-rules.ts';

describe('the sources', () => {
  const sources = sourcesIn('src');

  it('are all there', () => {
    expect(sources.length).toBeGreaterThan(50);
    expect(sources.map((source) => source.path)).toContain('src/app/program.ts');
  });

  it('keep to the layers, main -> bots -> commands -> core, and to the rules of each', {
    tags: ['T17', 'T20', 'T21'],
  }, () => {
    expect(breaches(sources)).toEqual([]);
  });
});

describe('imports', () => {
  it('go in no circle, types included', () => {
    expect(circlesIn(['src', 'bench', 'test'].flatMap(sourcesIn))).toEqual([]);
  });

  it('in a circle are named', () => {
    const text = (to: string) => `import type { X } from './${to}.ts';`;
    const sources = ['a', 'b', 'c'].map((name, at) => ({
      path: `src/${name}.ts`,
      text: text(['b', 'c', 'b'][at] ?? ''),
    }));
    expect(circlesIn(sources)).toEqual(['src/b.ts <-> src/c.ts']);
  });
});

describe('the rules notice', () => {
  it.each([
    ['src/core/work/a.ts', "import type { Card } from '../../commands/card.ts';"],
    ['src/core/work/a.ts', "export { b } from '../../bots/bot.ts';"],
    ['src/core/work/a.ts', "const b = await import('../../config/config.ts');"],
    ['src/core/work/a.ts', "import '../../app/program.ts';"],
    ['src/core/values/a.ts', "import type { Store } from '../store/store.ts';"],
    ['src/core/payments/a.ts', "import { x } from '../gateway/collection-service/client.ts';"],
    ['src/core/gateway/turns.ts', "import { x } from './collection-service/client.ts';"],
    ['src/core/payments/a.ts', 'const taken = answer.response_code;'],
    ['src/core/a.ts', ''],
    ['src/core/room/a.ts', ''],
    ['src/commands/a.ts', "import type { Bot } from '../bots/bot.ts';"],
    ['src/commands/a.ts', "import { sandbox } from '../sandbox/sandbox.ts';"],
    ['src/commands/a.ts', "import type { Config } from '../config/config.ts';"],
    ['src/bots/slack/a.ts', "import { escape } from '../telegram/card-to-html.ts';"],
    ['src/bots/bot.ts', "import { limits } from './slack/limits.ts';"],
    ['src/bots/slack/platform.ts', "import { limits } from './limits.ts';"],
    ['src/bots/slack/platform.ts', "import type { Me } from '../telegram/read-update.ts';"],
    ['src/bots/slack/platform.ts', "import type { Config } from '../../config/config.ts';"],
    ['src/config/config.ts', "import type { Bot } from '../bots/bot.ts';"],
    ['src/sandbox/a.ts', "import { x } from '../commands/charge.ts';"],
    ['src/config/config.ts', "import { x } from '../app/app.ts';"],
    ['src/app/app.ts', "import { x } from '../cli/access.ts';"],
    ['src/elsewhere/a.ts', "import { x } from '../core/clock.ts';"],
    ['src/cli/a.ts', "import { Bot } from 'grammy';"],
    ['src/bots/telegram/a.ts', "import { App } from '@slack/bolt';"],
    ['src/bots/slack/a.ts', "import { App } from '@slack/bolt';"],
    ['src/bots/slack/a.ts', "import App from '@slack/bolt/dist/App.js';"],
    ['src/bots/slack/a.ts', "import type { Bot } from 'grammy';"],
    ['src/bots/slack/a.ts', "import type { Chat } from 'grammy/types';"],
    ['src/app/a.ts', "import { Command } from 'commander';"],
    ['src/commands/a.ts', "import ky from 'ky';"],
    ['src/commands/a.ts', "import { request } from 'undici';"],
    ['src/core/work/a.ts', "import { Low } from 'lowdb';"],
    ['src/core/work/a.ts', "import {\n  pino,\n} from 'pino';"],
    ['src/core/work/a.ts', "import left from 'left-pad';"],
    ['src/core/work/a.ts', 'export const port = () => process.env.PORT;'],
    ['src/app/program.ts', "import { env } from 'node:process';"],
    ['src/core/work/a.ts', 'export const now = () => Date.now();'],
    ['src/core/work/a.ts', 'export const now = () => new Date();'],
    ['src/bots/slack/a.ts', 'setTimeout(() => {}, 5);'],
    ['src/core/work/a.ts', "import { setTimeout as sleep } from 'node:timers/promises';"],
    ['src/core/work/a.ts', 'const signal = AbortSignal.timeout(5);'],
    ['src/core/work/a.ts', 'process.exit(1);'],
    ['src/core/work/a.ts', "const platform = 'slack';"],
    ['src/commands/a.ts', "const example = '/suspend telegram:123456789';"],
    ['src/commands/a.ts', "if (platform === 'terminal') return true;"],
    ['src/config/a.ts', 'const token = values.SLACK_BOT_TOKEN;'],
    ['src/cli/a.ts', "const who = { platform: 'terminal' };"],
    ['src/cli/doctor/a.ts', 'const needs = "SLACK_BOT_TOKEN";'],
    ['src/app/a.ts', "import { TelegramBot } from '../bots/telegram/telegram-bot.ts';"],
    ['src/core/work/a.ts', 'if (password === typed) return;'],
    ['src/core/work/a.ts', 'if (calculated !== hmac) return;'],
    ['src/core/work/a.ts', 'await fetch(body.url);'],
    ['src/commands/a.ts', "import { get } from 'node:https';"],
    ['src/bots/slack/a.ts', 'const socket = new WebSocket(url);'],
    ['src/commands/a.ts', "const name = 'payments.CSV';"],
    ['src/cli/audit.ts', "const type = 'text/csv';"],
    ['src/core/values/utils.ts', ''],
    ['src/bots/slack/index.ts', ''],
  ])('in %s: %s', (path, text) => {
    expect(breaches([{ path, text }])).toHaveLength(1);
  });

  it('nothing in comments', () => {
    const text = '// Date.now()\n/* process.env, Slack */\nexport const a = 1; // setTimeout(';
    expect(breaches([{ path: 'src/core/work/a.ts', text }])).toEqual([]);
  });
});
