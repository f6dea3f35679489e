import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { PhonePrompt, PhoneText, WireLine } from '../bots/web/page-state.ts';
import { PRACTICE_OPERATORS, PRACTICE_RULES } from '../bots/web/people.ts';
import { web } from '../bots/web/platform.ts';
import type { Practice } from '../bots/web/practice.ts';
import { Revision } from '../bots/web/revision.ts';
import type { WebBot } from '../bots/web/web-bot.ts';
import type { Config } from '../config/config.ts';
import { maskerFor } from '../core/runtime/masking.ts';
import { formatMoney, moneyFromService } from '../core/values/money.ts';
import type { SandboxExchange } from '../sandbox/exchange.ts';
import type { SandboxPayment } from '../sandbox/payment-ledger.ts';
import type { SandboxRequest } from '../sandbox/sandbox.ts';
import type { Surroundings } from './open-parts.ts';
import type { StartApp } from './started-app.ts';

/** More lines are no longer read. */
const MOST_LINES = 40;
const MOST_TEXTS = 20;

/**
 * Starts a visit of the practice page: a Paythread of its own with the same settings, a store in a folder of its own
 * below `visits` that is removed at the end, rules of its own, and a payment service whose customers answer on the page.
 */
export const openPractice = async (
  config: Config,
  surroundings: Surroundings,
  { start, visits }: { readonly start: StartApp; readonly visits: string },
): Promise<Practice> => {
  await mkdir(visits, { recursive: true, mode: 0o700 });
  const folder = await mkdtemp(join(visits, 'visit-'));
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 5 });
  try {
    return await startIn(folder, config, surroundings, { start, remove });
  } catch (error) {
    await remove();
    throw error;
  }
};

const startIn = async (
  folder: string,
  config: Config,
  surroundings: Surroundings,
  { start, remove }: { start: StartApp; remove: () => Promise<void> },
): Promise<Practice> => {
  const { clock } = surroundings;
  const revision = new Revision(clock);
  const created = Promise.withResolvers<WebBot>();
  const lines: WireLine[] = [];
  const onExchange = (exchange: SandboxExchange): void => {
    lines.unshift(lineOf(exchange, Number(lines[0]?.id ?? 0) + 1));
    lines.splice(MOST_LINES);
    revision.bump();
  };
  const own = practiceConfig(config, folder);
  await writeFile(own.accessFile, PRACTICE_RULES);
  const settings = { revision, onCreated: created.resolve };
  const app = await start(
    { ...own, chats: [{ platform: web, settings }] },
    {
      ...surroundings,
      input: new PassThrough(),
      output: new PassThrough(),
      sandbox: { hasPrompts: true, onExchange },
    },
  );
  const { sandbox } = app;
  if (sandbox === undefined) throw new Error('a visit has no payment service of its own');
  return {
    bot: await created.promise,
    commands: app.commands,
    revision,
    prompts: () => sandbox.payments().flatMap((payment) => promptOf(payment, sandbox.nickname)),
    texts: () => sandbox.requests.flatMap(textsOf).reverse().slice(0, MOST_TEXTS),
    answerPrompt: async (id, answer) => {
      const isAnswered = await sandbox.answerPrompt(id, answer);
      revision.bump();
      return isAnswered;
    },
    wire: () => lines,
    stop: async () => {
      await app.stop();
      await remove();
    },
  };
};

/** The same words and limits, and nothing that reaches outside or is kept. */
const practiceConfig = (config: Config, folder: string): Config => ({
  ...config,
  // The doctor has a visit beside a real payment service.
  payments: { kind: 'sandbox' },
  dataDir: join(folder, 'data'),
  accessFile: join(folder, 'access.yml'),
  databaseUrl: undefined,
  listener: {
    ...config.listener,
    host: '127.0.0.1',
    port: 0,
    portChosen: true,
    publicUrl: undefined,
    proxies: undefined,
    callbackAllow: undefined,
    metrics: undefined,
  },
  sms: { ...config.sms, templatesFile: join(folder, 'templates.yml') },
  merchants: [],
  operators: [PRACTICE_OPERATORS],
  retainMs: undefined,
});

const promptOf = (payment: SandboxPayment, shop: string): PhonePrompt[] => {
  const { transactionId: id, customerNumber: number, prompt, reference } = payment;
  if (prompt?.answer !== 'none') return [];
  const money = moneyFromService(payment.amount, payment.currencyCode);
  const amount = money === undefined ? '' : formatMoney(money);
  return [{ id, number, shop, amount, reference }];
};

const textsOf = ({ path, body }: SandboxRequest): PhoneText[] => {
  if (path !== '/send_sms') return [];
  const sent = body as { recipient_number: string[]; sender_id: string; msg_body: string };
  const { recipient_number: numbers, sender_id: from, msg_body: text } = sent;
  return numbers.map((number) => ({ number, from, text }));
};

const mask = maskerFor([]);

const lineOf = ({ kind, path, body, status, answered }: SandboxExchange, id: number): WireLine => {
  const way = kind === 'request' ? 'Paythread asks' : 'The payment service calls back';
  const shown = (value: unknown) =>
    value === undefined ? '' : JSON.stringify(mask(value), null, 2);
  return {
    id: String(id),
    title: `${way}: POST ${String(mask(path))} → ${status ?? 'no answer'}`,
    sent: shown(body),
    answered: shown(answered),
  };
};
