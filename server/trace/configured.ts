import { hostname } from 'node:os';
import type { OtlpTerms } from './otlp.ts';
import { type Sampler, Tracer } from './tracer.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads a list of `name=value` between commas, values percent-encoded, as OpenTelemetry writes them. */
function pairsOf(variable: string, text: string): Record<string, string> {
  const pairs = text.split(',').filter(part => part.trim() !== '');
  return Object.fromEntries(
    pairs.map(part => {
      const [, name, value] = /^\s*([^=\s]+)\s*=(.*)$/.exec(part) ?? [];
      if (name === undefined) throw new RangeError(`${variable}: expected name=value between commas`);
      return [name, decodeURIComponent(value!.trim())];
    }),
  );
}

/** The samplers that OpenTelemetry names. @throws RangeError for others. */
function samplerOf(name: string, argument: string): Sampler {
  const isOfParent = name.startsWith('parentbased_');
  const own = name.replace(/^parentbased_/, '');
  const ratio =
    own === 'always_on' ? 1 : own === 'always_off' ? 0 : own === 'traceidratio' ? Number(argument || 1) : Number.NaN;
  if (!(ratio >= 0 && ratio <= 1))
    throw new RangeError(
      `OTEL_TRACES_SAMPLER=${name}: expected always_on, always_off, traceidratio (OTEL_TRACES_SAMPLER_ARG from 0 to 1), or one of these after parentbased_`,
    );
  // The last seven bytes are random, as the standard asks.
  const sample = (traceId: string) => Number.parseInt(traceId.slice(-13), 16) < ratio * 2 ** 52;
  return (traceId, parent) => (isOfParent && parent !== undefined ? parent : sample(traceId));
}

/**
 * Makes the tracer that the standard variables of OpenTelemetry ask for. Without an endpoint it exports nothing and loads nothing.
 * @throws RangeError for a value that cannot be followed.
 */
export async function configuredTracer(env: Environment, warn: OtlpTerms['warn']): Promise<Tracer> {
  const of = (name: string, fallback = '') => env[name]?.trim() || fallback;
  const traces = (name: string) => of(`OTEL_EXPORTER_OTLP_TRACES_${name}`, of(`OTEL_EXPORTER_OTLP_${name}`));
  const base = of('OTEL_EXPORTER_OTLP_ENDPOINT');
  const url = of('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', base === '' ? '' : `${base.replace(/\/$/, '')}/v1/traces`);
  const isOff = of('OTEL_SDK_DISABLED').toLowerCase() === 'true' || of('OTEL_TRACES_EXPORTER', 'otlp') === 'none';
  if (url === '' || isOff) return new Tracer();
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new RangeError('OTEL_EXPORTER_OTLP_ENDPOINT: expected an address such as http://127.0.0.1:4318');
  if (traces('PROTOCOL') === 'grpc')
    throw new RangeError(
      'OTEL_EXPORTER_OTLP_PROTOCOL=grpc: expected http/json, which collectors take on port 4318, or nothing',
    );
  const timeoutMs = Number(traces('TIMEOUT') || 10_000);
  if (!(timeoutMs > 0)) throw new RangeError('OTEL_EXPORTER_OTLP_TIMEOUT: expected milliseconds, more than 0');
  const headers = pairsOf('OTEL_EXPORTER_OTLP_HEADERS', traces('HEADERS'));
  const given = pairsOf('OTEL_RESOURCE_ATTRIBUTES', of('OTEL_RESOURCE_ATTRIBUTES'));
  const resource = {
    'host.name': hostname(),
    'process.pid': String(process.pid),
    ...given,
    'service.name': of('OTEL_SERVICE_NAME', given['service.name'] ?? 'plat'),
  };
  const sample = samplerOf(of('OTEL_TRACES_SAMPLER', 'parentbased_always_on'), of('OTEL_TRACES_SAMPLER_ARG'));
  const { OtlpExporter } = await import('./otlp.ts');
  return new Tracer(new OtlpExporter({ url, headers, timeoutMs, resource, warn }), sample);
}
