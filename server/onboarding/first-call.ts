import type { IncomingHttpHeaders } from 'node:http';
import type { Ctx } from '../context.ts';

/** Names the attempt that a call belongs to. */
const HEADER = 'x-service-onboarding-attempt';
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The parts of a field record that count here. */
type FieldRecord = { readonly status: string; readonly value?: unknown; readonly source_url?: unknown };

/** Whether a field has a value: zero and false count; null, blanks and empty lists do not. */
function isMeaningful({ status, value }: FieldRecord): boolean {
  if (status !== 'ok' || value === null || value === undefined) return false;
  if (typeof value === 'number') return !Number.isNaN(value);
  if (typeof value === 'string') return value.trim() !== '';
  return !Array.isArray(value) || value.length > 0;
}

/**
 * Records a fetch as the first call of the attempt named in its header, when the token belongs to the attempt and a
 * field has a value. A failure here is logged and does not reach the caller, because the fetch itself was answered.
 */
export async function noteFirstCall(
  ctx: Ctx,
  headers: IncomingHttpHeaders,
  { fields }: { readonly fields: Readonly<Record<string, FieldRecord>> },
): Promise<void> {
  const id = headers[HEADER];
  const { credential } = ctx;
  if (typeof id !== 'string' || !ID.test(id) || credential?.kind !== 'token') return;
  const valued = Object.entries(fields).filter(([, record]) => isMeaningful(record));
  if (valued.length === 0) return;
  const urls = valued.flatMap(([, { source_url: url }]) => (typeof url === 'string' ? [url] : []));
  const call = { fields: valued.map(([name]) => name), source_urls: [...new Set(urls)] };
  try {
    await ctx.state.onboarding.prove(id, credential.jti, call, ctx.clock.now());
  } catch (error) {
    ctx.log.error({ err: error }, 'a first call could not be noted');
  }
}
