import { expect, it } from 'vitest';
import { startLine } from '../../src/app/program.ts';
import { readConfig } from '../../src/config/config.ts';
import { programVersion } from '../../src/core/runtime/version.ts';

const REAL = {
  PAYMENTS_BASE_URL: 'https://payments.example.com/api',
  PAYMENTS_CLIENT_KEY: 'canary-client',
  PAYMENTS_SECRET_KEY: 'canary-secret',
  PAYMENTS_SERVICE_ID: '7',
  PAYMENTS_NICKNAME: 'Adjoa Stores',
  DATABASE_URL: 'postgres://canary:canary@db:5432/paythread',
  PUBLIC_URL: 'https://pay.example.com',
  SLACK_BOT_TOKEN: 'xoxb-canary',
  SLACK_SIGNING_SECRET: 'canary-signing',
  TELEGRAM_BOT_TOKEN: '123456:canary',
  TELEGRAM_WEBHOOK_SECRET: 'canary-hook',
};

it('a start says in one line what operators ask first, by HTTP as well, and no secret', () => {
  const line = startLine(readConfig(REAL), { port: 3000, roles: ['sales'] });
  expect(line).toEqual({
    version: programVersion(),
    chats: ['Slack (http)', 'Telegram (webhook)'],
    payments: 'payments.example.com',
    publicUrl: 'https://pay.example.com',
    store: 'the database at db:5432',
    merchants: [],
    roles: ['sales'],
    port: 3000,
  });
  expect(JSON.stringify(line)).not.toContain('canary');
});

it('a start says that there is no access file', () => {
  expect(startLine(readConfig({}), { port: 80 })).toMatchObject({
    payments: 'sandbox',
    store: './data',
    publicUrl: 'http://localhost:80',
    roles: 'none: there is no ./access.yml',
  });
});
