import { Type } from 'typebox';

export const HealthResponse = Type.Object({ status: Type.Literal('ok') }, { additionalProperties: false });

export const ReadyResponse = Type.Object(
  {
    status: Type.Literal('ready'),
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
  },
  { additionalProperties: false },
);
