import type { FastifyInstance } from 'fastify';
import { type Trace, tracing } from '../../query/engine/queue/trace.ts';
import { readTraceparent } from './traceparent.ts';
import { Span, type Tracer } from './tracer.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The trace that the request belongs to; null where nobody traces. */
    trace: Trace | null;
  }
}

/** Takes the trace of each request from its headers: its lines of the log name it, what it asks of others passes it on. */
export function traceRequests(app: FastifyInstance, tracer: Tracer): void {
  app.decorateRequest('trace', null);
  app.addHook('onRequest', (request, reply, done) => {
    const { traceparent, tracestate } = request.headers;
    request.trace = tracer.begin(readTraceparent(traceparent, tracestate), 2);
    if (request.trace) request.log = reply.log = request.log.child({ trace_id: request.trace.traceId });
    done();
  });
  // Reading a body leaves the context of the hooks before it.
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.trace) tracing.run(request.trace, done);
    else done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    if (request.trace instanceof Span) {
      const route = request.routeOptions.url ?? 'none';
      const status = reply.statusCode;
      const attributes = {
        'http.request.method': request.method,
        'http.route': route,
        'http.response.status_code': status,
        'plat.request_id': request.id,
      };
      request.trace.end(`${request.method} ${route}`, attributes, status >= 500);
    }
    done();
  });
}
