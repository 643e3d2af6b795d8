import { Type } from 'typebox';
import { FILING_LIMIT_MS, fileFieldRequest } from '../../field-requests/filing.ts';
import { payloadRefused } from '../../field-requests/payload.ts';
import { readFieldRequest } from '../../field-requests/reading.ts';
import { FieldRequestBody } from '../../field-requests/schema.ts';
import { withdrawFieldRequest } from '../../field-requests/withdrawal.ts';
import { shortText } from '../text.ts';
import { form, type Tool } from '../tool.ts';

const READ_LIMIT_MS = 10_000;
const ReadBody = Type.Object({ request_id: Type.String() }, { additionalProperties: false });
const WithdrawBody = Type.Object(
  { request_id: Type.String(), withdraw: Type.Literal(true) },
  { additionalProperties: false },
);

/** POST /v1/field-requests, GET and DELETE /v1/field-requests/{request_id}. */
export const fieldRequestsTool: Tool = {
  name: 'field_requests',
  title: 'Ask for a field that is missing',
  remark: '`DELETE` with `withdraw` beside the id',
  description: () =>
    'With description and example_locations: files a request for a data point that the catalog lacks. With request_id: what became of it; resume is the call that gives the value. With withdraw: true beside it: ends the request. Free.',
  when: 'A field that is missing: {tool}.',
  readOnly: false,
  forms: [
    form({
      key: 'withdraw',
      schema: WithdrawBody,
      route: 'DELETE /v1/field-requests/{request_id}',
      limitMs: READ_LIMIT_MS,
      async answer({ ctx }, { request_id }) {
        const record = await withdrawFieldRequest(ctx, request_id);
        return { structured: record, text: shortText([`${record.request_id} is withdrawn: nobody builds it.`]) };
      },
    }),
    form({
      key: 'request_id',
      schema: ReadBody,
      route: 'GET /v1/field-requests/{request_id}',
      limitMs: READ_LIMIT_MS,
      async answer({ ctx }, { request_id }) {
        const record = await readFieldRequest(ctx, request_id);
        const lines = record.disposition.map(
          ({ ask, disposition, explanation }) => `${ask}: ${disposition}: ${explanation}`,
        );
        return { structured: record, text: shortText([`${record.request_id} is ${record.status}.`, ...lines]) };
      },
    }),
    form({
      schema: FieldRequestBody,
      refused: payloadRefused,
      route: 'POST /v1/field-requests',
      limitMs: FILING_LIMIT_MS,
      async answer({ ctx, services }, body) {
        const { answer } = await fileFieldRequest(ctx, services.fieldRequests, body);
        return {
          structured: answer,
          text: shortText([`${answer.request_id} is ${answer.status}: read it with request_id.`]),
        };
      },
    }),
  ],
};
