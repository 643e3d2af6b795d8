import { type Static, Type } from 'typebox';
import { NextCursor } from '../listing/schema.ts';

/** Limits of a site, which are part of the interface. */
export const MAX_ACRES = 200_000;
export const MAX_VERTICES = 20_000;

const EXAMPLE = {
  type: 'Polygon',
  coordinates: [
    [
      [-68.78, 44.79],
      [-68.77, 44.79],
      [-68.77, 44.8],
      [-68.78, 44.8],
      [-68.78, 44.79],
    ],
  ],
};

export const SiteBody = Type.Object(
  {
    site: Type.Unknown({
      description:
        'A GeoJSON Polygon or MultiPolygon in WGS84 with `type` and `coordinates` alone: positions [longitude, latitude], rings closed and valid, no altitude, no Feature around it. At most 200,000 acres and 20,000 vertices.',
    }),
  },
  { additionalProperties: false, examples: [{ site: EXAMPLE }] },
);
export type SiteBody = Static<typeof SiteBody>;

const STATUS = Type.Union([Type.Literal('building'), Type.Literal('ready'), Type.Literal('failed')], {
  description: 'Once `ready`, its dossier can be read and questions answered. After `failed` register it again.',
});

export const SiteAccepted = Type.Object(
  {
    site_id: Type.String({ description: 'The same for polygons that differ only in how they are written.' }),
    status: STATUS,
    message: Type.String(),
  },
  { additionalProperties: false },
);
export type SiteAccepted = Static<typeof SiteAccepted>;

export const SiteParams = Type.Object({ site_id: Type.String() });
export type SiteParams = Static<typeof SiteParams>;

export const SiteRecord = Type.Object(
  {
    site_id: Type.String(),
    status: STATUS,
    site_acres: Type.Number({ description: 'International acres.' }),
    site_extent: Type.Array(Type.Number(), {
      minItems: 4,
      maxItems: 4,
      description: 'Least longitude and latitude, greatest longitude and latitude.',
    }),
    built_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
      description: 'When the screening was through; null before.',
    }),
  },
  { additionalProperties: false },
);
export type SiteRecord = Static<typeof SiteRecord>;

export const SiteList = Type.Object(
  { sites: Type.Array(SiteRecord), next_cursor: NextCursor },
  { additionalProperties: false },
);

/** What GET /v1/sites/{site_id}/dossier answers as JSON: what questions about the site are answered from. */
export const DossierSchema = Type.Object(
  {
    site_id: Type.String(),
    release: Type.Union([Type.String(), Type.Null()]),
    built_at: Type.String({ format: 'date-time' }),
    acres: Type.Number({ description: 'International acres.' }),
    extent: Type.Array(Type.Number(), { minItems: 4, maxItems: 4 }),
    analysis_point: Type.Object({ lat: Type.Number(), lng: Type.Number() }),
    records: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'By field a fetch record at the analysis point with its source; `area` says what holds of the whole ground: acres and shares, least, mean and greatest value, what is not covered.',
    }),
    parcels: Type.Unknown({
      description:
        'Number of parcels, acres on the site (ground counted once), and up to 500 of them with `parcel_id`, acres and acres on the site.',
    }),
  },
  { additionalProperties: false },
);
