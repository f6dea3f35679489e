import { get } from 'node:http';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import type { Payment } from '../../src/core/records/payment.ts';
import { systemClock } from '../../src/core/runtime/clock.ts';
import { expectAcknowledged } from '../support/acknowledged.ts';
import { runScript } from '../support/child-script.ts';
import { eventually } from '../support/eventually.ts';
import { startObligingService } from '../support/obliging-service.ts';
import { SpawnedApp } from '../support/spawned-app.ts';
import { SpawnedShop } from '../support/spawned-shop.ts';
import { openStoreIn } from '../support/store-folder.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { together } from '../support/together.ts';

const it = together();

const HALT = resolve('test/support/halt-at.ts');

/** The shop with its program started otherwise. */
const openShop = async (options: {
  env?: Readonly<Record<string, string>>;
  wrapped?: readonly string[];
}) => {
  const shop = await SpawnedShop.open(options.env);
  const app = new SpawnedApp(shop.app.port, shop.env, options.wrapped);
  await app.start();
  return { shop, app };
};

const halting = (env: Readonly<Record<string, string>>) => ({
  NODE_OPTIONS: `--import ${HALT}`,
  ...env,
});

/** What a shop that has ended has stored of its only payment. */
const storedPayment = async ({ dir }: SpawnedShop): Promise<Payment | undefined> => {
  const store = await openStoreIn(join(dir, 'data'), { clock: systemClock });
  return (await store.listPayments({}, { limit: 2 })).payments[0];
};

describe('a process that stands still', () => {
  it('for ten minutes between storing "submitting" and the request sends nothing when it goes on', {
    tags: ['F45'],
  }, async () => {
    const { shop, app } = await openShop({
      env: halting({ HALT_AT: 'submitting-stored', HALT_MS: '600000' }),
    });
    await shop.charge(50);
    await eventually(() => expect(app.isStopped()).toBe(true));
    app.signal('SIGCONT');
    await shop.shows(/GHS 50\.00 from .*: not sent/);
    await shop.shows(/It could not be sent in time/);
    expect(shop.sandbox.payments()).toEqual([]);
  });

  it('beyond its patience while it connects sends nothing when it goes on', {
    tags: ['F45'],
  }, async () => {
    const { shop, app } = await openShop({
      env: halting({
        HALT_AT: 'submitting-stored',
        HALT_THEN: 'undici:client:beforeConnect',
        PAYMENTS_TIMEOUT: '2s',
      }),
    });
    await shop.charge(50);
    await eventually(() => expect(app.isStopped()).toBe(true));
    const stoppedMs = performance.now();
    await eventually(() => expect(performance.now() - stoppedMs).toBeGreaterThan(2_200));
    app.signal('SIGCONT');
    await shop.shows(/GHS 50\.00 from .*: not sent/);
    expect(shop.sandbox.payments()).toEqual([]);
  });

  it('with its event loop blocked beyond its patience has sent once, and learns the outcome', {
    tags: ['F47'],
  }, async () => {
    const { shop } = await openShop({
      env: halting({
        HALT_AT: 'submitting-stored',
        HALT_MS: '2500',
        HALT_BLOCKS: 'yes',
        PAYMENTS_TIMEOUT: '2s',
      }),
    });
    await shop.charge(50);
    await shop.completed(50);
    shop.expectTaken([50]);
  });
});

/** It answers nobody new: it stands still, has no file left for a connection, or takes no more. */
const isMute = ({ port }: SpawnedApp): Promise<boolean> =>
  new Promise((resolve) => {
    // Without an agent: a connection that stands already would be answered on.
    const asked = get({ port, path: '/healthz', agent: false, timeout: 2_000 }, (response) => {
      response.resume();
      resolve(false);
    });
    asked.on('timeout', () => asked.destroy()).on('error', () => resolve(true));
  });

describe('SIGTERM in the middle of a payment request', () => {
  const openBefore = async (plot: Parameters<typeof startObligingService>[0], timeout: string) => {
    const service = await startObligingService(plot);
    const shopPort = 'http://127.0.0.1:1';
    const opened = await openShop({
      env: { ...service.env(shopPort), PAYMENTS_TIMEOUT: timeout, STATUS_CHECK_SCHEDULE: '1h' },
    });
    await opened.shop.charge(50);
    await eventually(() => expect(service.taken).toHaveLength(1));
    return { ...opened, service };
  };

  it('waits for the answer, stores it and exits with 0', { tags: ['F48'] }, async () => {
    const answer = Promise.withResolvers<void>();
    const plot = { beforeAnswer: () => answer.promise, status: () => 'pending' };
    const { shop, app, service } = await openBefore(plot, '20s');
    const ended = app.kill('SIGTERM');
    await eventually(async () => expect(await isMute(app)).toBe(true));
    answer.resolve();
    expect(await ended).toBe(0);
    expect(await storedPayment(shop)).toMatchObject({ state: 'pending' });
    expect(service.taken).toHaveLength(1);
  });

  it('that is never answered ends with 0 when its patience does; the payment is unknown, and not sent again', {
    tags: ['F48'],
  }, async () => {
    const plot = { beforeAnswer: () => new Promise<void>(() => {}), status: () => 'pending' };
    const { shop, app, service } = await openBefore(plot, '2s');
    expect(await app.kill('SIGTERM')).toBe(0);
    expect(await storedPayment(shop)).toMatchObject({ state: 'unknown', due: { queue: 'check' } });
    expect(service.taken).toHaveLength(1);
  });
});

describe('a process short of something', () => {
  it('of memory dies as by kill -9, and has lost nothing it acknowledged', {
    tags: ['F47'],
  }, async () => {
    const dir = await tempFolder();
    const child = await runScript('commit-until-out-of-memory.ts', [dir], { heapMiB: 64 });
    expect(await child.ended).not.toBe(0);
    const lines = (await child.lines()).filter((line) => /^(open|payment|setting) ?/.test(line));
    expect(lines.length).toBeGreaterThan(50);
    await expectAcknowledged(await openStoreIn(dir), lines);
  });

  it('of files, with 64 of them and 150 idle connections, works again when they are free', {
    tags: ['F50'],
  }, async () => {
    const wrapped = ['bash', '--norc', '-c', 'ulimit -n 64; exec "$@"', 'bash'];
    const { shop, app } = await openShop({ wrapped });
    await shop.charge(50);
    await shop.taken(50);
    const idle = Array.from({ length: 150 }, () =>
      connect(app.port, '127.0.0.1').on('error', () => {}),
    );
    const free = () => {
      for (const socket of idle) socket.destroy();
    };
    onTestFinished(free);
    await eventually(async () => expect(await isMute(app)).toBe(true));
    free();
    await shop.chat.waitFor(/GHS 50\.00 from .*: completed/);
    shop.expectTaken([50]);
    expect(app.accidents).toEqual([]);
  });

  for (const [where, script] of [
    ['a full disk', 'exec "$@" > /dev/full'],
    ['a pipe that nobody reads', 'exec "$@" > >(exec true)'],
  ] as const)
    it(`of a place for its log, now ${where}, charges and tells as ever`, {
      tags: ['F38'],
    }, async () => {
      const wrapped = ['bash', '--norc', '-c', script, 'bash'];
      const { shop, app } = await openShop({ wrapped, env: { LOG_LEVEL: 'debug' } });
      await shop.charge(50);
      await shop.completed(50);
      expect(app.accidents).toEqual([]);
      expect(await app.kill('SIGTERM')).toBe(0);
    });
});
