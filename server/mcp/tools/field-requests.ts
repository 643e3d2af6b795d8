import { Type } from 'typebox';
import { FILING_LIMIT_MS, fileFieldRequest } from '../../field-requests/filing.ts';
import { payloadRefused } from '../../field-requests/payload.ts';
import { listFieldRequests, readFieldRequest } from '../../field-requests/reading.ts';
import { FieldRequestBody } from '../../field-requests/schema.ts';
import { withdrawFieldRequest } from '../../field-requests/withdrawal.ts';
import { toolCall } from '../refused-call.ts';
import { shortText } from '../text.ts';
import { form, type Tool } from '../tool.ts';
import { LIST_KEYS, listForm } from './list-form.ts';

const READ_LIMIT_MS = 10_000;
interface Request {
  readonly request_id: string;
}
const ReadBody = Type.Object({ request_id: Type.String() }, { additionalProperties: false });
const WithdrawBody = Type.Object(
  { request_id: Type.String(), withdraw: Type.Literal(true) },
  { additionalProperties: false },
);

const some = (description?: string) => Type.Optional(Type.Unknown(description === undefined ? {} : { description }));
/** The bodies of all forms in one, with what a model fills in: each form judges its own, and tells what it takes. */
const RequestsBody = Type.Object({
  description: Type.Optional(Type.String({ description: 'What the value says, in plain language.' })),
  example_locations: some('1-20 of {lat, lng} or {address} or {polygon}, each with claimed_value?, note?.'),
  use_case: Type.Optional(Type.String()),
  decision_threshold: Type.Optional(Type.String()),
  area_of_interest: some('{names}'),
  freshness: some('{max_staleness}'),
  constraints: some('{must_not_be, acceptable_substitutes}: lists.'),
  known_sources: some('{suggested, excluded}: lists of {name, url}.'),
  output_preference: some('{units}'),
  requested_fields: some('[{ask}], where there are several values.'),
  callback: some('{webhook_url, email}'),
  request_id: Type.Optional(Type.String()),
  withdraw: Type.Optional(Type.Literal(true)),
  list: Type.Optional(LIST_KEYS.list),
  cursor: LIST_KEYS.cursor,
});

/** POST /v1/field-requests, GET and DELETE /v1/field-requests/{request_id}. */
export const fieldRequestsTool: Tool = {
  name: 'field_requests',
  title: 'Ask for a field that is missing',
  remark: '`DELETE` with `withdraw` beside the id',
  description: () =>
    'With description and example_locations: files a request for a data point that the catalog lacks. With request_id: what became of it; resume is the call that gives the value. With withdraw: true beside it: ends the request. With list: true all of them. Free.',
  when: 'A field that is missing: {tool}.',
  readOnly: false,
  forms: [
    listForm({ schema: RequestsBody, route: 'GET /v1/field-requests' }, listFieldRequests),
    form({
      key: 'withdraw',
      schema: RequestsBody,
      judged: WithdrawBody,
      route: 'DELETE /v1/field-requests/{request_id}',
      limitMs: READ_LIMIT_MS,
      async answer({ ctx }, body) {
        const record = await withdrawFieldRequest(ctx, (body as Request).request_id);
        return { structured: record, text: shortText([`${record.request_id} is withdrawn: nobody builds it.`]) };
      },
    }),
    form({
      key: 'request_id',
      schema: RequestsBody,
      judged: ReadBody,
      route: 'GET /v1/field-requests/{request_id}',
      limitMs: READ_LIMIT_MS,
      async answer({ ctx }, body) {
        const record = await readFieldRequest(ctx, (body as Request).request_id);
        const lines = record.disposition.map(
          ({ ask, disposition, explanation }) => `${ask}: ${disposition}: ${explanation}`,
        );
        return { structured: record, text: shortText([`${record.request_id} is ${record.status}.`, ...lines]) };
      },
    }),
    form({
      schema: RequestsBody,
      judged: FieldRequestBody,
      refused: payloadRefused,
      route: 'POST /v1/field-requests',
      limitMs: FILING_LIMIT_MS,
      async answer({ ctx, services }, body) {
        const { answer } = await fileFieldRequest(ctx, services.fieldRequests, body as FieldRequestBody);
        return {
          beside: { next: toolCall('field_requests', { request_id: answer.request_id }) },
          structured: answer,
          text: shortText([`${answer.request_id} is ${answer.status}: read it with request_id.`]),
        };
      },
    }),
  ],
};
