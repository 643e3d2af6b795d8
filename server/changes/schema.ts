import { type TSchema, Type } from 'typebox';
import { MAX_FIELDS } from '../fetch/selection.ts';

const closed = { additionalProperties: false } as const;
const maybe = (schema: TSchema) => Type.Union([schema, Type.Null()]);

/** The query parameters of GET /v1/changes. */
export const ChangesQuerySchema = Type.Object(
  {
    since: Type.String({
      pattern: '^[0-9]{8}-[0-9a-f]{8}$',
      description: 'A release that is kept: `release` of an answer from then, or one that `release_not_kept` lists.',
      examples: ['20261101-0f1e2d3c'],
    }),
    state: Type.Optional(
      Type.String({
        pattern: '^[A-Z]{2}$',
        description: 'Two-letter code: what is of this state, and of the country.',
      }),
    ),
    fields: Type.Optional(
      Type.String({
        pattern: '^[a-z0-9_]{1,64}(,[a-z0-9_]{1,64})*$',
        maxLength: 4000,
        description: `Attributes and calculations of parcels with commas between, ${MAX_FIELDS} at most. Without them only layers are told.`,
        examples: ['fema_flood_zone,parval'],
      }),
    ),
    limit: Type.Optional(
      Type.String({
        pattern: '^([1-9][0-9]{0,2}|1000)$',
        description: 'Parcels of a page, 1 to 1000; 100 by default.',
      }),
    ),
    cursor: Type.Optional(
      Type.String({ minLength: 1, maxLength: 2000, description: '`next_cursor` of the page before; valid one hour.' }),
    ),
  },
  closed,
);

const Count = Type.Integer({ minimum: 0 });
const ParcelValue = maybe(
  Type.Object(
    {
      value: Type.Unknown({ description: 'Null unless the status is `ok`.' }),
      status: Type.Union([Type.Literal('ok'), Type.Literal('absent'), Type.Literal('failed')]),
    },
    closed,
  ),
);

export const ChangesResponseSchema = Type.Object(
  {
    since: Type.String(),
    release: Type.String({ description: 'The later release: `since` of the next time.' }),
    layers: Type.Array(
      Type.Object(
        {
          dataset: Type.String(),
          layer: Type.String(),
          added: Count,
          removed: Count,
          changed: Type.Integer({
            minimum: 0,
            description: 'Rows of the same key with other values or another shape. A raster counts as one row.',
          }),
        },
        closed,
      ),
      { description: 'Layers whose rows differ, once each over all pages.' },
    ),
    parcels: Type.Array(
      Type.Object(
        {
          parcel_key: Type.String({ description: 'Never given to another parcel.' }),
          parcel_id: Type.String({ description: 'As enrichment and lookup answer it.' }),
          state: Type.String(),
          county_fips: Type.String(),
          change: Type.Union([Type.Literal('added'), Type.Literal('removed'), Type.Literal('changed')]),
          reason: Type.Optional(
            Type.String({
              description:
                'Of a removed parcel that is still in the parcel file: what its publisher marks the ground as, which is no parcel.',
            }),
          ),
          by_rank: Type.Optional(
            Type.Literal(true, {
              description:
                'Only where several parcels have one number and one shape and nothing else told them apart: this one was paired by the order of the rows, and another one of them may be meant.',
            }),
          ),
          fields: Type.Record(Type.String(), Type.Object({ before: ParcelValue, after: ParcelValue }, closed), {
            description: 'The fields that differ. Null on the side whose release does not have the parcel.',
          }),
        },
        closed,
      ),
    ),
    gaps: Type.Array(
      Type.Object(
        {
          dataset: Type.String(),
          layer: Type.String(),
          partition: Type.String(),
          field: maybe(Type.String({ description: 'Null where nothing of the partition could be compared.' })),
          reason: Type.String(),
        },
        closed,
      ),
      { description: 'What could not be compared, and why.' },
    ),
    next_cursor: maybe(Type.String({ description: 'Null: all is told.' })),
  },
  {
    ...closed,
    examples: [
      {
        since: '20261101-0f1e2d3c',
        release: '20261120-ab12cd34',
        layers: [{ dataset: 'fema_nfhl', layer: 'S_FLD_HAZ_AR', added: 2, removed: 1, changed: 5 }],
        parcels: [
          {
            parcel_key: '23019:007-012',
            parcel_id: 'pcl_F9vtKBFSc5oOYMXjCYkR-7',
            state: 'ME',
            county_fips: '23019',
            change: 'changed',
            fields: {
              fema_flood_zone: { before: { value: 'X', status: 'ok' }, after: { value: 'AE', status: 'ok' } },
            },
          },
        ],
        gaps: [],
        next_cursor: null,
      },
    ],
  },
);
