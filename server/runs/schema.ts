import { type Static, Type } from 'typebox';
import { BatchBody, BatchHeaders, BatchResponse } from '../fetch/batch-schema.ts';
import { NextCursor } from '../listing/schema.ts';

export const RunBody = Type.Object(
  { kind: Type.Literal('fetch_batch'), request: BatchBody },
  { additionalProperties: false, description: '`request` is the body of POST /v1/fetch/batch.' },
);
export type RunBody = Static<typeof RunBody>;

export const RunHeaders = BatchHeaders;

const STATUS = Type.Union(
  [Type.Literal('queued'), Type.Literal('running'), Type.Literal('done'), Type.Literal('failed')],
  { description: 'It ends as `done`, with its result, or `failed`, with `error`; a run that failed costs nothing.' },
);

export const RunAccepted = Type.Object(
  {
    run_id: Type.String(),
    status: Type.Literal('queued'),
    poll: Type.String({ description: 'Path of the run.' }),
    events: Type.String({ description: 'Path of its events.' }),
    replayed: Type.Optional(Type.Literal(true)),
  },
  { additionalProperties: false },
);
export type RunAccepted = Static<typeof RunAccepted>;

export const RunParams = Type.Object({ run_id: Type.String() });
export type RunParams = Static<typeof RunParams>;

export const ArtifactParams = Type.Object({
  run_id: Type.String(),
  fmt: Type.Union([Type.Literal('csv'), Type.Literal('geojson')]),
});
export type ArtifactParams = Static<typeof ArtifactParams>;

const Point = Type.Object(
  {
    type: Type.Literal('Point'),
    coordinates: Type.Array(Type.Number(), { minItems: 2, maxItems: 2, description: 'Longitude, latitude.' }),
  },
  { additionalProperties: false },
);

/** The file of a run as GeoJSON. */
export const ArtifactFeatures = Type.Object(
  {
    type: Type.Literal('FeatureCollection'),
    features: Type.Array(
      Type.Object(
        {
          type: Type.Literal('Feature'),
          geometry: Type.Union([Point, Type.Null()], { description: 'Null for a location that failed.' }),
          properties: Type.Object(
            {},
            { additionalProperties: true, description: '`index`, `ok` and the value of each field, or `error`.' },
          ),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);

const TIME = Type.String({ format: 'date-time' });

/** What of a run every reader sees. */
const STANDING = {
  run_id: Type.String(),
  kind: Type.Literal('fetch_batch'),
  status: STATUS,
  created_at: TIME,
  updated_at: TIME,
  expires_at: TIME,
  progress: Type.Object({ done: Type.Integer(), total: Type.Integer() }, { additionalProperties: false }),
};
const ERROR = Type.Union([
  Type.Object(
    { error: Type.String(), message: Type.String(), retryable: Type.Boolean() },
    { additionalProperties: false },
  ),
  Type.Null(),
]);

export const RunList = Type.Object(
  {
    runs: Type.Array(Type.Object({ ...STANDING, error: ERROR }, { additionalProperties: false }), {
      description: 'As GET /v1/runs/{run_id} has them, without `request` and `result`.',
    }),
    next_cursor: NextCursor,
  },
  {
    additionalProperties: false,
    examples: [
      {
        runs: [
          {
            run_id: 'run_abcdefghijklmnopqrstuvwxyz',
            kind: 'fetch_batch',
            status: 'running',
            created_at: '2026-11-25T06:00:00.000Z',
            updated_at: '2026-11-25T06:00:01.000Z',
            expires_at: '2026-12-25T06:00:00.000Z',
            progress: { done: 1, total: 2 },
            error: null,
          },
        ],
        next_cursor: null,
      },
    ],
  },
);

export const RunResponse = Type.Object(
  {
    ...STANDING,
    request: BatchBody,
    result: Type.Union([BatchResponse, Type.Null()], {
      description: 'Once it is done what POST /v1/fetch/batch would have answered; null before.',
    }),
    error: ERROR,
  },
  { additionalProperties: false },
);
