import { type Static, Type } from 'typebox';
import { MOST_GAP_M } from '../../query/assemblage/neighbour-file.ts';
import { MOST_PARCELS } from '../../query/assemblage/request.ts';
import { ReleaseName } from '../release/choice.ts';
import { ENDING, EXAMPLE_FILTERS, SetFilters, UNKNOWN, WARNINGS } from '../sets/filter-schema.ts';

/** Groups by default, and at most. */
export const [DEFAULT_GROUPS, MOST_GROUPS] = [10, 50];
/** Acres that may be asked for, and owners. */
export const [MOST_ACRES, MOST_OWNERS] = [1_000_000, MOST_PARCELS];

/** The body in the API description. SetReader does the checking, because its issues never echo the body. */
export const AssemblageBodySchema = Type.Object(
  {
    filters: SetFilters,
    acres_min: Type.Number({ exclusiveMinimum: 0, maximum: MOST_ACRES, description: 'Acres of a group at least.' }),
    owners_max: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MOST_OWNERS,
        description: 'Owners of a group at most, as POST /v1/owners tells them apart. Left out: any number.',
      }),
    ),
    road_m: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: MOST_GAP_M,
        description: 'Meters of a road, a railway or other ground of no parcel that a group may lie across. Default 0.',
      }),
    ),
    parcel_id: Type.Optional(
      Type.String({ description: 'A parcel that is in every group. It need not pass the filters.' }),
    ),
    release: ReleaseName,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_GROUPS, description: `Default ${DEFAULT_GROUPS}.` })),
  },
  {
    additionalProperties: false,
    examples: [{ filters: EXAMPLE_FILTERS, acres_min: 100, owners_max: 2, road_m: 20 }],
  },
);

const GroupSchema = Type.Object(
  {
    acres: Type.Number({ description: 'Sum of the acres of its parcels; ground of several parcels counts once.' }),
    owners: Type.Array(Type.String(), { description: 'As the roll writes them; a parcel without one adds none.' }),
    parcel_ids: Type.Array(Type.String(), { minItems: 2, maxItems: MOST_PARCELS }),
    geometry: Type.Object(
      {
        type: Type.Union([Type.Literal('Polygon'), Type.Literal('MultiPolygon')]),
        coordinates: Type.Array(Type.Unknown()),
      },
      { additionalProperties: false, description: 'The ground of all its parcels.' },
    ),
  },
  { additionalProperties: false },
);

export const AssemblageResponseSchema = Type.Object(
  {
    groups: Type.Array(GroupSchema, {
      description: 'Least acres beyond `acres_min` first, equal ones in stored order.',
    }),
    unknown: UNKNOWN,
    warnings: WARNINGS,
    ...ENDING,
  },
  { additionalProperties: false },
);
export type AssemblageResponse = Static<typeof AssemblageResponseSchema>;
