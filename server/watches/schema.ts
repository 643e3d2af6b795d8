import { type Static, type TSchema, Type } from 'typebox';
import { MAX_FIELDS } from '../fetch/selection.ts';
import { CALLBACK } from '../field-requests/schema.ts';
import { NextCursor } from '../listing/schema.ts';
import { MOST_CHANGES, MOST_MATCHES, MOST_PARCELS } from './limits.ts';

const closed = { additionalProperties: false } as const;
const maybe = <T extends TSchema>(schema: T, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
const TIME = Type.String({ format: 'date-time' });

const Search = Type.Object(
  {
    filters: Type.Array(Type.Unknown(), {
      minItems: 1,
      description: `As in POST /v1/search/count, a filter on the state among them. At most ${MOST_MATCHES.toLocaleString('en-US')} parcels may pass.`,
    }),
  },
  closed,
);

export const WatchBody = Type.Object(
  {
    site_id: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'A site of the account.' })),
    parcel_ids: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        minItems: 1,
        maxItems: MOST_PARCELS,
        description: 'As enrichment, lookup and ranks answer them.',
      }),
    ),
    search: Type.Optional(Search),
    fields: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      minItems: 1,
      maxItems: MAX_FIELDS,
      description: 'Of a site fields of POST /v1/fetch, of parcels and searches those of POST /v1/enrich.',
    }),
    callback: Type.Object(CALLBACK, {
      ...closed,
      minProperties: 1,
      description: 'Where changes are told: `webhook_url`, `email` or both.',
    }),
  },
  {
    ...closed,
    description: 'Exactly one of `site_id`, `parcel_ids` and `search`.',
    examples: [
      {
        search: { filters: [{ field: 'state', op: 'eq', value: 'ME' }] },
        fields: ['fema_flood_zone'],
        callback: { webhook_url: 'https://hooks.example.org/plat' },
      },
    ],
  },
);
export type WatchBody = Static<typeof WatchBody>;

const STATUS = Type.Union([Type.Literal('active'), Type.Literal('stopped')], {
  description: '`stopped`: its webhook answered 410 and it names no other way to tell.',
});

export const WatchAccepted = Type.Object({ watch_id: Type.String(), status: STATUS, created_at: TIME }, closed);
export type WatchAccepted = Static<typeof WatchAccepted>;

export const WatchParams = Type.Object({ watch_id: Type.String() });
export type WatchParams = Static<typeof WatchParams>;

/** Summary of a watch in lists. */
const STANDING = {
  watch_id: Type.String(),
  status: STATUS,
  created_at: TIME,
  site_id: maybe(Type.String()),
  parcels: maybe(Type.Integer(), 'How many parcels are listed.'),
  filters: maybe(Type.Integer(), 'How many filters the search has.'),
  fields: Type.Array(Type.String()),
  callback: maybe(Type.Object(CALLBACK, closed), 'Null where nobody is told any more.'),
  release: Type.String({ description: 'The release that its answer was compared with last.' }),
  told_at: maybe(TIME, 'When a change was told last.'),
};

export const WatchList = Type.Object(
  { watches: Type.Array(Type.Object(STANDING, closed)), next_cursor: NextCursor },
  closed,
);

const Answered = maybe(
  Type.Object(
    {
      value: Type.Unknown({ description: 'Null unless the status is `ok`.' }),
      status: Type.Union([Type.Literal('ok'), Type.Literal('absent'), Type.Literal('failed')]),
      source: Type.String(),
      source_url: maybe(Type.String()),
      dataset_vintage: maybe(Type.String()),
      error: Type.Optional(Type.String()),
      retryable: Type.Optional(Type.Boolean()),
      area: Type.Optional(
        Type.Unknown({ description: 'Of a site: what holds of the whole ground; null where the field says nothing.' }),
      ),
    },
    closed,
  ),
  'Null where the release does not have the parcel.',
);

/** Kinds of change of a place. */
const CHANGES = ['changed', 'added', 'removed', 'entered', 'left'] as const;
const DELIVERY_STATUSES = ['waiting', 'held', 'delivered', 'failed', 'ended'] as const;

const HASHES = Type.Array(Type.String({ description: 'SHA-256.' }));

const Change = Type.Object(
  {
    site_id: Type.Optional(Type.String()),
    parcel_id: Type.Optional(Type.String()),
    change: Type.Enum(CHANGES, {
      description:
        'Of a list a parcel is `added` or `removed` where one of the releases does not have it; of a search it `entered` or `left` where it passes the filters in one of them alone.',
    }),
    field: maybe(Type.String(), 'Null where no field that is asked about or filtered by says why.'),
    before: Answered,
    after: Answered,
    files: Type.Array(Type.Object({ layer: Type.String(), before: HASHES, after: HASHES }, closed), {
      description:
        'Files of the release there that the field reads and that differ: hashes of the old ones and of the new ones. None where only the calculation changed.',
    }),
  },
  closed,
);

/** Document that a webhook is sent and that a mail holds. */
const WatchEvent = Type.Object(
  {
    event_type: Type.Literal('watch_changed'),
    watch_id: Type.String(),
    since: Type.String({ description: 'The earlier release.' }),
    release: Type.String(),
    total: Type.Integer({ minimum: 0, description: 'How many changes there are.' }),
    changes: Type.Array(Change, { maxItems: MOST_CHANGES }),
    rest: maybe(Type.String(), 'Path at which the others are read; null where all are told.'),
    gaps: Type.Array(Type.String({ description: 'What could not be compared, and why.' })),
  },
  closed,
);
export type WatchEvent = Static<typeof WatchEvent>;

export const WatchRecord = Type.Object(
  {
    ...STANDING,
    parcel_ids: maybe(Type.Array(Type.String())),
    search: maybe(Type.Object({ filters: Type.Array(Type.Unknown()) }, closed)),
    last_event: maybe(WatchEvent, 'What was told last, for 30 days.'),
    deliveries: Type.Array(
      Type.Object(
        {
          channel: Type.Union([Type.Literal('webhook'), Type.Literal('email')]),
          status: Type.Enum(DELIVERY_STATUSES, {
            description: '`held` until the owner of the address confirms it; `ended`: nobody wants it.',
          }),
          error: maybe(Type.String()),
        },
        closed,
      ),
      { description: 'How the last event reached the callback.' },
    ),
  },
  closed,
);
export type WatchRecord = Static<typeof WatchRecord>;
