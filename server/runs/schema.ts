import { type Static, Type } from 'typebox';
import { BatchBody, BatchHeaders, BatchResponse } from '../fetch/batch-schema.ts';

export const RunBody = Type.Object(
  { kind: Type.Literal('fetch_batch'), request: BatchBody },
  { additionalProperties: false, description: '`request` is the body of POST /v1/fetch/batch.' },
);
export type RunBody = Static<typeof RunBody>;

export const RunHeaders = BatchHeaders;

const STATUS = Type.Union([
  Type.Literal('queued'),
  Type.Literal('running'),
  Type.Literal('done'),
  Type.Literal('failed'),
]);

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

const TIME = Type.String({ format: 'date-time' });

export const RunResponse = Type.Object(
  {
    run_id: Type.String(),
    kind: Type.Literal('fetch_batch'),
    status: STATUS,
    created_at: TIME,
    updated_at: TIME,
    expires_at: TIME,
    progress: Type.Object({ done: Type.Integer(), total: Type.Integer() }, { additionalProperties: false }),
    request: BatchBody,
    result: Type.Union([BatchResponse, Type.Null()], {
      description: 'Once it is done what POST /v1/fetch/batch would have answered; null before.',
    }),
    error: Type.Union([
      Type.Object(
        { error: Type.String(), message: Type.String(), retryable: Type.Boolean() },
        { additionalProperties: false },
      ),
      Type.Null(),
    ]),
  },
  { additionalProperties: false },
);
