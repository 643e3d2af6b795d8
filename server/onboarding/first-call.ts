import type { IncomingHttpHeaders } from 'node:http';
import type { Ctx } from '../context.ts';

/** Names the attempt that a call is of. */
const HEADER = 'x-service-onboarding-attempt';
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** What matters of a field's record. */
type FieldRecord = { readonly status: string; readonly value?: unknown; readonly source_url?: unknown };

/** Whether a field answered something: zero and false do; nothing, blanks and empty lists do not. */
function isMeaningful({ status, value }: FieldRecord): boolean {
  if (status !== 'ok' || value === null || value === undefined) return false;
  if (typeof value === 'number') return !Number.isNaN(value);
  if (typeof value === 'string') return value.trim() !== '';
  return !Array.isArray(value) || value.length > 0;
}

/**
 * Notes a fetch as the first call of the attempt that its header names, when its token is the attempt's and a field has a
 * value. What fails here is logged and never the caller's: the fetch was answered.
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
