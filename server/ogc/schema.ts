import { Type } from 'typebox';
import { MOST_LIMIT } from './query.ts';
import { CRS84, MERCATOR } from './reference-system.ts';

const optional = (description: string) => Type.Optional(Type.String({ description }));
/** The style of a list or a number in the address, which the standard wants declared (OGC 17-069r4, 7.15). */
const FORM = { style: 'form', explode: false } as const;
const SYSTEMS = `${CRS84} (the default) or ${MERCATOR}.`;

/** Parameters of one feature, for the API description. The operation checks them. */
export const ITEM_QUERY = Type.Object({
  crs: optional(`The reference system of the answer: ${SYSTEMS}`),
  f: optional('`json`, the one format.'),
});

/** Parameters of a page of features, for the API description. The operation checks them. */
export const ITEMS_QUERY = Type.Object(
  {
    limit: Type.Optional(
      Type.Integer({ minimum: 1, default: 10, description: `Features of a page; ${MOST_LIMIT} at most come.` }),
    ),
    bbox: Type.Optional(
      Type.Unsafe<readonly number[]>({
        type: 'array',
        items: { type: 'number' },
        oneOf: [
          { minItems: 4, maxItems: 4 },
          { minItems: 6, maxItems: 6 },
        ],
        description:
          'West, south, east, north: features must meet the box. The west may lie east of the east, across longitude 180.',
      }),
    ),
    'bbox-crs': optional(`The reference system of \`bbox\`: ${SYSTEMS}`),
    crs: optional(`The reference system of the answer: ${SYSTEMS}`),
    datetime: Type.Optional(
      Type.String({ description: 'A moment or a span. Features have no time of their own, so each is of any.' }),
    ),
    filter: optional("A filter in CQL2, as `acreage > 5 AND CASEI(owner) LIKE 'city of%'`."),
    'filter-lang': optional('`cql2-text` (the default) or `cql2-json`.'),
    'filter-crs': optional(`The reference system of geometries in \`filter\`: ${SYSTEMS}`),
    cursor: optional('Of the link `next`; it lives one hour.'),
    f: optional('`json`, the one format.'),
  },
  FORM,
);

const Link = Type.Object(
  {
    href: Type.String(),
    rel: Type.String(),
    type: Type.Optional(Type.String()),
    title: Type.Optional(Type.String()),
  },
  { additionalProperties: true },
);

/** A document of the standard, whose members it names. */
export const OgcDocument = Type.Object(
  { links: Type.Optional(Type.Array(Link)) },
  { additionalProperties: true, description: 'As OGC API defines it.' },
);

/** A feature of GeoJSON (RFC 7946). */
export const GeoJsonFeature = Type.Object(
  {
    type: Type.Literal('Feature'),
    id: Type.String(),
    geometry: Type.Object({ type: Type.String(), coordinates: Type.Array(Type.Unknown()) }),
    properties: Type.Record(Type.String(), Type.Unknown()),
    links: Type.Optional(Type.Array(Link)),
  },
  { additionalProperties: false },
);

/** A page of features. */
export const FeatureCollection = Type.Object(
  {
    type: Type.Literal('FeatureCollection'),
    timeStamp: Type.String({ format: 'date-time' }),
    numberMatched: Type.Optional(Type.Integer({ description: 'All features that are meant, where that is known.' })),
    numberReturned: Type.Integer(),
    links: Type.Array(Link),
    features: Type.Array(GeoJsonFeature),
  },
  { additionalProperties: false },
);
