import { type Static, type TSchema, Type } from 'typebox';
import { MOST_STRUCTURES } from '../../query/structures/request.ts';
import { ReleaseName } from '../release/choice.ts';
import { ENDING, WARNINGS } from '../sets/filter-schema.ts';
import { LONGEST_ADDRESS } from '../sets/limits.ts';

const closed = { additionalProperties: false };
const maybe = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** The body in the API description. The operation does the checking, because its issues never echo the body. */
export const StructuresBodySchema = Type.Object(
  {
    parcel_id: Type.Optional(Type.String({ description: 'As enrichment, lookup and ranks answer it.' })),
    geometry: Type.Optional(Type.Unknown({ description: 'A GeoJSON Polygon or MultiPolygon in WGS84.' })),
    lat: Type.Optional(Type.Number({ minimum: -90, maximum: 90, description: 'The parcel at a coordinate.' })),
    lng: Type.Optional(Type.Number({ minimum: -180, maximum: 180, description: 'With `lat`.' })),
    address: Type.Optional(Type.String({ maxLength: LONGEST_ADDRESS, description: 'The parcel of an address.' })),
    release: ReleaseName,
  },
  { ...closed, examples: [{ lat: 44.8016, lng: -68.7712 }] },
);

const CITED = {
  source: Type.String(),
  source_url: maybe(Type.String()),
  dataset_vintage: maybe(Type.String()),
};
/** What every value says of itself. */
const RECORD = {
  status: Type.Union([Type.Literal('ok'), Type.Literal('absent'), Type.Literal('failed')]),
  reason: maybe(Type.String({ description: 'Why there is no value.' })),
  retryable: Type.Boolean(),
  ...CITED,
};

const VERDICT_OF_AREA = Type.Union(
  [Type.Literal('inside'), Type.Literal('outside'), Type.Literal('not_decidable'), Type.Null()],
  {
    description:
      'Inside where any part of the footprint is. Not decidable within the stated accuracy of the map, and where nobody has studied the hazard.',
  },
);

const FloodShareSchema = (description: string) =>
  Type.Object(
    {
      verdict: VERDICT_OF_AREA,
      share: maybe(Type.Number({ description: 'Of the footprint, as the map is drawn.' })),
      share_least: maybe(Type.Number({ description: 'If all lines of the map are off by its stated accuracy.' })),
      share_most: maybe(Type.Number()),
      ...RECORD,
    },
    { ...closed, description },
  );

const HEIGHT = {
  value_m: maybe(Type.Number()),
  error_m: maybe(Type.Number({ description: 'Root mean square, as the source or a published study states it.' })),
};

const Structure = Type.Object(
  {
    structure_id: maybe(Type.String({ description: "The publisher's." })),
    lat: Type.Number({ description: 'A point inside.' }),
    lng: Type.Number(),
    area_m2: Type.Number(),
    share_on_ground: Type.Number({ description: 'The share of the footprint on the ground that was asked about.' }),
    occupancy_class: maybe(Type.String()),
    geometry: Type.Object(
      {
        type: Type.Union([Type.Literal('Polygon'), Type.Literal('MultiPolygon')]),
        coordinates: Type.Array(Type.Unknown()),
      },
      { ...closed, description: 'The footprint.' },
    ),
    ...CITED,
    special_flood_hazard_area: FloodShareSchema('The 1 percent annual chance flood.'),
    flood_zone: Type.Object(
      {
        zone: maybe(
          Type.String({
            description: 'The one that decides: of waves before other flood hazards, before the largest share.',
          }),
        ),
        shares: Type.Array(Type.Object({ zone: Type.String(), share: Type.Number() }, closed)),
        ...RECORD,
      },
      closed,
    ),
    floodplain_500yr: FloodShareSchema('The 0.2 percent annual chance flood, outside the special flood hazard area.'),
    lowest_ground: Type.Object({ ...HEIGHT, ...RECORD }, { ...closed, description: 'Above NAVD 88, of the terrain.' }),
    base_flood_elevation: Type.Object(
      { ...HEIGHT, ...RECORD },
      { ...closed, description: 'The highest that the map states under the footprint, above NAVD 88.' },
    ),
    height_above_base_flood: Type.Object(
      {
        verdict: Type.Union(
          [Type.Literal('above'), Type.Literal('below'), Type.Literal('not_decidable'), Type.Null()],
          { description: 'Not decidable within twice the error.' },
        ),
        ...HEIGHT,
        ...RECORD,
      },
      { ...closed, description: 'Of the lowest ground; below 0 it lies under the flood.' },
    ),
  },
  closed,
);

export const StructuresResponseSchema = Type.Object(
  {
    ground_acres: Type.Number(),
    footprints: Type.Object(RECORD, { ...closed, description: 'Coverage of the building footprints there.' }),
    count: maybe(Type.Integer({ description: 'Structures on the ground; null where that is not known.' })),
    structures: Type.Array(Structure, { description: `The largest first, ${MOST_STRUCTURES} at most.` }),
    warnings: WARNINGS,
    ...ENDING,
  },
  closed,
);
export type StructuresResponse = Static<typeof StructuresResponseSchema>;
