import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { STATE_FIPS } from '../../datasets/codes/state-fips.ts';
import { PARCEL_ATTRIBUTES } from '../../datasets/parcel/parcel-attributes.ts';
import { numericNames } from '../../query/parcel/county-quantiles.ts';
import { type AreaQuantiles, allOf, PROBABILITIES } from '../../query/parcel/quantiles.ts';
import type { Ctx, Services } from '../context.ts';
import { adviceText, nearestFields } from '../errors/name-advice.ts';
import { contextOf } from '../http/context.ts';
import { errorResponses } from '../http/error-schema.ts';
import { sending } from '../http/header-schema.ts';
import { SharedAnswers, sendShared } from '../http/shared-answer.ts';
import { CopyHeaders } from './schema.ts';

/** Milliseconds that a request may take. */
const LIMIT_MS = 10_000;

const NAME = '[a-z][a-z0-9_]{0,63}';
const closed = { additionalProperties: false } as const;

const QuantilesQuery = Type.Object(
  {
    fields: Type.Optional(
      Type.String({
        pattern: `^${NAME}(,${NAME}){0,49}$`,
        description: 'Names of numeric fields, at most 50 with commas between; without it all of them.',
      }),
    ),
    county_fips: Type.Optional(
      Type.String({
        pattern: '^[0-9]{5}$',
        description: 'This county, its state and the release; without it the release.',
      }),
    ),
  },
  closed,
);
type QuantilesQuery = Static<typeof QuantilesQuery>;

const Row = Type.Object(
  {
    field: Type.String(),
    unit: Type.Union([Type.String(), Type.Null()]),
    of: Type.Union([Type.Literal('county'), Type.Literal('state'), Type.Literal('release')]),
    place: Type.Union([Type.String(), Type.Null()], {
      description: 'FIPS code of the county, letters of the state; null for the release.',
    }),
    parcels: Type.Integer({ description: 'All parcels there.' }),
    count: Type.Integer({ description: 'Those with a value.' }),
    values: Type.Union([Type.Array(Type.Number()), Type.Null()], {
      description:
        'By `probabilities`: the least value that so large a share of the parcels does not exceed. Null where there is none.',
    }),
    reason: Type.Optional(Type.String({ description: 'Why there is none.' })),
  },
  closed,
);
type Row = Static<typeof Row>;

const QuantilesResponse = Type.Object(
  {
    release: Type.Union([Type.String(), Type.Null()]),
    county_fips: Type.Union([Type.String(), Type.Null()]),
    probabilities: Type.Array(Type.Number()),
    rows: Type.Array(Row, { description: 'By field, the county first.' }),
  },
  closed,
);

interface Area extends Pick<Row, 'of' | 'place'> {
  /** Null where the release has none. */
  readonly quantiles: AreaQuantiles | null;
  /** Why, where its file cannot be read. */
  readonly damage: string | null;
}

async function areaOf(ctx: Ctx, of: Row['of'], key: string): Promise<Area> {
  const place = of === 'release' ? null : key;
  return ctx.engine.quantiles(key).then(
    quantiles => ({ of, place, quantiles, damage: null }),
    (error: Error) => ({ of, place, quantiles: null, damage: error.message }),
  );
}

/** Why a field has no quantiles in an area. */
function reasonOf(ctx: Ctx, names: ReadonlySet<string>, name: string, { of, place, quantiles, damage }: Area): string {
  if (!names.has(name)) {
    const advice = adviceText({ nearest: nearestFields(ctx.catalog, name, names), known_by: [] });
    return `${ctx.catalog.fields.has(name) ? 'the field is no number' : `there is no such field${advice}`}`;
  }
  if (quantiles) {
    const lack = ctx.engine.availability(of === 'county' ? place : null).lackOf(name);
    return lack ?? 'no parcel there has a value';
  }
  if (damage !== null) return `the quantiles cannot be read: ${damage}`;
  const where = of === 'release' ? '' : of === 'county' ? ' of the county' : ' of the state';
  return `this release has no quantiles of the parcels${where}: it has no parcels there, or it was made before quantiles were taken, and plat ingest overlay takes them`;
}

/** GET /v1/meta/quantiles: quantiles of numeric fields of the parcels of a county, its state and the open release. */
async function quantileCatalog(ctx: Ctx, { fields, county_fips }: QuantilesQuery) {
  const numeric = numericNames(ctx.catalog);
  const names = new Set(numeric);
  const digits = county_fips?.slice(0, 2);
  const [state = null] = Object.entries(STATE_FIPS).find(([, fips]) => fips === digits) ?? [];
  const areas = await Promise.all([
    ...(county_fips === undefined ? [] : [areaOf(ctx, 'county', county_fips)]),
    ...(state === null ? [] : [areaOf(ctx, 'state', state)]),
    areaOf(ctx, 'release', 'US'),
  ]);
  const unitOf = (name: string): string | null =>
    ctx.catalog.fields.get(name)?.unit ??
    (PARCEL_ATTRIBUTES as Readonly<Record<string, { readonly unit?: string }>>)[name]?.unit ??
    null;
  const rows = [...new Set(fields?.split(',') ?? numeric)].flatMap(field =>
    areas.map((area): Row => {
      const { of, place, quantiles } = area;
      const own = quantiles && Object.hasOwn(quantiles.fields, field) ? quantiles.fields[field]! : null;
      return {
        ...{ field, unit: unitOf(field), of, place, parcels: quantiles?.parcels ?? 0, count: own?.count ?? 0 },
        values: own ? [...allOf(own)] : null,
        ...(own ? {} : { reason: reasonOf(ctx, names, field, area) }),
      };
    }),
  );
  return {
    release: ctx.engine.status().release,
    county_fips: county_fips ?? null,
    probabilities: [...PROBABILITIES],
    rows,
  };
}

/** GET /v1/meta/quantiles. */
export function quantileRoutes(app: FastifyInstance, services: Services): void {
  const answers = new SharedAnswers();
  app.get<{ Querystring: QuantilesQuery }>(
    '/v1/meta/quantiles',
    {
      exposeHeadRoute: false,
      schema: {
        operationId: 'quantileCatalog',
        tags: ['Catalog'],
        summary: 'How the values of a numeric field are spread over the parcels of a county, its state and the release',
        description:
          'Taken from the columns of the parcels when the release was made. Those of a county are exact; those of a state and of the release are right to one percent of the parcels. Sends a strong `ETag`; revalidate with `If-None-Match` after an hour.',
        security: [],
        headers: CopyHeaders,
        querystring: QuantilesQuery,
        response: {
          200: sending(QuantilesResponse, 'ETag', 'Cache-Control'),
          304: sending(
            Type.Null({ description: 'The copy named in `If-None-Match` is current.' }),
            'ETag',
            'Cache-Control',
          ),
          ...errorResponses([], true),
        },
      },
    },
    async (request, reply) => {
      const catalog = await quantileCatalog(contextOf(request, reply, services, LIMIT_MS), request.query);
      reply.header('cache-control', 'public, max-age=3600');
      return sendShared(request, reply, answers.of(catalog));
    },
  );
}
