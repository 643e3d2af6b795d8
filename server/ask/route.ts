import type { FastifyInstance } from 'fastify';
import type { Services } from '../context.ts';
import { ADDRESS_CODES } from '../geocode/schema.ts';
import { contextOf } from '../http/context.ts';
import { BODY_CODES, errorResponses } from '../http/error-schema.ts';
import { metered, ofRelease } from '../http/header-schema.ts';
import type { AskServices } from './operation.ts';
import { ASK_LIMIT_MS, askPlace } from './operation.ts';
import { ASK_SCHEMAS, AskBody, AskResponse } from './schema.ts';

/** Codes of answering a question. */
export const ASKING_CODES = [
  'ask_busy',
  'ask_timeout',
  'ask_upstream_rate_limited',
  'ask_upstream_unreachable',
  'ask_upstream_error',
  'ask_answer_incomplete',
  'ask_question_refused',
] as const;

/** Codes of a question about a place. */
export const ASK_CODES = [
  ...BODY_CODES,
  'coord_out_of_bounds',
  'invalid_locator',
  'credits_exhausted',
  ...ASKING_CODES,
  ...ADDRESS_CODES,
] as const;

/** POST /v1/ask. */
export function askRoutes(app: FastifyInstance, services: Services & { readonly ask: AskServices }): void {
  for (const schema of ASK_SCHEMAS) app.addSchema(schema);
  app.post<{ Body: AskBody }>(
    '/v1/ask',
    {
      config: { protected: true },
      schema: {
        operationId: 'ask',
        tags: ['Questions'],
        summary: 'A question about one place, answered with citations',
        description:
          'Plans at most 15 fields for the question, fetches them and writes an answer in which every number, name, date and code stands in a cited record. `data_gaps` says what has no value and why. A question that the catalog cannot answer is answered with what is missing. What this release cannot answer is not looked up: the answer says which, and why. 20 credits a call, whatever is fetched; a failure costs nothing, nor does a question for which nothing is looked up. Allow 120 s.',
        security: [{ bearer: [] }],
        body: AskBody,
        response: { 200: ofRelease(metered(AskResponse)), ...errorResponses(ASK_CODES, true) },
      },
    },
    (request, reply) => askPlace(contextOf(request, reply, services, ASK_LIMIT_MS), services.ask, request.body),
  );
}
