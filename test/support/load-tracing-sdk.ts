import { trace } from '@opentelemetry/api';
import { ConsoleSpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';

/** Loaded with `--import`, as an operator loads the official SDK; each span is written to the output. */
const exporter = new ConsoleSpanExporter();
trace.setGlobalTracerProvider(
  new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }),
);
