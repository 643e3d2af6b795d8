import { ServiceError } from '../errors/registry.ts';
import { askSet, endOf } from './answer.ts';
import type { AreaCtx, SetServices } from './area-source.ts';
import type { ExplainResponse } from './explain-schema.ts';

/** Whether a parcel passes, from what each filter says: one that fails settles it. */
function together(each: readonly { readonly passes: boolean | null }[]): boolean | null {
  if (each.some(({ passes }) => passes === false)) return false;
  return each.some(({ passes }) => passes === null) ? null : true;
}

/**
 * POST /v1/search/explain: what each filter makes of a parcel; or which one must give way, where none passes.
 * @param body as parsed, not yet checked.
 * @throws ServiceError search_invalid_request, release_not_kept, parcel_not_found, search_unavailable, worker_stopped, and those of areaOf; AbortError
 * when the client has gone.
 */
export async function explainSearch(ctx: AreaCtx, services: SetServices, body: unknown): Promise<ExplainResponse> {
  const explained = await askSet(
    { ctx, services, body },
    (reader, read) =>
      reader.readSet(read, ['parcel_id'], own => ({
        parcelId: Object.hasOwn(own, 'parcel_id') ? reader.readParcelId(own) : null,
      })),
    (engine, request, terms) => engine.explain(request, terms),
  );
  if ('missing' in explained) throw new ServiceError('parcel_not_found');
  if ('verdicts' in explained) {
    const filters = explained.verdicts.map((verdict, index) => ({ index, ...verdict }));
    return { passes: together(filters), filters, ...endOf(false, ctx.requestId) };
  }
  const { count, relax, unread, late } = explained;
  const told = relax.map(({ value, ...each }) => ({
    ...each,
    value: Array.isArray(value) ? [...(value as readonly (number | string)[])] : (value as number | string | null),
  }));
  return { count, relax: told, ...endOf(unread, ctx.requestId, late) };
}
