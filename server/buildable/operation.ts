import { Type } from 'typebox';
import type { Geometry } from '../../datasets/geometry.ts';
import { SITING_TEMPLATES } from '../../datasets/siting-templates.ts';
import type { ExclusionShare } from '../../query/buildable/request.ts';
import { ACRE_M2 } from '../../query/geometry/acre.ts';
import { toGeoJson } from '../../query/search/page/geojson.ts';
import { termsOf } from '../context.ts';
import { ServiceError } from '../errors/registry.ts';
import type { Placemark } from '../formats/kml.ts';
import { ADDRESS_CODES } from '../geocode/schema.ts';
import { defineOperation, type OperationCtx, type OperationServices } from '../operation/operation.ts';
import { chooseRelease } from '../release/choice.ts';
import { isObject } from '../search/body-reader.ts';
import { invalidSearch } from '../search/operation.ts';
import { endOf } from '../sets/answer.ts';
import { locateGround, refuseBusy, unavailable } from '../sets/ground-lookup.ts';
import { SetReader } from '../sets/set-reader.ts';
import { SET_TERMS } from '../sets/terms.ts';
import { BuildableBody } from './body.ts';
import { BuildableBodySchema, type BuildableResponse, BuildableResponseSchema } from './schema.ts';

/** Milliseconds that an answer may take. */
const LIMIT_MS = 30_000;

/** The shape of an answer. */
const shapeOf = (geometry: Geometry | null): BuildableResponse['geometry'] =>
  geometry && (toGeoJson(geometry) as NonNullable<BuildableResponse['geometry']>);

const acres = (squareMetres: number | null): number | null =>
  squareMetres === null ? null : Math.round((squareMetres / ACRE_M2) * 1e4) / 1e4;

const shareOf = (share: ExclusionShare, withShape: boolean): BuildableResponse['exclusions'][number] => ({
  layer: share.name,
  alone_acres: acres(share.alone),
  last_acres: acres(share.last),
  status: share.status,
  source: share.source,
  source_url: share.sourceUrl,
  dataset_vintage: share.vintage,
  ...(withShape ? { geometry: shapeOf(share.geometry) } : {}),
});

/**
 * The ground of a parcel, a site or a polygon on which something can be built.
 * @param body as parsed, not yet checked.
 * @throws ServiceError search_invalid_request, coord_out_of_bounds, parcel_not_found, site_not_found, site_not_ready, release_not_kept,
 * search_unavailable, worker_stopped, and those of an address; AbortError when the client has gone.
 */
async function buildableGround(
  ctx: OperationCtx,
  services: OperationServices,
  body: unknown,
): Promise<BuildableResponse> {
  const reader = new SetReader(ctx.catalog, ctx.engine, services.maxVertices);
  const name = isObject(body) && typeof body.template === 'string' ? body.template : null;
  const own = name === null || SITING_TEMPLATES.has(name) ? null : await services.sitingTemplate(name);
  const question = new BuildableBody(reader, ctx.catalog, services.maxVertices, own).read(body);
  if (!question) throw invalidSearch(reader.issues.all, ctx.requestId, reader.issues.more);
  const { release, ...asked } = question;
  chooseRelease(ctx, { release });
  const { batch, maxCandidates, maxEvaluated, maxSquareKm } = services;
  const budget = { batch, maxCandidates, maxEvaluated, maxSquareKm };
  const ground = await locateGround(ctx, services, asked.ground);
  const request = { ...asked, ground, filters: [], outputs: [], countyByFips: false, budget };
  const answer = await ctx.engine.buildable(request, termsOf(ctx)).catch(refuseBusy);
  if ('uncounted' in answer) throw unavailable(answer.uncounted);
  if ('missing' in answer) throw new ServiceError('parcel_not_found');
  if ('issues' in answer) throw invalidSearch(answer.issues, ctx.requestId);
  const { gross, area, largestPiece, undecidable, geometry, exclusions } = answer;
  const failures = exclusions.filter(({ status }) => status !== 'ok');
  return {
    gross_acres: acres(gross)!,
    buildable_acres: acres(area),
    largest_piece_acres: acres(largestPiece),
    undecidable_fraction: undecidable === null ? null : Math.round(undecidable * 1e4) / 1e4,
    geometry: shapeOf(geometry),
    exclusions: exclusions.map(share => shareOf(share, question.shapes)),
    partial_failures: failures.map(({ name, reason, retryable }) => ({ layer: name, error: reason!, retryable })),
    ...endOf(failures.length > 0, ctx.requestId),
  };
}

/** What is drawn of an answer: the ground that is left, and what each exclusion takes. */
function placemarksOf({
  geometry,
  buildable_acres: left,
  gross_acres: gross,
  exclusions,
}: BuildableResponse): Placemark[] {
  const own = geometry ? [{ name: 'buildable', description: `${left} of ${gross} acres`, geometry }] : [];
  const taken = exclusions.flatMap(({ layer, geometry: shape, alone_acres: alone, last_acres: last, ...exclusion }) => {
    if (!shape) return [];
    const { source, dataset_vintage: vintage } = exclusion;
    const description = [`${alone} acres alone, ${last} last`, source, vintage].filter(Boolean).join('; ');
    return [{ name: layer, description, geometry: shape }];
  });
  return [...own, ...taken];
}

/** POST /v1/buildable. */
export const buildableOperation = defineOperation({
  ...SET_TERMS,
  id: 'buildable',
  route: 'POST /v1/buildable',
  summary: 'The ground on which something can be built',
  description:
    'A parcel, a site or a polygon without the ground of layers of your choice, each with its own setback, without what is too steep, too narrow or too small, and how much each of them takes. 10 credits; a refusal costs nothing.',
  body: BuildableBodySchema,
  response: BuildableResponseSchema,
  errors: [
    'search_invalid_request',
    'search_unavailable',
    'parcel_not_found',
    'site_not_found',
    'site_not_ready',
    'coord_out_of_bounds',
    'release_not_kept',
    'credits_exhausted',
    ...ADDRESS_CODES,
  ],
  scopes: ['spend'],
  price: { credits: 10, unit: 'per call' },
  withoutState: false,
  limitMs: LIMIT_MS,
  drawing: {
    bodyFor: body => (typeof body === 'object' && body !== null ? { ...body, exclusion_geometry: true } : body),
    of: placemarksOf,
  },
  example: ({ spot }) => ({ ...spot, template: 'solar' }),
  tool: {
    tool: 'sets',
    operation: 'buildable',
    says: 'the ground that layers with setbacks leave of a parcel or site, 10 credits',
    takes: {
      site_id: Type.String({ description: 'buildable: or parcel_id, geometry, lat and lng, address.' }),
      template: Type.String({
        description: `buildable: ${[...SITING_TEMPLATES.keys()].join('|')}, or one of the account.`,
      }),
      exclusions: Type.Array(Type.Unknown(), {
        description: 'buildable: of {layer: "dataset:layer", where, setback_m|setback_ft}.',
      }),
      boundary_setback_m: Type.Number(),
      max_slope_percent: Type.Number(),
      min_width_m: Type.Number(),
      min_piece_acres: Type.Number(),
      exclusion_geometry: Type.Boolean(),
    },
    text({ gross_acres: gross, buildable_acres: left, largest_piece_acres: largest, exclusions, ...answer }) {
      const head =
        left === null
          ? `Of ${gross} acres it is not known how much can be built on.`
          : `${left} of ${gross} acres, ${largest} in one piece; undecidable share ${answer.undecidable_fraction}.`;
      const lines = exclusions.map(({ layer, alone_acres: alone, last_acres: last, status }) =>
        status === 'ok' ? `${layer}: ${alone} acres alone, ${last} last` : `${layer}: ${status}`,
      );
      return { lines: [head, ...lines] };
    },
  },
  command: { name: 'buildable', summary: 'Say on which ground of a parcel or a polygon something can be built' },
  page: 'docs/analysis.md',
  answer: buildableGround,
});
