// OWASP API9:2023, improper inventory management: nothing answers that is not described, or known not to be.
import { expect, it } from 'vitest';
import { UNDESCRIBED } from './routes.ts';
import { openWorld } from './world.ts';

it('every route is an operation of the OpenAPI document or a page that is known, and every one of these is a route', async () => {
  await using world = await openWorld();
  const described = world.operations.map(({ method, path }) => `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`);
  // The page stands with a slash at its end too; HEAD is answered as GET.
  const routes = world.routes.filter(route => !/^HEAD |^GET (?:\/v1)?\/docs\/$/.test(route));
  const known = [...described, ...UNDESCRIBED];
  expect(
    routes.filter(route => !known.includes(route)),
    'describe the route in the OpenAPI document, or add it to UNDESCRIBED in test/security/routes.ts when it is no part of the API',
  ).toEqual([]);
  expect(known.filter(route => !routes.includes(route))).toEqual([]);
});

it('there is one version, and it is in every path of the API', async () => {
  await using world = await openWorld();
  for (const { path } of world.operations) expect(path).toMatch(/^\/(?:v1\/|healthz$|readyz$|mcp$)/);
  expect((await world.fixture.app.inject('/v2/fetch')).statusCode).toBe(404);
});
