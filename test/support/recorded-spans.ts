import { type Attributes, context, trace } from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { onTestFinished } from 'vitest';

export type RecordedSpan = {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly attributes: Attributes;
  readonly startMs: number;
  readonly endMs: number;
};

/** Loads the official SDK until the test has finished; returns what reads the spans that have ended. */
export const recordedSpans = (): (() => RecordedSpan[]) => {
  const exporter = new InMemorySpanExporter();
  const provider = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] });
  trace.setGlobalTracerProvider(provider);
  onTestFinished(() => {
    trace.disable();
    context.disable();
  });
  return () => exporter.getFinishedSpans().map(recorded);
};

const recorded = (span: ReadableSpan): RecordedSpan => ({
  name: span.name,
  traceId: span.spanContext().traceId,
  spanId: span.spanContext().spanId,
  parentSpanId: span.parentSpanContext?.spanId,
  attributes: span.attributes,
  startMs: msOf(span.startTime),
  endMs: msOf(span.endTime),
});

const msOf = ([seconds, nanoseconds]: readonly [number, number]): number =>
  seconds * 1_000 + nanoseconds / 1_000_000;
