import { afterAll, beforeAll, expect, it } from 'vitest';
import { OPERATIONS } from '../../server/operations/registry.ts';
import { bearer, call, objectFor, openWorld, type World } from './world.ts';

/** What caches may do with the answers of each route: nothing at all, keep them, keep them for one reader, ask again first, or what they like. */
const CACHING: Readonly<Record<'no-store' | 'public' | 'private' | 'no-cache' | 'none', readonly string[]>> = {
  'no-store': [
    'GET /healthz',
    'GET /readyz',
    'GET /v1/users/me/usage',
    'PATCH /v1/users/me/settings',
    'POST /v1/users/me/sign-out',
    'GET /v1/users/me/tokens',
    'POST /v1/users/me/tokens',
    'POST /v1/users/me/tokens/:id/reveal',
    'DELETE /v1/users/me/tokens/:id',
    'GET /v1/operator/places',
    'GET /v1/suggest',
    'POST /v1/guest',
    'GET /v1/users/me/grants',
    'DELETE /v1/users/me/grants/:id',
    'POST /v1/runs',
    'GET /v1/runs',
    'GET /v1/receipts/:receipt_id',
    'POST /v1/corrections',
    'GET /v1/corrections',
    'GET /v1/corrections/:correction_id',
    'GET /v1/runs/:run_id',
    'GET /v1/runs/:run_id/events',
    'GET /v1/runs/:run_id/artifacts/:fmt',
    'POST /v1/uploads',
    'POST /v1/exports',
    'POST /v1/exports/quote',
    'GET /v1/exports',
    'GET /v1/exports/:export_id',
    'GET /v1/exports/:export_id/events',
    'GET /v1/exports/:export_id/files/:name',
    'POST /v1/sites',
    'GET /v1/sites',
    'GET /v1/sites/:site_id',
    'GET /v1/sites/:site_id/dossier',
    'DELETE /v1/sites/:site_id',
    'POST /v1/ask-site',
    'POST /v1/watches',
    'GET /v1/watches',
    'GET /v1/watches/:watch_id',
    'DELETE /v1/watches/:watch_id',
    'GET /v1/buildable/templates',
    'PUT /v1/buildable/templates/:template',
    'DELETE /v1/buildable/templates/:template',
    'POST /v1/field-requests',
    'GET /v1/field-requests',
    'GET /v1/field-requests/:request_id',
    'DELETE /v1/field-requests/:request_id',
    'POST /mcp',
    'GET /mcp',
    'DELETE /mcp',
    'GET /v1/onboarding/terms',
    'GET /v1/onboarding/terms/:version',
    'GET /v1/onboarding/privacy',
    'POST /v1/users/me/onboarding',
    'POST /v1/onboarding/exchange',
    'POST /v1/onboarding/:attempt_id/progress',
    'GET /v1/users/me/onboarding/:attempt_id',
    'POST /v1/mcp/device/start',
    'POST /v1/mcp/device/poll',
    'GET /authorize',
    'GET /authorize/:uid',
    'POST /token',
    'GET /userinfo',
    'POST /userinfo',
    'GET /sign-out',
    'POST /sign-out/confirm',
    'GET /sign-out/success',
    'POST /register',
    'POST /revoke',
    'GET /sign-in',
    'GET /signed-in',
    'GET /sign-in/:uid',
    'POST /sign-in/:uid',
    'GET /password',
    'POST /password',
    'GET /password/new',
    'POST /password/new',
    'POST /password/tokens',
    'GET /device',
    'POST /device',
    'GET /mail/confirm',
    'POST /mail/confirm',
    'GET /mail/stop',
    'POST /mail/stop',
  ],
  public: [
    'GET /v1/meta/fields',
    'GET /v1/meta/coverage',
    'GET /v1/meta/quantiles',
    'GET /v1/meta/scorecard',
    'GET /.well-known/receipt-keys.json',
    'GET /.well-known/oauth-protected-resource/mcp',
    'GET /.well-known/oauth-protected-resource',
    'GET /tiles/:layers/:z/:x/:y.mvt',
    'GET /tiles/terrain/:z/:x/:y.png',
    'GET /tiles/contours/:z/:x/:y.mvt',
    'GET /assets/*',
    'GET /plat.svg',
    'GET /signed-in.js',
  ],
  // Whoever has the address of a map sees it; nobody between keeps it for others.
  private: ['GET /tiles/matches/:map/:z/:x/:y.mvt'],
  'no-cache': [
    'GET /tiles.json',
    'GET /docs',
    'GET /docs/',
    'GET /docs/:page',
    'GET /docs/release',
    'GET /docs/fields',
    'GET /docs/fields/:field',
    'GET /docs/search.json',
    'GET /data.json',
    'GET /stac',
    'GET /stac/:collection',
    'GET /stac/:collection/:item',
    'GET /',
    'GET /search',
    'GET /parcel',
    'GET /ask',
    'GET /console',
    'GET /v1/docs',
    'GET /v1/docs/',
  ],
  none: [
    'GET /v1/meta/plans',
    'GET /v1/changes',
    'GET /v1/ogc',
    'GET /v1/ogc/conformance',
    'GET /v1/ogc/collections',
    'GET /v1/ogc/collections/:collectionId',
    'GET /v1/ogc/collections/:collectionId/queryables',
    'GET /v1/ogc/tiles',
    'GET /v1/ogc/tileMatrixSets',
    'GET /v1/ogc/tiles/:tileMatrixSetId',
    'GET /v1/ogc/tileMatrixSets/:tileMatrixSetId',
    'GET /v1/ogc/collections/:collectionId/items',
    'GET /v1/ogc/collections/:collectionId/items/:featureId',
    'POST /v1/fetch',
    'POST /v1/fetch/batch',
    'POST /v1/fetch/quote',
    'POST /v1/geocode',
    'POST /v1/lookup',
    'POST /v1/enrich',
    'POST /v1/search',
    'POST /v1/proximity',
    'POST /v1/proximity/matrix',
    'POST /v1/proximity/nearest',
    'POST /v1/proximity/screen',
    'POST /v1/proximity/labor_shed',
    'POST /v1/proximity/isochrone',
    'POST /v1/ask',
    'POST /v1/ask/stream',
    'GET /v1/openapi.json',
    'GET /v1/docs/:page',
    'GET /llms.txt',
    'GET /.well-known/openid-configuration',
    'GET /.well-known/oauth-authorization-server',
    'GET /jwks',
    'GET /.well-known/security.txt',
    // Operations that declare themselves answer what is nobody's.
    ...OPERATIONS.map(({ route }) => route),
  ],
};
/** Events are not stored anywhere, whatever they are about. */
const STREAMED: readonly string[] = ['POST /v1/ask/stream'];

const kindOf = (header: unknown) => (header === undefined ? 'none' : String(header).split(/,? /, 1)[0]!);

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world?.[Symbol.asyncDispose]());

it('every route has a line', () => {
  const routes = world.routes.filter(route => !/^(?:HEAD|OPTIONS) /.test(route));
  expect(Object.values(CACHING).flat().sort()).toEqual([...new Set(routes)].sort());
});

it('every answer and refusal says to caches what the table says', async () => {
  const seen = new Map<string, Set<string>>();
  const note = (route: string, header: unknown) => seen.set(route, (seen.get(route) ?? new Set()).add(kindOf(header)));
  for (const route of Object.values(CACHING).flat()) {
    const [method, url] = route.split(' ') as ['GET', string];
    const reply = await world.fixture.app.inject({ method, url: url.replace(/:\w+/g, 'x').replace('*', 'x') });
    // What may be kept may be refused, and then nothing is said.
    if (reply.statusCode < 300 || ![...CACHING.public, ...CACHING.private].includes(route))
      note(route, reply.headers['cache-control']);
  }
  for (const operation of world.operations) {
    const route = operation.name.replaceAll('{', ':').replaceAll('}', '');
    if (operation.entry.endless || STREAMED.includes(route)) continue;
    const ids = operation.entry.object ? await objectFor(world, operation, world.ann) : {};
    note(route, (await call(world, operation, bearer(world.ann.session), { ids })).headers['cache-control']);
  }
  const wrong = Object.entries(CACHING).flatMap(([kind, routes]) =>
    routes.filter(route => [...(seen.get(route) ?? [])].some(one => one !== kind)),
  );
  expect(wrong).toEqual([]);
});

it('answers of tools are not stored, in one piece or as events', async () => {
  for (const [method, params] of [
    ['tools/list', {}],
    ['tools/call', { name: 'service_runs', arguments: { req: {} } }],
    ['tools/call', { name: 'service_nothing', arguments: {} }],
    ['resources/list', {}],
  ] as const) {
    const reply = await world.fixture.app.inject({
      method: 'POST',
      url: '/mcp',
      headers: { ...bearer(world.ann.token), accept: 'application/json, text/event-stream' },
      payload: { jsonrpc: '2.0', id: 1, method, params },
    });
    expect([reply.statusCode, reply.headers['cache-control']], method).toEqual([200, 'no-store']);
  }
});

it('what is not found below a private path is not stored either, and what only looks like one is', async () => {
  for (const [url, kind] of [
    ['/v1/users/me/nothing', 'no-store'],
    ['/v1/runs/x/nothing?a=1', 'no-store'],
    ['/v1/runsome', 'none'],
    ['/devices', 'none'],
  ] as const)
    expect(kindOf((await world.fixture.app.inject(url)).headers['cache-control']), url).toBe(kind);
});

it('however a private path is spelled, its answers are not stored', async () => {
  const headers = bearer(world.ann.session);
  for (const url of ['/v1/%75sers/me/usage', '/v1/%72uns', '/v1/users/me/%74okens', '/%6dcp'])
    expect(kindOf((await world.fixture.app.inject({ url, headers })).headers['cache-control']), url).toBe('no-store');
});
