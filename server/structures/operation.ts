import { ACRE_M2 } from '../../query/geometry/acre.ts';
import { toGeoJson } from '../../query/search/page/geojson.ts';
import type { FloodShare, Height, Standing, Structure, Structures } from '../../query/structures/request.ts';
import { termsOf } from '../context.ts';
import { ServiceError } from '../errors/registry.ts';
import { ADDRESS_CODES } from '../geocode/schema.ts';
import { defineOperation, type OperationCtx, type OperationServices } from '../operation/operation.ts';
import { chooseRelease } from '../release/choice.ts';
import { invalidSearch } from '../search/operation.ts';
import { endOf } from '../sets/answer.ts';
import { locateGround, refuseBusy, unavailable } from '../sets/ground-lookup.ts';
import { type GroundKey, readGround } from '../sets/ground-question.ts';
import { SetReader } from '../sets/set-reader.ts';
import { SET_TERMS } from '../sets/terms.ts';
import { StructuresBodySchema, type StructuresResponse, StructuresResponseSchema } from './schema.ts';

/** Keys that name the ground. */
const PLACES: readonly GroundKey[] = ['parcel_id', 'geometry', 'lat', 'address'];
/** Milliseconds that an answer may take. */
const LIMIT_MS = 30_000;
/** Structures that a text tells of. */
const TOLD = 10;

type Told = StructuresResponse['structures'][number];

const round = (value: number, decimals: number): number => Math.round(value * 10 ** decimals) / 10 ** decimals;

const citedOf = ({ source, sourceUrl, vintage }: Pick<Standing, 'source' | 'sourceUrl' | 'vintage'>) => ({
  source,
  source_url: sourceUrl,
  dataset_vintage: vintage,
});

const standingText = (known: Standing) => ({
  status: known.status,
  reason: known.reason,
  retryable: known.retryable,
  ...citedOf(known),
});

const floodOf = (flood: FloodShare) => ({
  verdict: flood.verdict,
  share: flood.share,
  share_least: flood.least,
  share_most: flood.most,
  ...standingText(flood),
});

const heightOf = (height: Height) => ({ value_m: height.metres, error_m: height.error, ...standingText(height) });

const textOf = (value: unknown): string | null => (value === null || value === undefined ? null : String(value));

const structureOf = (structure: Structure): Told => {
  const { geometry, point, zones, aboveBaseFlood } = structure;
  return {
    structure_id: textOf(structure.id),
    lat: round(point.lat, 6),
    lng: round(point.lng, 6),
    area_m2: round(structure.squareMetres, 1),
    share_on_ground: structure.onGround,
    occupancy_class: textOf(structure.occupancy),
    geometry: toGeoJson(geometry) as Told['geometry'],
    ...citedOf(structure.footprint),
    special_flood_hazard_area: floodOf(structure.sfha),
    flood_zone: { zone: zones.zone, shares: [...zones.shares], ...standingText(zones) },
    floodplain_500yr: floodOf(structure.moderate),
    lowest_ground: heightOf(structure.lowest),
    base_flood_elevation: heightOf(structure.baseFlood),
    height_above_base_flood: { verdict: aboveBaseFlood.verdict, ...heightOf(aboveBaseFlood) },
  };
};

/** Reasons why something could not be told, a sentence each. */
function warningsOf({ footprints, count, structures, partly, rejected, late }: Structures): string[] {
  const out: string[] = [];
  if (footprints.status !== 'ok') out.push(`It is not known which buildings stand here: ${footprints.reason}.`);
  if (partly) out.push('Buildings are mapped on a part of this ground alone: there may be more.');
  if (rejected > 0) out.push(`${rejected} rows of buildings about this ground were rejected: there may be more.`);
  if (count !== null && count > structures.length)
    out.push(
      late
        ? `The time was up: ${structures.length} of ${count} structures are answered. Ask about a part of the ground.`
        : `The ${structures.length} largest of ${count} structures are answered. Ask about a part of the ground.`,
    );
  return out;
}

const isFailed = (structure: Structure): boolean =>
  [structure.sfha, structure.zones, structure.moderate, structure.lowest, structure.baseFlood].some(
    ({ status }) => status === 'failed',
  );

/**
 * POST /v1/structures: the buildings on a parcel or a polygon, and what flood map and terrain say of each footprint.
 * @param body as parsed, not yet checked.
 * @throws ServiceError search_invalid_request, coord_out_of_bounds, parcel_not_found, release_not_kept, search_unavailable, worker_stopped, and
 * those of an address; AbortError when the client has gone.
 */
async function floodOfStructures(
  ctx: OperationCtx,
  services: OperationServices,
  body: unknown,
): Promise<StructuresResponse> {
  const reader = new SetReader(ctx.catalog, ctx.engine, services.maxVertices);
  const read = reader.read(body, [...PLACES, 'lng', 'release']);
  const question = read && readGround(reader, read, PLACES, services.maxVertices);
  const release = read && reader.readRelease(read);
  if (!question || reader.issues.all.length > 0)
    throw invalidSearch(reader.issues.all, ctx.requestId, reader.issues.more);
  chooseRelease(ctx, { release });
  const { batch, maxCandidates, maxEvaluated, maxSquareKm } = services;
  const budget = { batch, maxCandidates, maxEvaluated, maxSquareKm };
  const ground = await locateGround(ctx, services, question);
  const request = { ground, filters: [], outputs: [], countyByFips: false, budget };
  const answer = await ctx.engine.structures(request, termsOf(ctx)).catch(refuseBusy);
  if ('uncounted' in answer) throw unavailable(answer.uncounted);
  if ('missing' in answer) throw new ServiceError('parcel_not_found');
  if ('issues' in answer) throw invalidSearch(answer.issues, ctx.requestId);
  const { gross, footprints, count, structures, partly, late } = answer;
  const isPartial = late || partly || footprints.status !== 'ok' || structures.some(isFailed);
  return {
    ground_acres: round(gross / ACRE_M2, 4),
    footprints: standingText(footprints),
    count,
    structures: structures.map(structureOf),
    warnings: warningsOf(answer),
    ...endOf(isPartial, ctx.requestId, late),
  };
}

/** A line of a structure for who reads text alone. */
const lineOf = ({ structure_id: id, area_m2: area, special_flood_hazard_area: sfha, ...told }: Told): string => {
  const { flood_zone: zone, height_above_base_flood: height } = told;
  const flood = sfha.verdict === null ? sfha.reason : `${sfha.verdict} (share ${sfha.share}, zone ${zone.zone})`;
  const above =
    height.value_m === null
      ? `not known (${height.reason})`
      : `${height.value_m} m ± ${height.error_m}, ${height.verdict}`;
  return `${id ?? 'structure'}, ${area} m²: special flood hazard area ${flood}; above base flood ${above}`;
};

export const structuresOperation = defineOperation({
  ...SET_TERMS,
  id: 'structures',
  route: 'POST /v1/structures',
  summary: 'What the flood map says about each building',
  description:
    'The buildings on a parcel or a polygon: how much of each footprint lies in a flood hazard area, the lowest ground under it, and how high that is above the base flood, each with what the map cannot decide. Free.',
  body: StructuresBodySchema,
  response: StructuresResponseSchema,
  errors: [
    'search_invalid_request',
    'search_unavailable',
    'worker_stopped',
    'parcel_not_found',
    'coord_out_of_bounds',
    'release_not_kept',
    ...ADDRESS_CODES,
  ],
  withoutState: false,
  limitMs: LIMIT_MS,
  example: ({ spot }) => ({ ...spot }),
  tool: {
    tool: 'sets',
    operation: 'structures',
    says: 'flood zone and height above the base flood of each building of a parcel',
    text({ count, footprints, structures, warnings }) {
      const head = count === null ? `Structures are not known: ${footprints.reason}.` : `${count} structures.`;
      return { lines: [head, ...warnings, ...structures.slice(0, TOLD).map(lineOf)] };
    },
  },
  command: { name: 'structures', summary: 'Say what the flood map says about each building of a parcel' },
  page: 'docs/analysis.md',
  answer: floodOfStructures,
});
