import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { layersRead } from '../../query/evaluate/version.ts';
import type { CountyScore } from '../../query/parcel/scorecard.ts';
import type { Ctx, Services } from '../context.ts';
import { adviceText, nearestFields } from '../errors/name-advice.ts';
import { contextOf } from '../http/context.ts';
import { errorResponses } from '../http/error-schema.ts';
import { sending } from '../http/header-schema.ts';
import { SharedAnswers, sendShared } from '../http/shared-answer.ts';
import { CopyHeaders } from './schema.ts';

/** Milliseconds that a request may take. */
const LIMIT_MS = 10_000;
/** Counties of one answer: of all fields, and of one. */
const [MOST_COUNTIES, MOST_OF_A_FIELD] = [10, 1000];
const DAY_MS = 86_400_000;

const closed = { additionalProperties: false } as const;
const maybe = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const ScorecardQuery = Type.Object(
  {
    field: Type.Optional(
      Type.String({ pattern: '^[a-z][a-z0-9_]{0,63}$', description: 'This field; without it all.' }),
    ),
    county_fips: Type.Optional(
      Type.String({
        pattern: '^[0-9]{5}$',
        description: `This county; without it the first ${MOST_COUNTIES}, or ${MOST_OF_A_FIELD} of one field.`,
      }),
    ),
  },
  closed,
);
type ScorecardQuery = Static<typeof ScorecardQuery>;

const Interval = maybe(
  Type.Array(Type.Number(), { minItems: 2, maxItems: 2 }),
  "Wilson's interval of 95 percent about the share that is right; null where nothing was checked.",
);

const Row = Type.Object(
  {
    field: Type.String(),
    county_fips: Type.String(),
    against: maybe(
      Type.Literal('recomputation'),
      'Standard of comparison: the values computed a second time from the rows of the release, by other code. Null: not checked.',
    ),
    checked: Type.Integer({ description: 'Values that were judged.' }),
    right: Type.Integer(),
    wrong: Type.Integer(),
    absent: Type.Integer({ description: 'Without a value: counted and not judged.' }),
    failed: Type.Integer(),
    interval: Interval,
    p50_error: maybe(Type.Number(), 'Of numbers, in the unit of the field: half of them are off by no more.'),
    p95_error: maybe(Type.Number(), '95 of 100 are off by no more.'),
    reason: Type.Optional(Type.String({ description: 'Why nothing was checked.' })),
  },
  closed,
);
type Row = Static<typeof Row>;

const County = Type.Object(
  {
    county_fips: Type.String(),
    taken_at: maybe(Type.String(), 'When the values were checked; null: never, for what the release has now.'),
    sample: Type.Integer({ description: 'Parcels that were looked at.' }),
    undecidable: maybe(Type.Number(), 'Share of values so near an edge or a tie that either answer may be right.'),
    disagreeing: maybe(Type.Number(), 'Share of parcels of whose acres sources disagree.'),
    calibration: Type.Array(
      Type.Object(
        {
          confidence: Type.Union([Type.Literal('high'), Type.Literal('medium'), Type.Literal('low')]),
          checked: Type.Integer(),
          right: Type.Integer(),
          interval: Interval,
        },
        closed,
      ),
      { description: 'By confidence, over all fields that were checked.' },
    ),
  },
  closed,
);

const Source = Type.Object(
  {
    dataset: Type.String(),
    layer: Type.String(),
    county_fips: maybe(Type.String(), 'Null: of a state or of the country.'),
    source: Type.String(),
    vintage: Type.String({ description: 'When its content is of, as its publisher says it.' }),
    age_days: Type.Integer({ description: 'Since its file was taken.' }),
  },
  closed,
);

const ScorecardResponse = Type.Object(
  {
    release: Type.Union([Type.String(), Type.Null()]),
    rows: Type.Array(Row, { description: 'By county, then by field in catalog order.' }),
    counties: Type.Array(County),
    counties_left: Type.Integer({ description: 'Counties of the release that did not fit: ask for each by its code.' }),
    sources: Type.Array(Source, {
      description: 'Layers that the field is read from, with their age; empty without `field`.',
    }),
  },
  closed,
);

const NOT_TAKEN = 'no scorecard was taken of what this release has there now; plat ingest score takes it';

/** The row of a field without a score. */
const unscored = (field: string, county: string, reason: string): Row => ({
  ...{ field, county_fips: county, against: null, checked: 0, right: 0, wrong: 0, absent: 0, failed: 0 },
  ...{ interval: null, p50_error: null, p95_error: null, reason },
});

interface Scored {
  readonly county: string;
  readonly score: CountyScore | null;
  readonly damage: string | null;
}

const scoredAt = (ctx: Ctx, county: string): Promise<Scored> =>
  ctx.engine.scorecard(county).then(
    score => ({ county, score, damage: null }),
    (error: Error) => ({ county, score: null, damage: error.message }),
  );

/** The rows of a county. @param names in catalog order. */
function rowsOf({ county, score, damage }: Scored, names: readonly string[]): Row[] {
  const byName = new Map(score?.rows.map(row => [row.field, row]));
  return names.map(name => {
    const own = byName.get(name);
    if (!own) return unscored(name, county, damage === null ? NOT_TAKEN : `the scorecard cannot be read: ${damage}`);
    const { undecidable, interval, ...row } = own;
    return { ...row, county_fips: county, interval: interval && [...interval] };
  });
}

/** What a county's scorecard says of all its fields. */
function countyOf({ county, score }: Scored): Static<typeof County> {
  const rows = score?.rows ?? [];
  const undecidable = rows.reduce((sum, row) => sum + row.undecidable, 0);
  const judged = rows.reduce((sum, row) => sum + row.checked, undecidable);
  return {
    county_fips: county,
    taken_at: score?.taken_at ?? null,
    sample: score?.sample ?? 0,
    undecidable: judged === 0 ? null : Number((undecidable / judged).toPrecision(4)),
    disagreeing: score?.disagreeing ?? null,
    calibration: (score?.calibration ?? []).map(({ interval, ...rate }) => ({
      ...rate,
      interval: interval && [...interval],
    })),
  };
}

function sourcesOf(ctx: Ctx, field: string | undefined, counties: readonly string[]) {
  if (field === undefined || !ctx.catalog.fields.has(field)) return [];
  const read = new Set(layersRead(ctx.catalog, field));
  const now = ctx.clock.now();
  return ctx.engine
    .installed()
    .filter(
      ({ dataset, layer, county }) => read.has(`${dataset}:${layer}`) && (county === null || counties.includes(county)),
    )
    .map(({ dataset, layer, county, source, vintage, retrievedAt }) => ({
      ...{ dataset, layer, county_fips: county, source, vintage },
      age_days: Math.max(0, Math.floor((now - Date.parse(retrievedAt)) / DAY_MS)),
    }));
}

/** GET /v1/meta/scorecard: how right the values of a county's parcels were found to be. */
async function scorecard(ctx: Ctx, { field, county_fips }: ScorecardQuery) {
  const all = ctx.engine.counties();
  const some = all.slice(0, field === undefined ? MOST_COUNTIES : MOST_OF_A_FIELD);
  const counties = county_fips === undefined ? some : [county_fips];
  const scored = await Promise.all(counties.map(county => scoredAt(ctx, county)));
  const exists = field === undefined || ctx.catalog.fields.has(field);
  const names = field === undefined ? [...ctx.catalog.fields.keys()] : [field];
  const advice = () =>
    adviceText({ nearest: nearestFields(ctx.catalog, field!, new Set(ctx.catalog.fields.keys())), known_by: [] });
  return {
    release: ctx.engine.status().release,
    rows: scored.flatMap(one => {
      if (!exists) return [unscored(field!, one.county, `there is no such field${advice()}`)];
      return all.includes(one.county)
        ? rowsOf(one, names)
        : names.map(name => unscored(name, one.county, 'this release has no parcels there'));
    }),
    counties: scored.map(countyOf),
    counties_left: county_fips === undefined ? all.length - some.length : 0,
    sources: sourcesOf(ctx, field, counties),
  };
}

/** GET /v1/meta/scorecard. */
export function scorecardRoutes(app: FastifyInstance, services: Services): void {
  const answers = new SharedAnswers();
  app.get<{ Querystring: ScorecardQuery }>(
    '/v1/meta/scorecard',
    {
      exposeHeadRoute: false,
      schema: {
        operationId: 'scorecard',
        tags: ['Catalog'],
        summary: 'By field and county: how many values were checked, right and wrong, and how far off',
        description:
          'Values of a sample of parcels, held against a second computation from the rows of the release, when the release was made. What was not checked says why. Sends a strong `ETag`; revalidate with `If-None-Match` after an hour.',
        security: [],
        headers: CopyHeaders,
        querystring: ScorecardQuery,
        response: {
          200: sending(ScorecardResponse, 'ETag', 'Cache-Control'),
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
      const answer = await scorecard(contextOf(request, reply, services, LIMIT_MS), request.query);
      reply.header('cache-control', 'public, max-age=3600');
      return sendShared(request, reply, answers.of(answer));
    },
  );
}
