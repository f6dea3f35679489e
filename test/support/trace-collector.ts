import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { z } from 'zod';

const value = z.union([
  z.strictObject({ stringValue: z.string() }).transform(({ stringValue }) => stringValue),
  z.strictObject({ intValue: z.string().regex(/^-?\d+$/) }).transform(({ intValue }) => intValue),
]);
const attributes = z
  .array(z.strictObject({ key: z.string(), value }))
  .transform((list) => Object.fromEntries(list.map((each) => [each.key, each.value])));
const id = (bytes: number) => z.string().regex(new RegExp(`^[0-9a-f]{${2 * bytes}}$`));

const span = z.strictObject({
  traceId: id(16),
  spanId: id(8),
  parentSpanId: id(8).optional(),
  name: z.string().min(1),
  kind: z.number().int().min(1).max(5),
  startTimeUnixNano: z.string().regex(/^\d{19}$/),
  endTimeUnixNano: z.string().regex(/^\d{19}$/),
  attributes,
  status: z.strictObject({ code: z.number().optional() }),
});

const request = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes }),
      scopeSpans: z.array(
        z.strictObject({
          scope: z.strictObject({ name: z.string(), version: z.string() }),
          spans: z.array(span),
        }),
      ),
    }),
  ),
});

/** One span as it was sent. */
export type ReceivedSpan = z.output<typeof span> & { readonly service: string };

/** A collector over real HTTP, strict about OTLP's JSON; gone when the test has finished. */
export const startTraceCollector = async () => {
  const spans: ReceivedSpan[] = [];
  const bodies: string[] = [];
  let status = 200;
  let mayAnswer = Promise.resolve();
  const server = createServer(async (incoming, response) => {
    let body = '';
    for await (const chunk of incoming) body += String(chunk);
    bodies.push(body);
    await mayAnswer;
    if (incoming.url !== '/v1/traces' || incoming.method !== 'POST') status = 404;
    const read = request.safeParse(JSON.parse(body));
    if (!read.success) status = 400;
    else if (status === 200)
      for (const { resource, scopeSpans } of read.data.resourceSpans)
        for (const each of scopeSpans.flatMap((scope) => scope.spans))
          spans.push({ ...each, service: resource.attributes['service.name'] ?? '' });
    response.writeHead(status).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    /** Everything that was sent, word for word. */
    bodies,
    /** Takes requests and answers none of them until what it returns is called. */
    hold: (): (() => void) => {
      const held = Promise.withResolvers<void>();
      mayAnswer = held.promise;
      return held.resolve;
    },
    /** How it answers from now on. */
    answerWith: (next: number) => {
      status = next;
    },
  };
};
