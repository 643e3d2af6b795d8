import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { walk } from '../../../../datasets/catalog.ts';
import type { Answer, Point } from '../../../../query/evaluate/answer.ts';
import { evaluateBatch } from '../../../../query/evaluate/batch-evaluate.ts';
import { evaluate } from '../../../../query/evaluate/evaluate.ts';
import { toAnswer } from '../../../../query/evaluate/finding.ts';
import { OPERATORS } from '../../../../query/evaluate/operators/registry.ts';
import { createCache } from '../../../../query/release/cache.ts';
import { openRelease } from '../../../../query/release/open-release.ts';
import type { Fixture } from '../../release-fixture.ts';

import { EAST, everyOperator, FIELDS, GUARDED, NORTH, SOUTH, spread, WEST } from './agreement-fixture.ts';

const LONG = process.env.PLAT_TEST === 'long';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await everyOperator();
});
afterAll(() => fixture.remove());

const names = Object.keys(FIELDS);
const now = '2026-01-01T00:00:00.000Z';
const settled = (answer: Answer): Answer => ({ ...answer, fetchedAt: now });

/** What both forms say about every point: field → answers, in the order of the points. */
async function bothForms(
  points: readonly Point[],
): Promise<{ bulk: Record<string, Answer[]>; point: Record<string, Answer[]> }> {
  const { catalog } = fixture;
  const release = openRelease(fixture.home);
  const found = await evaluateBatch(names, points, { release, catalog, cache: createCache(64) });
  const bulk = Object.fromEntries(
    [...found].map(([name, findings]) => [name, findings.map(f => toAnswer(f, catalog.datasets.get('grids')!, now))]),
  );
  const cache = createCache(64);
  const point: Record<string, Answer[]> = Object.fromEntries(names.map(name => [name, []]));
  for (const at of points) {
    const answers = await evaluate(names, at, { release, catalog, cache, deadline: Date.now() + 60_000 });
    for (const name of names) point[name]!.push(settled(answers[name]!));
  }
  return { bulk, point };
}

const anywhere = (margin: number) =>
  fc.record({
    lng: fc.double({ min: WEST - margin, max: EAST + margin, noNaN: true }),
    lat: fc.double({ min: SOUTH - margin, max: NORTH + margin, noNaN: true }),
  });
/** Points about one place, as parcels of a street are. */
const cluster = fc
  .tuple(
    anywhere(0),
    fc.constantFrom(0.0002, 0.002, 0.01),
    fc.array(fc.tuple(fc.double({ min: -1, max: 1, noNaN: true }), fc.double({ min: -1, max: 1, noNaN: true })), {
      minLength: 2,
      maxLength: 25,
    }),
  )
  .map(([at, size, offsets]) => offsets.map(([x, y]) => ({ lng: at.lng + size * x, lat: at.lat + size * y })));
/** Points on edges of coverages, counties, lots and cells. */
const edges = fc.array(
  fc.constantFrom(
    { lng: -100, lat: 40 },
    { lng: WEST, lat: SOUTH },
    { lng: EAST, lat: NORTH },
    { lng: -100, lat: 40.05 },
    { lng: WEST + 0.006, lat: SOUTH + 0.006 },
    { lng: WEST + 0.0055, lat: SOUTH + 0.003 },
    { lng: -99.95, lat: 40 },
  ),
  { minLength: 1, maxLength: 7 },
);

describe('bulk and point forms', () => {
  it('exist for every operator in this test', () => {
    const used = new Set<string>();
    for (const { expression } of fixture.catalog.fields.values()) walk(expression, call => used.add(call.op));
    expect([...used].sort()).toEqual([...OPERATORS.keys()].sort());
    expect([...OPERATORS.values()].filter(operator => !operator.bulk).map(o => o.name)).toEqual([]);
  });

  it.each([
    ['near one another', cluster, LONG ? 12 : 5],
    ['anywhere, outside the coverages too', fc.array(anywhere(0.05), { minLength: 1, maxLength: 30 }), LONG ? 8 : 4],
    ['on edges', edges, 4],
    [
      'mixed',
      fc.tuple(cluster, fc.array(anywhere(0.5), { minLength: 1, maxLength: 8 }), edges).map(lists => lists.flat()),
      LONG ? 6 : 3,
    ],
  ] as const)(
    'agree at points %s',
    async (_, points, numRuns) => {
      const seen = new Map<string, Set<string>>(names.map(name => [name, new Set()]));
      await fc.assert(
        fc.asyncProperty(points as fc.Arbitrary<Point[]>, async list => {
          const { bulk, point } = await bothForms(list);
          for (const name of names) {
            expect({ name, answers: bulk[name] }).toEqual({ name, answers: point[name] });
            for (const answer of point[name]!) seen.get(name)!.add(answer.status);
          }
        }),
        { seed: 20_261_120, numRuns },
      );
      // Damage must really have been met, and no sound field may hide behind a failure.
      for (const name of names) {
        const failing = /torn|broken|doubled/.test(name);
        expect([name, seen.get(name)!.has('failed') && !failing]).toEqual([name, false]);
      }
    },
    60_000,
  );

  it('say what was rejected where it may change the answer', async () => {
    const list = Array.from({ length: 300 }, (_, i) => ({
      lng: WEST + (EAST - WEST) * spread(i, 21),
      lat: SOUTH + (NORTH - SOUTH) * spread(i, 22),
    }));
    const { bulk, point } = await bothForms(list);
    expect(bulk).toEqual(point);
    const said = names.filter(name => bulk[name]!.some(a => a.status === 'absent' && / was rejected: /.test(a.notes!)));
    const reading = names.filter(name => GUARDED.test(FIELDS[name as keyof typeof FIELDS].expression));
    expect(said).toEqual(expect.arrayContaining(reading.filter(name => !/broken/.test(name))));
  }, 60_000);

  it('meet every status: values, absences and failures', async () => {
    const list = Array.from({ length: 150 }, (_, i) => ({
      lng: WEST - 0.02 + (EAST - WEST + 0.04) * spread(i, 11),
      lat: SOUTH - 0.02 + (NORTH - SOUTH + 0.04) * spread(i, 12),
    }));
    const { bulk, point } = await bothForms(list);
    expect(bulk).toEqual(point);
    const met = (name: string) => [...new Set(bulk[name]!.map(a => a.status))].sort().join();
    for (const name of ['height_torn', 'slope_torn', 'average_torn', 'of_torn'])
      expect([name, met(name)]).toEqual([name, 'absent,failed,ok']);
    // Far from a damaged file's box nothing of it is needed.
    for (const name of ['zone_broken', 'distance_broken', 'station_broken'])
      expect([name, met(name)]).toEqual([name, expect.stringMatching(/^(absent,)?failed$/)]);
    for (const name of names.filter(n => !/torn|broken|doubled|to_line/.test(n)))
      expect([name, met(name)]).toEqual([name, 'absent,ok']);
  });

  it('agree where nothing was published, and a batch of no points has no findings', async () => {
    const { catalog } = fixture;
    const nothing = await evaluateBatch(['height', 'above'], [{ lng: 0, lat: 0 }], {
      release: null,
      catalog,
      cache: createCache(16),
    });
    expect([...nothing.values()].flat().map(f => f.error)).toEqual([
      'no release is installed; nothing was published yet',
      'no release is installed; nothing was published yet',
    ]);
    const empty = await evaluateBatch(['height'], [], {
      release: openRelease(fixture.home),
      catalog,
      cache: createCache(16),
    });
    expect(empty.get('height')).toEqual([]);
    await expect(evaluateBatch(['no_field'], [], { release: null, catalog, cache: createCache(16) })).rejects.toThrow(
      RangeError,
    );
  });

  it('stops when nobody waits, and fails what the deadline cuts off', async () => {
    const options = { release: openRelease(fixture.home), catalog: fixture.catalog, cache: createCache(16) };
    const at = [{ lng: -100.05, lat: 40 }];
    await expect(evaluateBatch(['height'], at, { ...options, stopped: () => true })).rejects.toThrow('nobody waits');
    const late = await evaluateBatch(['height'], at, { ...options, deadline: Date.now() - 1 });
    expect(late.get('height')![0]).toMatchObject({ status: 'failed', retryable: true });
  });
});
