import type { FastifyError, FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Services } from '../context.ts';
import { PROXIMITY_ERRORS } from '../errors/proximity.ts';
import { ADDRESS_CODES } from '../geocode/schema.ts';
import { contextOf } from '../http/context.ts';
import { BODY_CODES, errorResponses } from '../http/error-schema.ts';
import { failureHandler } from '../http/failure.ts';
import { metered, ofRelease } from '../http/header-schema.ts';
import { JsonError } from '../http/json.ts';
import { ShapeError, shapeIssues } from '../http/shape.ts';
import type { Limits } from '../limits.ts';
import { ANSWERS } from './answers.ts';
import { PROXIMITY_LIMIT_MS } from './deadline.ts';
import type { ProximityServices } from './operation.ts';
import { proximity, proximityOf } from './operation.ts';
import { invalidRequest, requestRefused } from './reading.ts';
import { BODIES, EXAMPLES, OPERATIONS, ProximityBody, SUMMARIES } from './schema.ts';

const CODES = Object.keys(PROXIMITY_ERRORS) as (keyof typeof PROXIMITY_ERRORS)[];
/** Codes of geocoding. Faults of a single address are entries in the answer instead. */
const GEOCODE_CODES = ADDRESS_CODES.filter(code => code.startsWith('geocode_'));

/** Turns faults of shape into those of proximity. */
function inItsWords(error: unknown, body: unknown): unknown {
  // The parser's message would quote what was sent.
  if (error instanceof JsonError)
    return invalidRequest([{ loc: [], msg: `JSON decode error: ${error.problem}`, type: 'json_invalid' }]);
  if (error instanceof ShapeError) return requestRefused(error.issues);
  const { validation } = error as Partial<FastifyError>;
  return validation ? requestRefused(shapeIssues(validation, body)) : error;
}

const answers = errorResponses([...BODY_CODES, ...CODES, ...GEOCODE_CODES, 'credits_exhausted']);

/** POST /v1/proximity and POST /v1/proximity/{operation}. */
export function proximityRoutes(
  app: FastifyInstance,
  services: Services & { readonly limits: Limits; readonly proximity: ProximityServices },
): void {
  const fail = failureHandler(services.limits.bodyLimit);
  const common = {
    config: { protected: true },
    // The operation checks the body, so that tools get the same answers.
    validatorCompiler: () => () => true,
    errorHandler: (error: FastifyError, request: Parameters<typeof fail>[1], reply: Parameters<typeof fail>[2]) =>
      fail(inItsWords(error, request.body), request, reply),
  };
  app.post(
    '/v1/proximity',
    {
      ...common,
      schema: {
        operationId: 'proximity',
        tags: ['Proximity'],
        summary: 'Drive times, nearest places, screens, labor sheds',
        description:
          'One of the operations below, named by `operation`. Drive times are over the roads of the release or of the provider that is configured; `provider`, `source` and `dataset_vintage` say which, `distances` whether they are driven or straight. It costs 1 credit per 10 driving calculations, and nothing when it fails.',
        security: [{ bearer: [] }],
        body: ProximityBody,
        response: { 200: ofRelease(metered(Type.Union(OPERATIONS.map(operation => ANSWERS[operation])))), ...answers },
      },
    },
    (request, reply) =>
      proximity(contextOf(request, reply, services, PROXIMITY_LIMIT_MS), services.proximity, request.body),
  );
  for (const operation of OPERATIONS)
    app.post(
      `/v1/proximity/${operation}`,
      {
        ...common,
        schema: {
          operationId: `proximity_${operation}`,
          tags: ['Proximity'],
          summary: SUMMARIES[operation],
          description: 'POST /v1/proximity without the key `operation`.',
          security: [{ bearer: [] }],
          body: { ...BODIES[operation], examples: [EXAMPLES[operation]] },
          response: { 200: ofRelease(metered(ANSWERS[operation])), ...answers },
        },
      },
      (request, reply) =>
        proximityOf(
          contextOf(request, reply, services, PROXIMITY_LIMIT_MS),
          services.proximity,
          operation,
          request.body,
        ),
    );
}
