import { type Static, Type } from 'typebox';
import { BatchHeaders } from '../fetch/batch-schema.ts';
import { SELECTION } from '../fetch/schema.ts';
import { NextCursor } from '../listing/schema.ts';
import { RELEASE_KEY } from '../release/choice.ts';
import { EXAMPLE_FILTERS, SetFilters } from '../sets/filter-schema.ts';

const literals = <W extends string>(...words: readonly W[]) => Type.Unsafe<W>({ type: 'string', enum: [...words] });

const FORMAT = literals('geoparquet', 'flatgeobuf', 'arrow', 'geojsonseq', 'csv');

/** The body in the API description: what is wrong with its filters is told as a search tells it. */
export const ExportBody = Type.Object(
  {
    search: Type.Optional(
      Type.Object(
        { filters: Type.Unsafe<unknown>(SetFilters) },
        { additionalProperties: false, description: 'Every parcel that passes, without pages. Or `upload_id`.' },
      ),
    ),
    upload_id: Type.Optional(Type.String({ maxLength: 64, description: 'Every row of POST /v1/uploads.' })),
    ...SELECTION,
    ...RELEASE_KEY,
    format: FORMAT,
  },
  {
    additionalProperties: false,
    examples: [{ search: { filters: EXAMPLE_FILTERS }, fields: ['acreage', 'elevation'], format: 'geoparquet' }],
  },
);
export type ExportBody = Static<typeof ExportBody>;

export const ExportHeaders = BatchHeaders;

const STATUS = Type.Unsafe<'queued' | 'running' | 'done' | 'failed'>({
  type: 'string',
  enum: ['queued', 'running', 'done', 'failed'],
  description: 'It ends as `done`, with its `files`, or `failed`, with `error`; an export that failed costs nothing.',
});
const TIME = Type.String({ format: 'date-time' });

export const ExportAccepted = Type.Object(
  {
    export_id: Type.String(),
    status: Type.Literal('queued'),
    poll: Type.String({ description: 'Path of the export.' }),
    events: Type.String({ description: 'Path of its events.' }),
    replayed: Type.Optional(Type.Literal(true)),
  },
  { additionalProperties: false },
);
export type ExportAccepted = Static<typeof ExportAccepted>;

export const ExportParams = Type.Object({ export_id: Type.String() });
export type ExportParams = Static<typeof ExportParams>;
export const FileParams = Type.Object({ export_id: Type.String(), name: Type.String() });
export type FileParams = Static<typeof FileParams>;

const STANDING = {
  export_id: Type.String(),
  status: STATUS,
  created_at: TIME,
  updated_at: TIME,
  expires_at: TIME,
  progress: Type.Object(
    { done: Type.Integer(), total: Type.Integer() },
    { additionalProperties: false, description: 'Rows.' },
  ),
  counts: Type.Object(
    {
      rows_ok: Type.Integer(),
      rows_failed: Type.Integer({ description: 'Rows without a place: their status says why.' }),
      values_ok: Type.Integer(),
      values_absent: Type.Integer(),
      values_failed: Type.Integer(),
    },
    { additionalProperties: false, description: 'So far. Values are those of fields that were computed.' },
  ),
  warnings: Type.Array(Type.String(), { description: 'Gaps, a sentence each, such as a county that cannot be read.' }),
  files: Type.Array(
    Type.Object({ name: Type.String(), bytes: Type.Integer(), sha256: Type.String() }, { additionalProperties: false }),
    { description: 'Once it is done: the table, and whom its columns are cited from.' },
  ),
  error: Type.Union([
    Type.Object(
      { error: Type.String(), message: Type.String(), retryable: Type.Boolean() },
      { additionalProperties: false },
    ),
    Type.Null(),
  ]),
};

export const ExportResponse = Type.Object(
  { ...STANDING, request: Type.Unsafe<unknown>(ExportBody) },
  { additionalProperties: false },
);

export const ExportList = Type.Object(
  {
    exports: Type.Array(Type.Object(STANDING, { additionalProperties: false }), {
      description: 'As GET /v1/exports/{export_id} has them, without `request`.',
    }),
    next_cursor: NextCursor,
  },
  { additionalProperties: false, examples: [{ exports: [], next_cursor: null }] },
);

export const UploadAccepted = Type.Object(
  {
    upload_id: Type.String(),
    rows: Type.Integer(),
    columns: Type.Array(Type.String(), { description: 'Names in the file.' }),
    expires_at: TIME,
  },
  { additionalProperties: false },
);
export type UploadAccepted = Static<typeof UploadAccepted>;
