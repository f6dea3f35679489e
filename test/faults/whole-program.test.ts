import { PassThrough } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { startApp } from '../../src/app/app.ts';
import { readConfig } from '../../src/config/config.ts';
import type { Clock } from '../../src/core/runtime/clock.ts';
import { eventually } from '../support/eventually.ts';
import { FastClock } from '../support/fast-clock.ts';
import { silentLog } from '../support/silent-log.ts';
import { chargeInSlack } from '../support/slack/charge.ts';
import { openSlackShop } from '../support/slack-shop.ts';
import { startTelegram, telegramSettings } from '../support/telegram-shop.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Time runs so fast that ten looks of the watchdog fit into a second; alarms of workers never ring, once they are broken. */
class BrokenAlarms implements Clock {
  readonly #clock = new FastClock(400);
  readonly #mended = new AbortController();
  areBroken = false;

  now(): number {
    return this.#clock.now();
  }

  monotonic(): number {
    return this.#clock.monotonic();
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    const isWorkers = new Error().stack?.includes('/core/work/worker.ts') === true;
    return this.areBroken && isWorkers
      ? this.#clock.sleep(2 ** 40, this.#mended.signal)
      : this.#clock.sleep(ms, signal);
  }

  mend(): void {
    this.areBroken = false;
    this.#mended.abort();
  }
}

it('work that does not move for five minutes ends the program, with the reason', {
  tags: ['F33'],
}, async () => {
  const clock = new BrokenAlarms();
  const fatal: string[] = [];
  const dir = await tempFolder();
  const app = await startApp(
    readConfig({ HOST: '127.0.0.1', PORT: '0', DATA_DIR: dir, ACCESS_FILE: `${dir}/access.yml` }),
    {
      clock,
      log: silentLog,
      input: new PassThrough(),
      output: new PassThrough(),
      userName: 'ama',
      onFatal: (error, what) => fatal.push(`${what}: ${String(error)}`),
    },
  );
  onTestFinished(async () => {
    clock.mend();
    await app.stop();
  });
  clock.areBroken = true;
  const brokenAtMs = clock.now();
  await eventually(() => expect(fatal).toHaveLength(1));
  expect(fatal[0]).toMatch(
    /^its work does not move: .*Nothing in the queue \w+ was looked at for five minutes/,
  );
  expect(clock.now() - brokenAtMs).toBeGreaterThan(240_000);
});

it('a token that Slack takes back costs no outcome: payments settle, and are told when it is good again', {
  tags: ['F55'],
}, async () => {
  const { slack, ama, app } = await openSlackShop({ people: ['ama'] });
  await chargeInSlack(ama, 'sales', '0244123456 50');
  await slack.message('sales', /GHS 50\.00/);
  slack.fail('*', { kind: 'error', error: 'token_revoked' });
  await eventually(async () => {
    const { payments } = await app.store.listPayments({}, { limit: 1 });
    expect(payments[0]?.state).toBe('completed');
  });
  await eventually(async () => expect(await app.store.countDue('notice')).toBeGreaterThan(0));
  slack.heal();
  await slack.message('sales', /: completed/);
  const told = (await slack.messages('sales')).filter(({ text }) => text.includes(': completed'));
  expect(told).toHaveLength(1);
});

it('a token that Slack takes back is told to operators on Telegram, and when it is good again', {
  tags: ['F55'],
}, async () => {
  const telegram = await startTelegram();
  const operators = telegram.group('Operators', [telegram.person('Efua Owusu', 1002)]);
  const { slack, app } = await openSlackShop({
    people: ['ama'],
    env: { ...telegramSettings(telegram), OPERATORS: `telegram:${operators.id}` },
    clock: new FastClock(200),
  });
  slack.fail('*', { kind: 'error', error: 'token_revoked' });
  const told = await operators.waitFor(/Cut off from Slack/);
  expect(told.text).toContain('SLACK_BOT_TOKEN is refused (token_revoked)');
  expect((await fetch(`http://127.0.0.1:${app.port}/readyz`)).status).toBe(503);
  slack.heal();
  await operators.waitFor(/Slack works again/);
  expect((await fetch(`http://127.0.0.1:${app.port}/readyz`)).status).toBe(200);
  expect(operators.fromBot).toHaveLength(2);
});
