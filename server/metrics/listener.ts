import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A source of metrics: a registry, or several processes together. */
export interface Exposed {
  readonly contentType: string;
  metrics(): Promise<string>;
}

/** A port for metrics only, so that clients of the service need no access to it. */
export interface MetricsListener {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Answers GET /metrics in the text format of Prometheus.
 * @param port 0 takes a free one.
 * @throws Error when the port is taken.
 */
export async function exposeMetrics(exposed: Exposed, host: string, port: number): Promise<MetricsListener> {
  const server: Server = createServer((request, response) => {
    const end = (status: number, type: string, text: string) =>
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(text);
    if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics') {
      end(404, 'text/plain; charset=utf-8', 'GET /metrics is all there is here\n');
      return;
    }
    exposed.metrics().then(
      text => end(200, exposed.contentType, text),
      (error: Error) => end(503, 'text/plain; charset=utf-8', `${error.message}\n`),
    );
  });
  server.requestTimeout = 10_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
