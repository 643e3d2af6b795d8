import { type Static, Type } from 'typebox';
import { ReleaseName } from '../release/choice.ts';
import { LONGEST_ADDRESS, MOST_METRES, MOST_MINUTES } from './limits.ts';

const KEYS = {
  lat: Type.Optional(Type.Number({ minimum: -90, maximum: 90 })),
  lng: Type.Optional(Type.Number({ minimum: -180, maximum: 180 })),
  address: Type.Optional(Type.String({ maxLength: LONGEST_ADDRESS })),
  parcel_id: Type.Optional(Type.String({ description: 'As enrichment, lookup and ranks answer it.' })),
  geometry: Type.Optional(
    Type.Unknown({
      description:
        'A GeoJSON Point, LineString, MultiLineString, Polygon or MultiPolygon in WGS84, `type` and `coordinates` alone.',
    }),
  ),
  within_m: Type.Optional(
    Type.Number({
      minimum: 1,
      maximum: MOST_METRES,
      description: 'Geodesic meters; of a polygon or parcel from its outline.',
    }),
  ),
  drive_minutes: Type.Optional(
    Type.Number({ minimum: 1, maximum: MOST_MINUTES, description: 'Instead: minutes of driving from a point.' }),
  ),
};

/** The body in the API description. AreaBody does the checking, because its issues never echo the body. */
export const AreaBodySchema = Type.Object(
  { ...KEYS, release: ReleaseName },
  {
    additionalProperties: false,
    examples: [
      { lat: 44.8016, lng: -68.7712, within_m: 1609 },
      { address: '73 Harlow St, Bangor, ME', drive_minutes: 10 },
    ],
  },
);

/** The area of a filter of sets. */
export const NearSchema = Type.Object(KEYS, {
  additionalProperties: false,
  description: 'Instead of `field`, `op` and `value`: the body of POST /v1/areas; parcels that meet that area pass.',
});

export const AreaResponseSchema = Type.Object(
  {
    geometry: Type.Object(
      {
        type: Type.Union([Type.Literal('Polygon'), Type.Literal('MultiPolygon')]),
        coordinates: Type.Array(Type.Unknown()),
      },
      {
        additionalProperties: false,
        description: 'A value for `geometry` of POST /v1/search: valid and within its limits.',
      },
    ),
    acres: Type.Number({ description: 'International acres, geodesic.' }),
    vertices: Type.Integer({ description: 'Closing ones counted.' }),
    resolved_location: Type.Optional(Type.Ref('ResolvedLocation#')),
    status: Type.Literal('complete'),
    completion_reason: Type.Literal('exhausted'),
    request_id: Type.String(),
  },
  { additionalProperties: false },
);
export type AreaResponse = Static<typeof AreaResponseSchema> & {
  readonly resolved_location?: {
    readonly lat: number;
    readonly lng: number;
    readonly source: 'coordinate' | 'address';
  };
};
