import { createHash } from 'node:crypto';
import swagger from '@fastify/swagger';
import type { FastifyContextConfig, FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Services } from '../context.ts';
import { ServiceError } from '../errors/registry.ts';
import { isPrivate } from '../http/caching.ts';
import { ErrorSchema, errorResponses, ShapeSchema } from '../http/error-schema.ts';
import { HEADERS } from '../http/header-schema.ts';
import { JSON_TYPE, type SharedAnswer, sendShared, sharedAnswer } from '../http/shared-answer.ts';
import { TAGS } from '../operation/tags.ts';
import { VERSION } from '../version.ts';
import { llmsText, type Overviewed } from './llms.ts';
import { operationPages } from './operation-text.ts';
import type { DescribedApi } from './page/described.ts';
import { findExamplePlace } from './page/example-place.ts';
import { docsPage, PAGE_POLICY } from './page/page.ts';

/** Pages of the last releases: some requests are still of the one before. */
const PAGES_KEPT = 2;
const WITHOUT_PLACE_MS = 60_000;

/** The part of an OpenAPI document that holds responses. */
interface Described {
  readonly paths: Record<string, Record<string, { readonly responses: Record<string, DescribedResponse> }>>;
}

interface DescribedResponse {
  headers?: object;
  readonly content?: Record<string, { schema: { readonly anyOf?: readonly object[] } }>;
}

/** Paths that monitoring asks, which have no limit. */
const UNLIMITED = ['/healthz', '/readyz'];

/** Adds the headers that come with every response of a path, describes each header once, and replaces "any of" with a single entry by it. */
function completeResponses({ paths }: Described): void {
  for (const [path, item] of Object.entries(paths))
    for (const [status, response] of Object.values(item).flatMap(({ responses }) => Object.entries(responses))) {
      // Who is nobody has no limit yet.
      const limit = UNLIMITED.includes(path) || status === '401' ? [] : ['RateLimit', 'RateLimit-Policy'];
      const own = ['X-Request-ID', ...limit, ...(isPrivate(path) ? ['Cache-Control'] : [])];
      const names = [...own, ...Object.keys(response.headers ?? {})];
      response.headers = Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]));
      for (const media of Object.values(response.content ?? {})) {
        const { anyOf, ...rest } = media.schema;
        if (anyOf?.length === 1) media.schema = { ...anyOf[0], ...rest };
      }
    }
}

/** Who may call a route, from the config that the guard reads. A session is accepted wherever an API token is. */
const securityOf = ({ protected: guarded, sessionOnly }: FastifyContextConfig): Record<string, string[]>[] =>
  guarded ? [...(sessionOnly ? [] : [{ bearer: [] }]), { session: [] }] : [];

/** Collects the routes that are registered after it into OpenAPI 3.1, from the schemas that also validate. */
export async function collectOpenapi(app: FastifyInstance): Promise<void> {
  app.addSchema(ErrorSchema);
  app.addSchema(ShapeSchema);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Plat',
        version: VERSION,
        description:
          'Cited answers about places in the United States from public data. Every value carries its source, vintage and status.\n\n' +
          'Every response carries `X-Request-ID`; send your own (1 to 128 characters of `A-Za-z0-9._:-`) to have it echoed. Unknown paths are 404 `not_found`, other methods 405 `method_not_allowed` with `Allow`.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/' }],
      tags: [...TAGS],
      components: {
        headers: HEADERS,
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description: 'An API token: `plat token create --account EMAIL` prints one.',
          },
          session: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description:
              'A browser session: an ID token of the identity provider. It is accepted wherever an API token is. `plat session create --account EMAIL` prints one of the embedded provider.',
          },
        },
      },
    },
    transform: ({ schema, url, route }) => ({
      schema: {
        ...schema,
        security: securityOf(route.config ?? {}),
        response: { ...errorResponses([]), ...(schema?.response as object | undefined) },
      },
      url,
    }),
    transformObject: document => {
      if (!('openapiObject' in document)) return document.swaggerObject;
      completeResponses(document.openapiObject as Described);
      return document.openapiObject;
    },
    refResolver: { buildLocalReference: (json, _base, _fragment, i) => String(json.$id ?? `schema-${i}`) },
  });
}

/** GET /v1/openapi.json, /llms.txt, a page of each operation and the reference at /v1/docs, with examples about the open release. */
export function docsRoutes(app: FastifyInstance, services: Services & { readonly publicUrl: string }): void {
  const { engine, catalog, publicUrl } = services;
  let document: SharedAnswer | undefined;
  let overview: SharedAnswer | undefined;
  app.get(
    '/v1/openapi.json',
    {
      schema: {
        operationId: 'openapi',
        tags: ['Service'],
        summary: 'This description, OpenAPI 3.1',
        security: [],
        response: { 200: { type: 'object', additionalProperties: true } },
      },
    },
    async (request, reply) => {
      document ??= sharedAnswer(JSON.stringify(app.swagger()), JSON_TYPE);
      return sendShared(request, reply, document);
    },
  );
  app.get('/llms.txt', { schema: { hide: true } }, async (request, reply) => {
    overview ??= sharedAnswer(llmsText(app.swagger() as Overviewed), 'text/markdown; charset=utf-8');
    return sendShared(request, reply, overview);
  });
  let operations: ReadonlyMap<string, SharedAnswer> | undefined;
  app.get('/v1/docs/:page', { schema: { hide: true } }, async (request, reply) => {
    operations ??= new Map(
      [...operationPages(app.swagger() as object as DescribedApi)].map(([path, text]) => [
        path,
        sharedAnswer(text, 'text/markdown; charset=utf-8'),
      ]),
    );
    const page = operations.get(`/v1/docs/${(request.params as { readonly page: string }).page}`);
    if (!page) throw new ServiceError('not_found');
    return sendShared(request, reply, page);
  });
  const pages = new LRUCache<string, SharedAnswer>({
    max: PAGES_KEPT,
    fetchMethod: async (_release, _stale, { options }) => {
      // A busy server has the page without its place for a while.
      const place = await findExamplePlace(engine, catalog).catch(() => {
        options.ttl = WITHOUT_PLACE_MS;
        return null;
      });
      return pageAnswer(docsPage(app.swagger() as object as DescribedApi, place, publicUrl));
    },
  });
  for (const url of ['/v1/docs', '/v1/docs/'])
    app.get(url, { schema: { hide: true } }, async (request, reply) => {
      reply.headers({ 'content-security-policy': PAGE_POLICY, 'cache-control': 'no-cache' });
      return sendShared(request, reply, (await pages.fetch(engine.status().release ?? ''))!);
    });
}

function pageAnswer(text: string): SharedAnswer {
  const tag = createHash('sha256').update(text).digest('base64url');
  return sharedAnswer(text, 'text/html; charset=utf-8', `"${tag}"`);
}
