import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/core/runtime/clock.ts';
import { startTracing } from '../../../src/core/telemetry/tracing.ts';
import { capturedLog } from '../../support/captured-log.ts';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { type RunningApp, runApp } from '../../support/run-app.ts';
import { silentLog } from '../../support/silent-log.ts';
import { type ReceivedSpan, startTraceCollector } from '../../support/trace-collector.ts';

/** As docs/operations.md says that anybody can compute it. */
const traceIdFor = (transactionId: string): string =>
  createHash('sha256').update(`paythread:${transactionId}`).digest('hex').slice(0, 32);

const charge = async (app: RunningApp, number = '0244123456'): Promise<string> => {
  app.type(`/charge ${number} 50`);
  await app.shows(/Charge GHS 50\.00\?/);
  app.type('yes');
  return eventually(() => {
    const id = /\b[0-9A-HJKMNP-TV-Z]{16}\b/.exec(app.screen())?.[0];
    if (id === undefined) throw new Error('no card yet');
    return id;
  });
};

const named = (spans: readonly ReceivedSpan[], name: string): ReceivedSpan => {
  const found = spans.find((span) => span.name === name);
  if (found === undefined)
    throw new Error(`no span ${name} among ${spans.map((span) => span.name).join(', ')}`);
  return found;
};

describe('a payment', () => {
  it('is one trace from the typed command to the posted outcome', async () => {
    const collector = await startTraceCollector();
    const app = await runApp({ OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.endpoint}/` });
    const id = await charge(app);
    await app.shows(/: completed/);
    const name = /Customer: +(.+)/.exec(app.screen())?.[1] ?? 'no name';
    await app.stop();

    const trace = collector.spans.filter(({ traceId }) => traceId === traceIdFor(id));
    const root = named(trace, 'charge typed');
    expect(root.parentSpanId).toBeUndefined();
    for (const stage of ['charge pressed', 'submit', 'callback', 'check', 'notice: completed'])
      expect(named(trace, stage).parentSpanId).toBe(root.spanId);
    const parentOf = (operation: string, stage: string) =>
      expect(named(trace, operation).parentSpanId).toBe(named(trace, stage).spanId);
    parentOf('payment_account_lookup', 'charge typed');
    parentOf('make_payment', 'submit');
    parentOf('check_transaction_status', 'check');

    expect(new Set(trace.map(({ spanId }) => spanId)).size).toBe(trace.length);
    expect(trace.filter(({ parentSpanId }) => parentSpanId === undefined)).toEqual([root]);
    expect(named(trace, 'callback').attributes['answer']).toBe('200');
    expect(named(trace, 'make_payment').attributes['outcome']).toBe('accepted');
    for (const span of trace) {
      expect(span.attributes['paythread.transaction_id']).toBe(id);
      expect(span.service).toBe('paythread');
      expect(span.endTimeUnixNano >= span.startTimeUnixNano).toBe(true);
    }
    for (const secret of ['244123456', '024 412', name, 'local', 'callbacks/'])
      expect(collector.bodies.join('\n')).not.toContain(secret);
  });

  it('stays one trace over a restart', async () => {
    const collector = await startTraceCollector();
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint };
    const before = await runApp(env);
    // It is accepted and never called back, and its first check says completed.
    const id = await charge(before, '0244123402');
    await before.stop();
    const after = await runApp(env, { dir: before.dir });
    await after.shows(/: completed/);
    await after.stop();
    const trace = collector.spans.filter(({ traceId }) => traceId === traceIdFor(id));
    const root = named(trace, 'charge typed');
    expect(named(trace, 'check').parentSpanId).toBe(root.spanId);
    expect(named(trace, 'notice: completed').parentSpanId).toBe(root.spanId);
  });

  it('is joined by a person who asks for its state', async () => {
    const collector = await startTraceCollector();
    const app = await runApp({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint });
    const id = await charge(app, '0244123406');
    await app.shows(/pending/);
    app.type(`/status ${id}`);
    await eventually(() => {
      const asked = named(collector.spans, 'status typed');
      expect(asked.traceId).toBe(traceIdFor(id));
      expect(asked.parentSpanId).toBe(named(collector.spans, 'charge typed').spanId);
    });
  });
});

describe('an event about no payment', () => {
  it('is a trace of its own', async () => {
    const collector = await startTraceCollector();
    const app = await runApp({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint });
    app.type('/balance');
    app.type('/balance');
    const asked = await eventually(() => {
      const found = collector.spans.filter(({ name }) => name === 'balance typed');
      expect(found).toHaveLength(2);
      return found;
    });
    expect(new Set(asked.map(({ traceId }) => traceId)).size).toBe(2);
    const answers = collector.spans.filter(({ name }) => name === 'check_sms_balance');
    expect(answers.map(({ parentSpanId }) => parentSpanId).sort()).toEqual(
      asked.map(({ spanId }) => spanId).sort(),
    );
  });

  it('names none of the words that are no command', async () => {
    const collector = await startTraceCollector();
    const app = await runApp({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint });
    app.type('good morning');
    app.type('/whoami');
    await app.shows(/terminal:local/);
    await app.stop();
    expect(collector.spans.map(({ name }) => name)).toEqual(['unknown typed', 'whoami typed']);
    expect(JSON.stringify(collector.spans)).not.toMatch(/good|morning/);
  });

  it('leaves no span when it was not for the bot', async () => {
    const collector = await startTraceCollector();
    const tracing = await startTracing(collector.endpoint, {
      clock: systemClock,
      log: silentLog,
      version: 'test',
      store: { get: async () => undefined },
    });
    expect(await tracing.event('form answered', {}, async () => false)).toBe(false);
    expect(await tracing.event('form answered', {}, async () => true)).toBe(true);
    await tracing.stop();
    expect(collector.spans.map(({ name }) => name)).toEqual(['form answered']);
  });
});

describe('stopping', () => {
  it('sends what ended while earlier spans were on their way', async () => {
    const collector = await startTraceCollector();
    const clock = new ManualClock();
    const tracing = await startTracing(collector.endpoint, {
      clock,
      log: silentLog,
      version: 'test',
      store: { get: async () => undefined },
    });
    const answer = collector.hold();
    await tracing.event('first', {}, async () => true);
    await clock.advance(5_000);
    await eventually(() => expect(collector.bodies).toHaveLength(1));
    await tracing.event('second', {}, async () => true);
    const stopped = tracing.stop();
    answer();
    await stopped;
    expect(collector.spans.map(({ name }) => name)).toEqual(['first', 'second']);
  });
});

describe('a collector that is away', () => {
  it('costs nothing but spans, and one line in the log', async () => {
    const { log, entries } = capturedLog();
    const endpoint = `http://127.0.0.1:${await freePort()}`;
    const app = await runApp({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }, { log });
    await charge(app);
    await app.shows(/: completed/);
    await charge(app);
    await app.stop();
    const said = entries.filter(({ message }) => message.startsWith('traces could not be sent'));
    expect(said).toHaveLength(1);
  });
});
