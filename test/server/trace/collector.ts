import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A span as OTLP writes it. */
export interface WrittenSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly status?: { readonly code: number };
}

interface Attribute {
  readonly key: string;
  readonly value: { readonly stringValue?: string };
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly WrittenSpan[] }[];
  }[];
}

/** A collector of OpenTelemetry on this machine, and what it was sent. */
export interface Collector {
  readonly address: string;
  readonly spans: WrittenSpan[];
  readonly services: Set<string | undefined>;
  readonly headers: IncomingMessage['headers'][];
  /** What it answers. */
  status: number;
  close(): Promise<void>;
}

/** Starts a collector that takes OTLP in JSON. */
export async function startCollector(): Promise<Collector> {
  const spans: WrittenSpan[] = [];
  const services = new Set<string | undefined>();
  const headers: IncomingMessage['headers'][] = [];
  const server = createServer(async (request, response) => {
    headers.push({ ...request.headers, ':path': request.url });
    const { resourceSpans } = (await json(request)) as Export;
    if (collector.status === 200)
      for (const { resource, scopeSpans } of resourceSpans) {
        services.add(resource.attributes.find(({ key }) => key === 'service.name')?.value.stringValue);
        spans.push(...scopeSpans.flatMap(scope => scope.spans));
      }
    response.writeHead(collector.status, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const collector: Collector = {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    services,
    headers,
    status: 200,
    close: () => new Promise(resolve => server.close(() => resolve())),
  };
  return collector;
}
