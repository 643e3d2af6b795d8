import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Fixture, openFixture } from '../service-fixture.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());

const SEED = 20261120;

async function judge(payload: string | Buffer, contentType = 'application/json') {
  const reply = await fixture.app.inject({
    method: 'POST',
    url: '/v1/fetch',
    headers: { authorization: `Bearer ${fixture.token}`, 'content-type': contentType },
    payload,
  });
  expect(reply.headers['x-request-id']).toBeTruthy();
  expect([200, 400, 404, 413, 415, 422]).toContain(reply.statusCode);
  // 404 is the answer to a well-formed address that nobody knows.
  if (reply.statusCode === 404) expect(reply.json().detail.error).toBe('address_not_found');
  return reply;
}

/** Values near the shape of the body, so that the search gets past the first check. */
const near = fc.record(
  {
    lat: fc.oneof(
      fc.double({ noNaN: true }),
      fc.double({ min: 18, max: 72, noNaN: true }),
      fc.constant(null),
      fc.string(),
    ),
    lng: fc.oneof(fc.double({ noNaN: true }), fc.double({ min: -180, max: -65, noNaN: true }), fc.constant(null)),
    address: fc.oneof(fc.string({ maxLength: 300, unit: 'binary' }), fc.constant(null), fc.integer()),
    fields: fc.oneof(
      fc.array(fc.oneof(fc.constantFrom('elevation', '__proto__', 'constructor', 'toString', ''), fc.string())),
      fc.constant(null),
      fc.jsonValue(),
    ),
    preset: fc.oneof(fc.constantFrom('terrain', '__proto__', 'toString', null), fc.string()),
  },
  { requiredKeys: [] },
);

it('any JSON body is answered or refused, never a fault', () =>
  fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.json(),
        near.map(value => JSON.stringify(value)),
      ),
      async text => {
        await judge(text);
      },
    ),
    { seed: SEED, numRuns: 400 },
  ));

it('any bytes are answered or refused, never a fault', () =>
  fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async bytes => {
      await judge(Buffer.from(bytes));
    }),
    { seed: SEED, numRuns: 300 },
  ));

it('any damage to a good body is answered or refused, never a fault', () => {
  const good = Buffer.from(JSON.stringify({ lat: 44.8, lng: -68.77, fields: ['elevation'], preset: 'terrain' }));
  return fc.assert(
    fc.asyncProperty(fc.nat(good.length - 1), fc.nat(255), fc.nat(3), async (at, byte, count) => {
      const damaged = Buffer.concat([good.subarray(0, at), Buffer.alloc(count, byte), good.subarray(at + 1)]);
      await judge(damaged);
    }),
    { seed: SEED, numRuns: 400 },
  );
});

it('any header values are answered or refused, never a fault', () => {
  let asked = 0;
  return fc.assert(
    fc.asyncProperty(
      fc.string({ maxLength: 200 }),
      fc.string({ maxLength: 200 }),
      fc.string({ maxLength: 200 }),
      async (authorization, id, type) => {
        const reply = await fixture.app.inject({
          method: 'POST',
          url: '/v1/fetch',
          // One that is refused often is kept waiting for a second each time: each of these is another.
          remoteAddress: `10.0.0.${asked++ % 250}`,
          headers: { authorization, 'x-request-id': id, 'content-type': type },
          payload: '{}',
        });
        expect([401, 415]).toContain(reply.statusCode);
        expect(reply.headers['x-request-id']).toMatch(/^[A-Za-z0-9._:-]{1,128}$/);
      },
    ),
    { seed: SEED, numRuns: 200 },
  );
});

it('any path is answered or refused, never a fault', () =>
  fc.assert(
    fc.asyncProperty(fc.constantFrom('GET', 'POST', 'PUT'), fc.webPath(), async (method, path) => {
      const reply = await fixture.app.inject({ method: method as 'GET', url: `/${path}` });
      expect(reply.statusCode).toBeLessThan(500);
      expect(reply.headers['x-request-id']).toBeTruthy();
    }),
    { seed: SEED, numRuns: 200 },
  ));
