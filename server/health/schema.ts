import { Type } from 'typebox';

export const HealthResponse = Type.Object({ status: Type.Literal('ok') }, { additionalProperties: false });

export const ReadyResponse = Type.Object(
  {
    status: Type.Union([Type.Literal('ready'), Type.Literal('degraded')], {
      description:
        '`degraded`: it answers, and something of the release, or the next release, cannot be used; see `damage`.',
    }),
    release: Type.String({ description: 'Id of the release that answers.' }),
    datasets: Type.Record(
      Type.String(),
      Type.Record(
        Type.String(),
        Type.Object({ rows: Type.Integer(), vintages: Type.Array(Type.String()), sources: Type.Array(Type.String()) }),
      ),
      { description: 'Dataset → layer → what is installed.' },
    ),
    workers: Type.Object({ size: Type.Integer(), ready: Type.Integer() }),
    warm: Type.Object(
      { loaded: Type.Array(Type.String()), on_demand: Type.Array(Type.String()) },
      {
        additionalProperties: false,
        description: 'Layers that every worker has opened, and those that are opened when they are first asked for.',
      },
    ),
    damaged: Type.Array(Type.String(), { description: 'Layers of which a file cannot be used.' }),
    damage: Type.Array(
      Type.Object(
        { file: Type.String(), layers: Type.Array(Type.String()), problem: Type.String() },
        { additionalProperties: false },
      ),
      {
        description:
          'What cannot be used and why; the file `current` names the release, and `store` is where the next one cannot be pulled from.',
      },
    ),
  },
  { additionalProperties: false },
);
