import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/core/runtime/clock.ts';
import { Tracing } from '../../../src/core/telemetry/tracing.ts';
import { eventually } from '../../support/eventually.ts';
import { type RecordedSpan, recordedSpans } from '../../support/recorded-spans.ts';
import { type RunningApp, runApp } from '../../support/run-app.ts';

const digestOf = (transactionId: string): string =>
  createHash('sha256').update(`paythread:${transactionId}`).digest('hex');

/** As docs/operations.md says that anybody can compute it. */
const traceIdFor = (transactionId: string): string => digestOf(transactionId).slice(0, 32);

/** What everything about the payment goes back to, wherever it ran. */
const storyIdFor = (transactionId: string): string => digestOf(transactionId).slice(32, 48);

const charge = async (app: RunningApp, number = '0244123456'): Promise<string> => {
  await app.ask(`/charge ${number} 50`, /Charge GHS 50\.00\?/);
  app.type('yes');
  return eventually(async () => {
    const { payments } = await app.app.store.listPayments({}, { limit: 1 });
    const [payment] = payments;
    if (payment === undefined) throw new Error('no payment yet');
    return payment.id;
  });
};

const named = (spans: readonly RecordedSpan[], name: string): RecordedSpan => {
  const found = spans.find((span) => span.name === name);
  if (found === undefined)
    throw new Error(`no span ${name} among ${spans.map((span) => span.name).join(', ')}`);
  return found;
};

describe('a payment', () => {
  it('is one trace from the typed command to the posted outcome', async () => {
    const spans = recordedSpans();
    const app = await runApp();
    const id = await charge(app);
    await app.shows(/: completed/);
    const name = /Customer: +(.+)/.exec(app.screen())?.[1] ?? 'no name';
    await app.stop();

    const trace = spans().filter(({ traceId }) => traceId === traceIdFor(id));
    const stages = ['charge typed', 'charge pressed', 'submit', 'callback', 'check'];
    for (const stage of [...stages, 'notice: completed'])
      expect(named(trace, stage).parentSpanId).toBe(storyIdFor(id));
    const parentOf = (operation: string, stage: string) =>
      expect(named(trace, operation).parentSpanId).toBe(named(trace, stage).spanId);
    parentOf('payment_account_lookup', 'charge typed');
    parentOf('make_payment', 'submit');
    parentOf('check_transaction_status', 'check');

    expect(new Set(trace.map(({ spanId }) => spanId)).size).toBe(trace.length);
    expect(named(trace, 'callback').attributes['answer']).toBe(200);
    expect(named(trace, 'make_payment').attributes['outcome']).toBe('accepted');
    for (const span of trace) {
      expect(span.attributes['paythread.transaction_id']).toBe(id);
      expect(span.endMs).toBeGreaterThanOrEqual(span.startMs);
    }
    for (const secret of ['244123456', '024 412', name, 'local', 'callbacks/'])
      expect(JSON.stringify(spans())).not.toContain(secret);
  });

  it('stays one trace over a restart', async () => {
    const spans = recordedSpans();
    const before = await runApp();
    // It is accepted and never called back, and its first check says completed.
    const id = await charge(before, '0244123402');
    await before.stop();
    const after = await runApp({}, { dir: before.dir });
    await after.shows(/: completed/);
    await after.stop();
    const trace = spans().filter(({ traceId }) => traceId === traceIdFor(id));
    for (const stage of ['charge typed', 'check', 'notice: completed'])
      expect(named(trace, stage).parentSpanId).toBe(storyIdFor(id));
  });

  it('is joined by a person who asks for its state', async () => {
    const spans = recordedSpans();
    const app = await runApp();
    const id = await charge(app, '0244123406');
    await app.shows(/pending/);
    app.type(`/status ${id}`);
    await eventually(() => {
      const asked = named(spans(), 'status typed');
      expect(asked.traceId).toBe(traceIdFor(id));
      expect(asked.parentSpanId).toBe(storyIdFor(id));
    });
  });
});

describe('an event about no payment', () => {
  it('is a trace of its own', async () => {
    const spans = recordedSpans();
    const app = await runApp();
    app.type('/balance');
    app.type('/balance');
    const asked = await eventually(() => {
      const found = spans().filter(({ name }) => name === 'balance typed');
      expect(found).toHaveLength(2);
      return found;
    });
    expect(new Set(asked.map(({ traceId }) => traceId)).size).toBe(2);
    const answers = spans().filter(({ name }) => name === 'check_sms_balance');
    expect(answers.map(({ parentSpanId }) => parentSpanId).sort()).toEqual(
      asked.map(({ spanId }) => spanId).sort(),
    );
  });

  it('names none of the words that are no command', async () => {
    const spans = recordedSpans();
    const app = await runApp();
    app.type('good morning');
    await app.ask('/whoami', /terminal:local/);
    await app.stop();
    expect(spans().map(({ name }) => name)).toEqual(['unknown typed', 'whoami typed']);
    expect(JSON.stringify(spans())).not.toMatch(/good|morning/);
  });

  it('leaves no span when it was not for the bot', async () => {
    const spans = recordedSpans();
    const store = { get: async () => undefined };
    const tracing = new Tracing({ clock: systemClock, version: 'test', store });
    expect(await tracing.event('form answered', {}, async () => false)).toBe(false);
    expect(await tracing.event('form answered', {}, async () => true)).toBe(true);
    expect(spans().map(({ name }) => name)).toEqual(['form answered']);
  });
});
