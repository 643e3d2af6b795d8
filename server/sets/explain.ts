import { ServiceError } from '../errors/registry.ts';
import { defineOperation } from '../operation/operation.ts';
import { valueText } from '../operation/value-text.ts';
import { askSet, endOf, warningsOf } from './answer.ts';
import type { AreaCtx, SetServices } from './area-source.ts';
import { ExplainBodySchema, type ExplainResponse, ExplainResponseSchema } from './explain-schema.ts';
import { SET_TERMS } from './terms.ts';

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
async function explainSearch(ctx: AreaCtx, services: SetServices, body: unknown): Promise<ExplainResponse> {
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
  const warnings = warningsOf(ctx, 'count', explained);
  return { count, relax: told, warnings, ...endOf(unread, ctx.requestId, late) };
}

/** POST /v1/search/explain. */
export const explainOperation = defineOperation({
  ...SET_TERMS,
  id: 'searchExplain',
  route: 'POST /v1/search/explain',
  summary: 'Why a parcel passes filters or not, or why none does',
  description:
    'With `parcel_id`: what each filter makes of the parcel, and by how much it passes or fails. Without: how many parcels pass, and where none does which one filter must give way, and how far, for ten matches. Free.',
  body: ExplainBodySchema,
  response: ExplainResponseSchema,
  example: ({ filters }) => ({ filters: [...filters, { field: 'acreage', op: 'lt', value: 0.01 }] }),
  tool: {
    tool: 'sets',
    operation: 'explain',
    says: 'why a parcel passes or not; why nothing does',
    text(explained) {
      const lines =
        'filters' in explained
          ? explained.filters.map(
              ({ index, value, passes, margin }) =>
                `Filter ${index}: ${valueText(value)} ${passes === null ? 'is not known to pass' : passes ? 'passes' : 'fails'}${margin === null ? '' : ` by ${margin}`}`,
            )
          : explained.relax.map(
              ({ index, value, matches }) =>
                `Filter ${index} ${value === null ? 'left out' : `at ${valueText(value)}`}: ${matches} parcels`,
            );
      if ('filters' in explained) return { lines: [`Passes: ${explained.passes}.`, ...lines] };
      return { lines: [`${explained.count} parcels pass.`, ...explained.warnings, ...lines] };
    },
  },
  command: { name: 'explain', summary: 'Say why a parcel passes filters or not, or why none does' },
  sql: 'explain',
  page: 'docs/analysis.md',
  answer: explainSearch,
});
