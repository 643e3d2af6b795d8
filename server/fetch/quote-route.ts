import type { FastifyInstance } from 'fastify';
import type { Services } from '../context.ts';
import { contextOf } from '../http/context.ts';
import { BODY_CODES, errorResponses } from '../http/error-schema.ts';
import { quoteFetch } from './quote.ts';
import { QuoteBody, QuoteResponse } from './quote-schema.ts';

/** Milliseconds a quote may take. */
const QUOTE_LIMIT_MS = 5_000;

/** POST /v1/fetch/quote. */
export function quoteRoutes(app: FastifyInstance, services: Services): void {
  app.post<{ Body: QuoteBody }>(
    '/v1/fetch/quote',
    {
      config: { protected: true },
      schema: {
        operationId: 'fetchQuote',
        tags: ['Data'],
        summary: 'What a fetch or batch would cost',
        description: 'Free, takes no coordinates, and counts against the requests a minute. A run costs at most this.',
        security: [{ bearer: [] }],
        body: QuoteBody,
        response: {
          200: QuoteResponse,
          ...errorResponses([...BODY_CODES, 'no_fields_requested', 'fields_unknown', 'fields_too_many'], true),
        },
      },
    },
    (request, reply) => quoteFetch(contextOf(request, reply, services, QUOTE_LIMIT_MS), request.body),
  );
}
