import { type Static, Type } from 'typebox';
import { SITING_TEMPLATES } from '../../datasets/siting-templates.ts';
import { ReleaseName } from '../release/choice.ts';
import { ENDING } from '../sets/filter-schema.ts';
import { LONGEST_ADDRESS } from '../sets/limits.ts';
import { MOST_EXCLUSIONS, MOST_SETBACK_M } from './limits.ts';

const maybe = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()]);
const shape = (description: string) =>
  Type.Object(
    {
      type: Type.Union([Type.Literal('Polygon'), Type.Literal('MultiPolygon')]),
      coordinates: Type.Array(Type.Unknown()),
    },
    { additionalProperties: false, description },
  );

const Exclusion = Type.Object(
  {
    layer: Type.String({ description: '`dataset:layer`, or the dataset for its main layer, as coverage lists them.' }),
    where: Type.Optional(
      Type.String({
        description:
          "Features that count: a condition on the publisher's columns, such as `SFHA_TF = 'T'`; of a raster on `value`.",
      }),
    ),
    setback_m: Type.Optional(Type.Number({ minimum: 0, maximum: MOST_SETBACK_M, description: 'Meters about them.' })),
    setback_ft: Type.Optional(Type.Number({ minimum: 0, description: 'Instead: international feet.' })),
  },
  { additionalProperties: false },
);

/** The body in the API description. BuildableBody does the checking, because its issues never echo the body. */
export const BuildableBodySchema = Type.Object(
  {
    parcel_id: Type.Optional(Type.String({ description: 'As enrichment, lookup and ranks answer it.' })),
    site_id: Type.Optional(Type.String({ description: 'A registered site of the account.' })),
    geometry: Type.Optional(Type.Unknown({ description: 'A GeoJSON Polygon or MultiPolygon in WGS84.' })),
    lat: Type.Optional(Type.Number({ minimum: -90, maximum: 90, description: 'The parcel at a coordinate.' })),
    lng: Type.Optional(Type.Number({ minimum: -180, maximum: 180 })),
    address: Type.Optional(Type.String({ maxLength: LONGEST_ADDRESS })),
    template: Type.Optional(
      Type.String({
        description: `${[...SITING_TEMPLATES.keys()].join(', ')}, or a name of GET /v1/buildable/templates. What the body says itself overrides it.`,
      }),
    ),
    exclusions: Type.Optional(
      Type.Array(Exclusion, {
        maxItems: MOST_EXCLUSIONS,
        description: 'Ground to keep clear of. One of a layer of the template takes the place of what that says of it.',
      }),
    ),
    boundary_setback_m: Type.Optional(Type.Number({ minimum: 0, maximum: MOST_SETBACK_M })),
    max_slope_percent: Type.Optional(Type.Number({ minimum: 0, description: 'Of the cells of the elevation model.' })),
    min_width_m: Type.Optional(
      Type.Number({ minimum: 0, maximum: MOST_SETBACK_M, description: 'Narrower strips go.' }),
    ),
    min_piece_acres: Type.Optional(Type.Number({ minimum: 0, description: 'Smaller pieces go.' })),
    exclusion_geometry: Type.Optional(Type.Boolean({ description: 'True: each exclusion shows its ground.' })),
    release: ReleaseName,
  },
  {
    additionalProperties: false,
    examples: [
      { lat: 44.8016, lng: -68.7712, template: 'solar' },
      {
        lat: 44.8016,
        lng: -68.7712,
        exclusions: [{ layer: 'fema_nfhl:S_FLD_HAZ_AR', where: "SFHA_TF = 'T'", setback_ft: 50 }],
        boundary_setback_m: 10,
        max_slope_percent: 15,
      },
    ],
  },
);

const Share = Type.Object(
  {
    layer: Type.String({ description: '`boundary` is the setback from the boundary of the ground itself.' }),
    alone_acres: maybe(Type.Number({ description: 'What it takes alone.' })),
    last_acres: maybe(Type.Number({ description: 'What it takes after all others: what is won without it.' })),
    status: Type.Union([Type.Literal('ok'), Type.Literal('absent'), Type.Literal('failed')]),
    source: maybe(Type.String()),
    source_url: maybe(Type.String()),
    dataset_vintage: maybe(Type.String()),
    geometry: Type.Optional(maybe(shape('Its part of the ground.'))),
  },
  { additionalProperties: false },
);

export const BuildableResponseSchema = Type.Object(
  {
    gross_acres: Type.Number(),
    buildable_acres: maybe(Type.Number({ description: 'Null where an exclusion is not known here.' })),
    largest_piece_acres: maybe(Type.Number()),
    undecidable_fraction: maybe(
      Type.Number({
        description:
          'Share of the ground so near an edge that the accuracy of its source does not decide, or where a row was rejected; null where a source states no accuracy.',
      }),
    ),
    geometry: maybe(shape('The ground that is left; null where that is none, or not known.')),
    exclusions: Type.Array(Share),
    partial_failures: Type.Array(
      Type.Object(
        { layer: Type.String(), error: Type.String(), retryable: Type.Boolean() },
        { additionalProperties: false },
      ),
      { description: 'Layers of which nothing is known here, and why.' },
    ),
    ...ENDING,
  },
  { additionalProperties: false },
);
export type BuildableResponse = Static<typeof BuildableResponseSchema>;
