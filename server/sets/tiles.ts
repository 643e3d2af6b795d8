import { type Static, Type } from 'typebox';
import { ServiceError } from '../errors/registry.ts';
import { defineOperation } from '../operation/operation.ts';
import { ReleaseName } from '../release/choice.ts';
import { keyOfFilters, writeFilters } from '../tiles/match-map.ts';
import { askSet, warningsOf } from './answer.ts';
import type { AreaCtx, SetServices } from './area-source.ts';
import { EXAMPLE_FILTERS, SetFilters, UNKNOWN, WARNINGS } from './filter-schema.ts';
import { SET_TERMS } from './terms.ts';

const closed = { additionalProperties: false };

const SetTilesResponse = Type.Object(
  {
    tiles: Type.String({
      description:
        'Address of the vector tiles, with {z}, {x} and {y}. It needs no token: whoever has it sees the parcels. Zooms 0 to 16.',
    }),
    expires_at: Type.String({ description: 'An hour later. From then on the address is 404.' }),
    unknown: UNKNOWN,
    warnings: WARNINGS,
  },
  closed,
);

/**
 * POST /v1/search/tiles: an address of vector tiles of all parcels that pass every filter.
 * @param body as parsed, not yet checked.
 * @throws ServiceError search_invalid_request, release_not_kept, search_unavailable, worker_stopped, and those of areaOf; AbortError when the client has gone.
 */
async function tilesOfSet(
  ctx: AreaCtx,
  services: SetServices,
  body: unknown,
): Promise<Static<typeof SetTilesResponse>> {
  let filters = '';
  const judged = await askSet(
    { ctx, services, body },
    (reader, read) => reader.readSet(read, [], () => ({}), false),
    (engine, request, terms) => {
      filters = writeFilters(request.filters);
      return engine.matchTile({ ...request, key: keyOfFilters(filters), tile: null }, terms);
    },
  );
  const { id: release } = ctx.release;
  if (release === null) throw new ServiceError('search_unavailable', { reason: 'nothing was published yet' });
  const { address, expiresAt } = await services.keepMap({ filters, release });
  return {
    tiles: address,
    expires_at: new Date(expiresAt).toISOString(),
    unknown: judged.unknown,
    warnings: warningsOf(ctx, 'map', judged),
  };
}

/** POST /v1/search/tiles. */
export const setTilesOperation = defineOperation({
  ...SET_TERMS,
  id: 'searchTiles',
  route: 'POST /v1/search/tiles',
  summary: 'A map of all parcels that pass every filter',
  description:
    'The address of vector tiles that show every parcel that passes, at any zoom, for an hour and in the release that it was made in. Nobody can guess it, and it needs no token. An account has a hundred at once: a further one ends the oldest. Free.',
  body: Type.Object(
    { filters: SetFilters, release: ReleaseName },
    { ...closed, examples: [{ filters: EXAMPLE_FILTERS }] },
  ),
  response: SetTilesResponse,
  // What it answers stands in the store.
  withoutState: false,
  example: ({ filters }) => ({ filters }),
  tool: {
    tool: 'sets',
    operation: 'tiles',
    says: 'an address of map tiles, for an hour',
    text: ({ tiles, expires_at: until, warnings }) => ({ lines: [`${tiles} until ${until}`, ...warnings] }),
  },
  command: { name: 'tiles', summary: 'Give the address of a map of all parcels that pass filters' },
  sql: 'matchTile',
  answer: tilesOfSet,
});
