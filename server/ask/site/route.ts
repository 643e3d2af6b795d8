import type { FastifyInstance } from 'fastify';
import type { Services } from '../../context.ts';
import { contextOf } from '../../http/context.ts';
import { BODY_CODES, errorResponses } from '../../http/error-schema.ts';
import { metered } from '../../http/header-schema.ts';
import type { AskServices } from '../operation.ts';
import { ASK_LIMIT_MS } from '../operation.ts';
import { ASKING_CODES } from '../route.ts';
import { askSite } from './operation.ts';
import { AskSiteBody, AskSiteResponse } from './schema.ts';

/** POST /v1/ask-site. */
export function askSiteRoutes(app: FastifyInstance, services: Services & { readonly ask: AskServices }): void {
  app.post<{ Body: AskSiteBody }>(
    '/v1/ask-site',
    {
      config: { protected: true },
      schema: {
        operationId: 'askSite',
        tags: ['Questions'],
        summary: 'A question about a registered site',
        description:
          'Answered from what was found when the site was screened, over the whole polygon where a field has an area form; nothing is fetched again. 10 credits a call; a failure costs nothing.',
        security: [{ bearer: [] }],
        body: AskSiteBody,
        response: {
          200: metered(AskSiteResponse),
          ...errorResponses(
            [
              ...[...BODY_CODES, 'site_not_found', 'site_not_ready', 'site_failed', 'sites_busy', 'credits_exhausted'],
              ...ASKING_CODES,
            ] as const,
            true,
          ),
        },
      },
    },
    (request, reply) => askSite(contextOf(request, reply, services, ASK_LIMIT_MS), services.ask, request.body),
  );
}
