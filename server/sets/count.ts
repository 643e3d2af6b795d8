import { Type } from 'typebox';
import { defineOperation } from '../operation/operation.ts';
import { askSet, warningsOf } from './answer.ts';
import type { AreaCtx, SetServices } from './area-source.ts';
import { CountBodySchema, type CountResponse, CountResponseSchema } from './count-schema.ts';
import { DEFAULT_BOUND, MAX_BOUND } from './limits.ts';
import { SET_TERMS } from './terms.ts';

/**
 * POST /v1/search/count: how many parcels pass every filter, to a bound.
 * @param body as parsed, not yet checked.
 * @throws ServiceError search_invalid_request, release_not_kept, search_unavailable, worker_stopped, and those of areaOf; AbortError when the client has gone.
 */
export async function countMatches(ctx: AreaCtx, services: SetServices, body: unknown): Promise<CountResponse> {
  const counted = await askSet(
    { ctx, services, body },
    (reader, read) =>
      reader.readSet(read, ['bound'], own => ({
        bound: reader.readCount(own, 'bound', { usual: DEFAULT_BOUND, most: MAX_BOUND }),
      })),
    (engine, request, terms) => engine.count(request, terms),
  );
  const { count, outlines, atLeast, unknown, perFilter, preview } = counted;
  return {
    count,
    outlines,
    at_least: atLeast,
    unknown,
    warnings: warningsOf(ctx, 'count', counted),
    per_filter: perFilter.map((each, index) => ({ index, ...each })),
    preview: JSON.parse(preview) as CountResponse['preview'],
  };
}

/** POST /v1/search/count. */
export const countOperation = defineOperation({
  ...SET_TERMS,
  id: 'searchCount',
  route: 'POST /v1/search/count',
  summary: 'How many parcels pass every filter',
  description:
    'Counted to a bound, with what each filter lets through alone and what all others do: which filter costs most. `filters` are those of POST /v1/search and some more, and so are the issues of a 422.',
  body: CountBodySchema,
  response: CountResponseSchema,
  example: ({ filters }) => ({ filters }),
  tool: {
    tool: 'sets',
    operation: 'count',
    says: 'how many, and what each filter costs',
    takes: { bound: Type.Integer({ description: 'count: up to which.' }) },
    text({ count, at_least: atLeast, outlines, unknown, warnings, per_filter: each }) {
      const head = `${atLeast ? 'At least ' : ''}${count} parcels on ${outlines} outlines; ${unknown} unknown.`;
      const lines = each.map(({ index, alone, without }) => `Filter ${index}: ${alone} alone; ${without} without it.`);
      return { lines: [head, ...warnings, ...lines] };
    },
  },
  command: { name: 'count', summary: 'Count the parcels of the current release that pass filters' },
  sql: 'count',
  answer: countMatches,
});
