import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Fixture, openFixture } from '../service-fixture.ts';

const LONG = process.env.PLAT_TEST === 'long';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture({ plan: 'market' });
});
afterAll(() => fixture[Symbol.asyncDispose]());

const number = fc.oneof(
  fc.double({ noNaN: true }),
  fc.double({ min: 18, max: 72, noNaN: true }),
  fc.integer({ min: -2, max: 30 }),
  fc.constant(null),
);
const location = fc.oneof(
  fc.record(
    { lat: number, lng: number, address: fc.oneof(fc.string({ maxLength: 300 }), fc.constant(null)) },
    { requiredKeys: [] },
  ),
  fc.record({
    lat: fc.double({ min: 18, max: 72, noNaN: true }),
    lng: fc.double({ min: -180, max: -65, noNaN: true }),
  }),
);
const selection = {
  fields: fc.oneof(
    fc.array(fc.oneof(fc.constantFrom('elevation', 'parcel_apn', 'elevation', '__proto__', 'toString'), fc.string())),
    fc.constant(['elevation', 'parcel_apn']),
    fc.jsonValue(),
  ),
  preset: fc.oneof(fc.constantFrom('terrain', 'toString', null), fc.string()),
};
const batch = fc.record(
  { locations: fc.oneof(fc.array(location, { maxLength: 27 }), fc.jsonValue()), ...selection },
  { requiredKeys: ['locations'] },
);
const quote = fc.record({ locations: fc.oneof(number, fc.jsonValue()), ...selection }, { requiredKeys: ['fields'] });

it.each([
  ['/v1/fetch/batch', batch],
  ['/v1/fetch/quote', quote],
] as const)('any JSON to %s is answered or refused, never a fault, and costs what its answer says', (url, near) =>
  fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.json(),
        near.map(value => JSON.stringify(value)),
      ),
      fc.option(fc.oneof(fc.stringMatching(/^[\w-]{8,12}$/), fc.stringMatching(/^[ -~]{0,12}$/)), { nil: undefined }),
      async (payload, key) => {
        const headers = { authorization: `Bearer ${fixture.token}`, 'content-type': 'application/json' };
        const used = async () => {
          const { spent, held } = await fixture.state.ledger.usage(fixture.account.id, '2026-01', fixture.clock.time);
          expect(held).toBe(0);
          return spent;
        };
        const before = await used();
        const reply = await fixture.app.inject({
          method: 'POST',
          url,
          headers: key === undefined ? headers : { ...headers, 'idempotency-key': key },
          payload,
        });
        expect([200, 400, 409, 422]).toContain(reply.statusCode);
        const body = reply.json();
        let cost = 0;
        if (reply.statusCode === 200 && url.endsWith('batch') && !body.replayed)
          for (const entry of body.results)
            if (entry.ok) for (const name of Object.keys(entry.fields)) cost += name === 'parcel_apn' ? 150 : 1;
        expect((await used()) - before).toBe(cost);
      },
    ),
    { seed: 20261120, numRuns: LONG ? 300 : 100 },
  ),
);
