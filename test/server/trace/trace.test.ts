import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { type Trace, tracing } from '../../../query/engine/queue/trace.ts';
import { jobOf } from '../../../server/jobs/job-kind.ts';
import { workOnJobs } from '../../../server/jobs/worker.ts';
import { configuredTracer } from '../../../server/trace/configured.ts';
import { readTraceparent, tracedFetch, traceHeaders } from '../../../server/trace/traceparent.ts';
import { Tracer } from '../../../server/trace/tracer.ts';
import { getJson } from '../../../server/upstream/exchange.ts';
import { contextFor, NO_CALLBACKS, openFixture } from '../service-fixture.ts';
import { startCollector } from './collector.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';
const PARENT = `00-${TRACE}-${CALLER}-01`;
const quiet = () => {};

it('reads what W3C allows, and takes everything else for no trace', () => {
  const read = (text: string) => readTraceparent(text);
  expect(read(PARENT)).toEqual({ traceId: TRACE, spanId: CALLER, sampled: true, state: null });
  expect(read(`00-${TRACE}-${CALLER}-00`)?.sampled).toBe(false);
  // A later version may say more.
  expect(read(`cc-${TRACE}-${CALLER}-09-what-the-future-brings`)?.traceId).toBe(TRACE);
  for (const wrong of [
    '',
    `ff-${TRACE}-${CALLER}-01`,
    `00-${TRACE}-${CALLER}-01-more`,
    `00-${TRACE.toUpperCase()}-${CALLER}-01`,
    `00-${'0'.repeat(32)}-${CALLER}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE}-${CALLER}`,
    `00-${TRACE}-${CALLER}-1`,
    `${PARENT}\n`.repeat(2),
  ])
    expect(read(wrong), wrong).toBeNull();
  expect(readTraceparent([PARENT, PARENT])).toBeNull();
  expect(readTraceparent(PARENT, 'vendor=1,other=2')?.state).toBe('vendor=1,other=2');
  expect(readTraceparent(PARENT, 'x'.repeat(513))?.state).toBeNull();
  expect(tracing.run(read(PARENT)!, traceHeaders)).toEqual({ traceparent: PARENT });
  expect(traceHeaders()).toEqual({});
});

it('is logged with every line of a request, and known to what the request does', async () => {
  const lines: { msg: string; trace_id?: string }[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  const fixture = await openFixture({ logger: pino({ level: 'info' }, sink) as never });
  let seen: Trace | undefined;
  fixture.engine.before = async () => {
    seen = tracing.getStore();
  };
  const ask = (headers: Record<string, string>) =>
    fixture.app.inject({
      method: 'POST',
      url: '/v1/fetch',
      headers: { authorization: `Bearer ${fixture.token}`, ...headers },
      payload: { lat: 44.8, lng: -68.77, fields: ['elevation'] },
    });
  await ask({ traceparent: PARENT, tracestate: 'vendor=1' });
  // Nothing is exported: the caller's own span is passed on.
  expect(seen).toMatchObject({ traceId: TRACE, spanId: CALLER, state: 'vendor=1' });
  const [line] = lines.filter(({ msg }) => msg === 'request');
  expect(line?.trace_id).toBe(TRACE);
  await ask({ traceparent: 'nonsense' });
  expect(lines.filter(({ msg }) => msg === 'request')[1]).not.toHaveProperty('trace_id');
  await fixture[Symbol.asyncDispose]();
});

it('is passed on to the services that the operator named', async () => {
  const headers: Record<string, unknown>[] = [];
  const server = createServer((request, response) => {
    headers.push(request.headers);
    response.end('{}');
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const terms = { limitMs: 10_000, signal: new AbortController().signal };
  await tracing.run(readTraceparent(PARENT, 'vendor=1')!, async () => {
    await getJson(url, terms);
    await tracedFetch(url, { headers: { 'x-own': 'kept' } });
  });
  await getJson(url, terms);
  expect(headers.map(({ traceparent, tracestate }) => [traceparent, tracestate])).toEqual([
    [PARENT, 'vendor=1'],
    [PARENT, 'vendor=1'],
    [undefined, undefined],
  ]);
  expect(headers[1]).toMatchObject({ 'x-own': 'kept' });
});

it('goes by the standard variables, and is off without an endpoint', async () => {
  const of = (env: Record<string, string>) => configuredTracer(env, quiet);
  const at = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' };
  for (const off of [{}, { ...at, OTEL_SDK_DISABLED: 'true' }, { ...at, OTEL_TRACES_EXPORTER: 'none' }])
    expect((await of(off)).begin(null, 2)).toBeNull();
  const sampled = async (name: string, argument: string, parent: string | null = null) => {
    const tracer = await of({ ...at, OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: argument });
    return tracer.begin(parent === null ? null : readTraceparent(parent), 2)?.sampled;
  };
  expect(await sampled('always_off', '')).toBe(false);
  expect(await sampled('parentbased_always_off', '', PARENT)).toBe(true);
  expect(await sampled('parentbased_traceidratio', '1')).toBe(true);
  expect(await sampled('traceidratio', '0')).toBe(false);
  for (const [name, value] of [
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'nonsense'],
    ['OTEL_EXPORTER_OTLP_TIMEOUT', 'soon'],
    ['OTEL_TRACES_SAMPLER', 'sometimes'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'ftp://x'],
  ])
    await expect(of({ ...at, [name!]: value! }), name).rejects.toThrow(`${name}`);
});

it('joins a request, the job that it asks for and the work on it, at a collector', async () => {
  const collector = await startCollector();
  const warnings: string[] = [];
  const tracer = await configuredTracer(
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.address}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-key=a%20b',
      OTEL_SERVICE_NAME: 'plat-test',
    },
    (_, message) => warnings.push(message),
  );
  const fixture = await openFixture({ between: services => ({ ...services, tracer }) });
  let request: Trace | undefined;
  fixture.engine.before = async () => {
    request = tracing.getStore();
    request?.task?.({ kind: 'fetch', queuedAt: 1, sentAt: 2, endedAt: 4 });
    await fixture.state.jobs.enqueue(jobOf(counting, null, { n: 1 }, null));
  };
  const done = Promise.withResolvers<Trace | undefined>();
  const counting = {
    ...{ name: 'counting', summary: 'Counts.', atOnce: 1, attempts: 1, retryMs: 1, mostMs: 1 },
    async run() {
      done.resolve(tracing.getStore());
      return undefined;
    },
  };
  const headers = { authorization: `Bearer ${fixture.token}`, traceparent: PARENT };
  const payload = { lat: 44.8, lng: -68.77, fields: ['elevation'] };
  await fixture.app.inject({ method: 'POST', url: '/v1/fetch', headers, payload });
  const services = { ...contextFor(fixture), callbacks: NO_CALLBACKS, log: { error: quiet }, tracer };
  const worker = workOnJobs(services, [counting]);
  const job = await done.promise;
  await worker.stop(5_000);
  await tracer.close();
  const byName = new Map(collector.spans.map(span => [span.name, span]));
  expect([...byName.keys()].sort()).toEqual(['POST /v1/fetch', 'job counting', 'queue fetch', 'worker fetch']);
  expect(new Set(collector.spans.map(({ traceId }) => traceId))).toEqual(new Set([TRACE]));
  expect(byName.get('POST /v1/fetch')).toMatchObject({ parentSpanId: CALLER, spanId: request!.spanId, kind: 2 });
  for (const name of ['queue fetch', 'worker fetch', 'job counting'])
    expect(byName.get(name)!.parentSpanId, name).toBe(request!.spanId);
  expect(byName.get('job counting')!.spanId).toBe(job!.spanId);
  const { startTimeUnixNano: start, endTimeUnixNano: end } = byName.get('worker fetch')!;
  expect(BigInt(end) - BigInt(start)).toBe(2_000_000n);
  expect([...collector.services]).toEqual(['plat-test']);
  expect(collector.headers[0]).toMatchObject({ ':path': '/v1/traces', 'x-key': 'a b' });
  expect(warnings).toEqual([]);
  await fixture[Symbol.asyncDispose]();
  await collector.close();
});

it('does not mind a collector that refuses: it is told once, and spans are dropped', async () => {
  const collector = await startCollector();
  collector.status = 503;
  const told: object[] = [];
  const tracer = await configuredTracer({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.address}/own` }, detail =>
    told.push(detail),
  );
  for (let i = 0; i < 1_500; i++) await tracer.during(null, 'job x', async () => {});
  await tracer.close();
  expect(collector.headers.map(each => each[':path'])).toEqual(['/own', '/own', '/own']);
  expect(told).toEqual([{ problem: 'the collector answers 503', dropped: 512 }]);
  await collector.close();
});

it('fails with the work that failed', async () => {
  const collector = await startCollector();
  const tracer = await configuredTracer({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.address }, quiet);
  const work = tracer.during(null, 'job broken', () => Promise.reject(new Error('broken')));
  await expect(work).rejects.toThrow('broken');
  await tracer.close();
  expect(collector.spans).toMatchObject([{ name: 'job broken', status: { code: 2 } }]);
  await new Tracer().close();
  await collector.close();
});
