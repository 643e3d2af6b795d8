import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import type { Services } from '../context.ts';
import { ServiceError } from '../errors/registry.ts';
import { contextOf } from '../http/context.ts';
import { errorResponses } from '../http/error-schema.ts';
import { eventStream } from '../http/event-stream.ts';
import type { AskServices } from './operation.ts';
import { ASK_LIMIT_MS, openQuestion } from './operation.ts';
import { ASK_CODES } from './route.ts';
import { AskBody } from './schema.ts';

/** POST /v1/ask/stream: the answer of ask as server-sent events. */
export function askStreamRoutes(app: FastifyInstance, services: Services & { readonly ask: AskServices }): void {
  app.post<{ Body: AskBody }>(
    '/v1/ask/stream',
    {
      config: { protected: true },
      schema: {
        operationId: 'askStream',
        tags: ['Questions'],
        summary: 'The same, as it is written',
        description:
          'Server-sent events: `delta` `{text}` for each piece of the answer, then once either `final`, the body of POST /v1/ask, or `error` `{error, message, retryable}`, after which the text is to be discarded. A stream without a `final` has failed. Comments keep a silent stream alive. What fails before the first event is an HTTP error.',
        security: [{ bearer: [] }],
        body: AskBody,
        response: {
          200: {
            description: 'The events.',
            content: { 'text/event-stream': { schema: Type.String() } },
          },
          ...errorResponses(ASK_CODES, true),
        },
      },
    },
    async (request, reply) => {
      const ctx = contextOf(request, reply, services, ASK_LIMIT_MS);
      const question = await openQuestion(ctx, services.ask, request.body);
      const release = ctx.release.take();
      if (release !== undefined) reply.header('x-service-release', release);
      const stream = eventStream(reply);
      try {
        const result = await question.answer(text => stream.send('delta', { text }));
        stream.send('final', result);
      } catch (error) {
        if (!stream.open) throw error;
        // Without a `final` the client knows that the text it has read is not an answer.
        if (error instanceof ServiceError) stream.send('error', error.body.detail);
        else if (!ctx.signal.aborted) ctx.log.error({ err: error }, 'a stream of an answer broke');
      } finally {
        stream.end();
      }
      return reply;
    },
  );
}
