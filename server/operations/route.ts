import type { FastifyInstance } from 'fastify';
import type { Services } from '../context.ts';
import { type FormatServices, formatOf, inFormats, sendFormat } from '../formats/accept.ts';
import { inKml, KML_MEDIA, prefersKml } from '../formats/kml.ts';
import { contextOf } from '../http/context.ts';
import { BODY_CODES, errorResponses } from '../http/error-schema.ts';
import { metered, ofRelease, sending } from '../http/header-schema.ts';
import type { Limits } from '../limits.ts';
import type { Operation } from '../operation/operation.ts';
import type { ProximityServices } from '../proximity/operation.ts';
import { noticeHeader } from '../search/notice-text.ts';
import type { SearchServices } from '../search/operation.ts';
import { unjudged } from '../search/route.ts';
import { setServices } from '../sets/area-source.ts';
import { chargedResponse } from './charged.ts';
import { OPERATIONS } from './registry.ts';

type RouteServices = Services &
  FormatServices & {
    readonly limits: Limits;
    readonly search: SearchServices;
    readonly proximity: ProximityServices;
    readonly publicUrl: string;
  };

/** The schemas of the answers of an operation, by status. */
function answersOf({ response, price, table, drawing, errors, judge }: Operation) {
  const own = ofRelease(price.credits === 0 ? response : metered(response));
  return {
    200: table ? inFormats(sending(own, 'X-Service-Notice')) : drawing ? inKml(own) : own,
    ...errorResponses([...BODY_CODES, ...errors, ...(table ? (['not_acceptable'] as const) : [])], judge === 'schema'),
  };
}

function operationRoute(app: FastifyInstance, services: RouteServices, operation: Operation): void {
  const { id, route, tag, summary, description, body, limitMs, table, drawing } = operation;
  const { withoutState, scopes, rate, parse, answerBytes, judge } = operation;
  app.post(
    route.slice('POST '.length),
    {
      config: {
        protected: true,
        withoutState,
        scopes,
        typing: rate === 'typing',
        ...(parse ? { parse } : {}),
        ...(answerBytes ? { answerBytes } : {}),
      },
      schema: {
        operationId: id,
        tags: [tag],
        summary,
        description,
        security: [{ bearer: [] }],
        body,
        response: answersOf(operation),
      },
      ...(judge === 'operation' ? unjudged(services.limits) : {}),
    },
    async (request, reply) => {
      const format = table ? formatOf(request) : null;
      const ctx = contextOf(request, reply, services, limitMs);
      const draws = drawing !== null && prefersKml(request.headers.accept);
      const question = draws
        ? drawing.bodyFor(request.body)
        : ((format && table?.bodyFor?.(format, request.body)) ?? request.body);
      const { json, warnings } = await chargedResponse(operation, ctx, setServices(ctx, services), question);
      if (draws) return reply.header('vary', 'Accept').type(KML_MEDIA).send(drawing.text(json));
      const bytes = Buffer.from(json);
      if (!format || !table) return reply.type('application/json; charset=utf-8').send(bytes);
      if (warnings.length > 0) reply.header('x-service-notice', noticeHeader(warnings));
      return sendFormat(reply, services, format, { source: table.source(question), json: bytes });
    },
  );
}

/** The endpoints of all operations that declare themselves. */
export function operationRoutes(app: FastifyInstance, services: RouteServices): void {
  for (const operation of OPERATIONS) operationRoute(app, services, operation);
}
