import { Type } from 'typebox';
import { MOST_GAP_M } from '../../query/assemblage/neighbour-file.ts';
import { MOST_PARCELS, type ParcelGroup } from '../../query/assemblage/request.ts';
import { toGeoJson } from '../../query/search/page/geojson.ts';
import { ServiceError } from '../errors/registry.ts';
import { defineOperation } from '../operation/operation.ts';
import type { JsonObject } from '../search/body-reader.ts';
import { askSet, endOf, warningsOf } from '../sets/answer.ts';
import type { AreaCtx, SetServices } from '../sets/area-source.ts';
import type { SetReader } from '../sets/set-reader.ts';
import { SET_TERMS } from '../sets/terms.ts';
import {
  AssemblageBodySchema,
  type AssemblageResponse,
  AssemblageResponseSchema,
  DEFAULT_GROUPS,
  MOST_ACRES,
  MOST_GROUPS,
  MOST_OWNERS,
} from './schema.ts';

/** Bytes of a group, about: outlines of a dozen parcels. */
const GROUP_BYTES = 24_000;

/** Estimates the bytes of an answer from a body that is not yet checked. */
function assemblageBytes(body: unknown): number {
  const { limit } = (body ?? {}) as { readonly limit?: unknown };
  return (typeof limit === 'number' ? Math.max(1, Math.min(MOST_GROUPS, limit)) : DEFAULT_GROUPS) * GROUP_BYTES;
}

/** Reads what a group must be. */
function readRule(reader: SetReader, body: JsonObject) {
  const has = (key: string) => Object.hasOwn(body, key);
  const acresMin = reader.readNumber(
    body.acres_min,
    'acres_min',
    acres => acres > 0 && acres <= MOST_ACRES,
    `above 0, at most ${MOST_ACRES.toLocaleString('en-US')}`,
  );
  const ownersMax = has('owners_max')
    ? reader.readNumber(
        body.owners_max,
        'owners_max',
        owners => Number.isInteger(owners) && owners >= 1 && owners <= MOST_OWNERS,
        `a whole number, 1 to ${MOST_OWNERS}`,
      )
    : null;
  const roadM = has('road_m')
    ? reader.readNumber(body.road_m, 'road_m', metres => metres >= 0 && metres <= MOST_GAP_M, `0 to ${MOST_GAP_M}`)
    : 0;
  const parcelId = has('parcel_id') ? reader.readParcelId(body) : null;
  const limit = reader.readCount(body, 'limit', { usual: DEFAULT_GROUPS, most: MOST_GROUPS });
  return { acresMin: acresMin ?? 0, ownersMax, roadM: roadM ?? 0, parcelId, limit };
}

const groupOf = ({ acres, owners, parcelIds, geometry }: ParcelGroup): AssemblageResponse['groups'][number] => ({
  acres,
  owners: [...owners],
  parcel_ids: [...parcelIds],
  geometry: toGeoJson(geometry) as AssemblageResponse['groups'][number]['geometry'],
});

/**
 * POST /v1/assemblage: parcels side by side that pass every filter and have enough acres together.
 * @param body as parsed, not yet checked.
 * @throws ServiceError search_invalid_request, release_not_kept, parcel_not_found, search_unavailable, worker_stopped, and those of areaOf; AbortError
 * when the client has gone.
 */
async function assembledGroups(ctx: AreaCtx, services: SetServices, body: unknown): Promise<AssemblageResponse> {
  const answer = await askSet(
    { ctx, services, body },
    (reader, read) =>
      reader.readSet(
        read,
        ['acres_min', 'owners_max', 'road_m', 'parcel_id', 'limit'],
        own => readRule(reader, own),
        false,
      ),
    (engine, request, terms) => engine.assemblage(request, terms),
  );
  if ('missing' in answer) throw new ServiceError('parcel_not_found');
  const { groups, ownerless, cut, lacking, unknown, unread, late } = answer;
  const parcels = (count: number) => `${count.toLocaleString('en-US')} ${count === 1 ? 'parcel' : 'parcels'}`;
  const warnings = [
    ...warningsOf(ctx, 'answer', answer),
    ...(ownerless > 0
      ? [`The owner of ${parcels(ownerless)} is not known: they are in no group, because owners are counted.`]
      : []),
    ...(cut > 0
      ? [`About ${parcels(cut)} not every group was tried: there are too many. Narrower filters leave fewer.`]
      : []),
    ...(lacking
      ? ['The release does not say which parcels are neighbors in some of these counties: it must be ingested again.']
      : []),
  ];
  return { groups: groups.map(groupOf), unknown, warnings, ...endOf(unread || lacking, ctx.requestId, late) };
}

/** POST /v1/assemblage. */
export const assemblageOperation = defineOperation({
  ...SET_TERMS,
  id: 'assemblage',
  route: 'POST /v1/assemblage',
  summary: 'Parcels side by side that together are large enough',
  description: `Groups of up to ${MOST_PARCELS} parcels that pass every filter, lie side by side or across a road, and have together the acres asked for, of few owners. Those with the least acres beyond that come first. Free.`,
  body: AssemblageBodySchema,
  response: AssemblageResponseSchema,
  answerBytes: assemblageBytes,
  example: ({ filters }) => ({ filters, acres_min: 20, owners_max: 2, road_m: 15, limit: 3 }),
  tool: {
    tool: 'sets',
    operation: 'assemblage',
    says: 'groups of neighboring parcels with enough acres together',
    takes: {
      acres_min: Type.Number({ description: 'assemblage' }),
      owners_max: Type.Integer(),
      road_m: Type.Number({ description: 'assemblage: across roads, 0-30.' }),
    },
    text({ groups, warnings }) {
      const lines = groups.map(
        ({ acres, owners, parcel_ids: ids }, i) =>
          `${i + 1}. ${acres} acres of ${owners.join('; ') || 'unknown owners'}: ${ids.join(', ')}`,
      );
      return { lines: [`${groups.length} groups`, ...warnings, ...lines] };
    },
  },
  command: { name: 'assemblage', summary: 'Find parcels side by side that together are large enough' },
  page: 'docs/analysis.md',
  answer: assembledGroups,
});
