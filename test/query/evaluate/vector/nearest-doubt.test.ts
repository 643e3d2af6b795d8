import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseCondition } from '../../../../datasets/grammar/condition.ts';
import type { Expression } from '../../../../datasets/grammar/expression.ts';
import type { Context } from '../../../../query/evaluate/context.ts';
import { openPoint } from '../../../../query/evaluate/evaluate.ts';
import { absent, type Finding, found } from '../../../../query/evaluate/finding.ts';
import { unlessDoubted } from '../../../../query/evaluate/vector/nearest-doubt.ts';
import { type NearestHit, searchOf } from '../../../../query/evaluate/vector/vector-search.ts';
import { distance } from '../../../../query/geometry/geodesic.ts';
import { createCache } from '../../../../query/release/cache.ts';
import { Layers } from '../../../../query/release/layers.ts';
import { openRelease } from '../../../../query/release/open-release.ts';
import { createFixture, dataset, type Fixture, point } from '../../release-fixture.ts';

const layer = {
  kind: 'vector',
  geometry: 'point',
  joinKey: null,
  partition: 'county',
  columns: { zone: { type: 'string', unknown: ['N/A'] }, wet: { type: 'string' } },
} as const;
const EAST = 1 / (distance(10, 40, 10.001, 40) * 1000);
/** A feature so many meters east of the point. */
const spot = (metres: number, zone: string | null, wet: string | null = 'F') => ({
  geometry: point(10 + metres * EAST, 40),
  zone,
  wet,
});
const box = (west: number, east: number) => ({
  type: 'Polygon' as const,
  xy: Float64Array.of(west, 39, east, 39, east, 41, west, 41, west, 39),
  ends: Uint32Array.of(5),
  parts: Uint32Array.of(1),
});

let fixture: Fixture;
beforeAll(async () => {
  const here = [spot(20, 'X'), spot(50, null), spot(100, 'AE'), spot(200, 'N/A', null), spot(7_000, null)];
  fixture = await createFixture([dataset('spots', { main: layer, plain: layer, short: layer, two: layer })], {
    spots: {
      main: [{ features: here }],
      plain: [{ features: [spot(20, 'X'), spot(100, 'AE')] }],
      short: [{ features: here.map(({ zone, ...rest }) => rest), stored: ['wet'] }],
      two: [
        { key: 'near', place: 'near', features: [spot(80, null)], coverage: [box(9.9, 10.1)] },
        { key: 'sure', place: 'sure', features: [spot(90, 'X')], coverage: [box(9.8, 10.1)] },
        {
          key: 'far',
          place: 'far',
          features: [{ ...spot(0, null), geometry: point(11, 40) }],
          coverage: [box(10.9, 11.1)],
        },
      ],
    },
  });
});
afterAll(() => fixture.remove());

/** Keys of the partitions whose features were opened. */
let opened: string[] = [];
const release = () => openRelease(fixture.home);
function openCtx(of = release()): Context {
  const layers = new Layers(of, createCache(64));
  const features = layers.features.bind(layers);
  opened = [];
  layers.features = (partition, role) => {
    opened.push(partition.key);
    return features(partition, role);
  };
  const terms = { release: of, catalog: fixture.catalog, cache: createCache(64), deadline: Date.now() + 60_000 };
  return openPoint({ lng: 10, lat: 40 }, terms, layers).ctx;
}
const AE = parseCondition("zone = 'AE'");
const WHY = 'what decides (zone) is empty or unknown there';
const hundred: Finding = { ...found(100, 'high', []), notes: ['of the place'] };
const none: Finding = { ...absent('there is none', 'high', []), notes: ['there is none', 'of the place'] };

interface Asked {
  readonly where?: Expression['where'];
  readonly of?: string;
  readonly metres?: number | null;
  readonly finding?: Finding;
  readonly km?: number;
  readonly decides?: (doubted: number, found: number) => boolean;
  readonly ctx?: Context;
}
async function ask({
  where = AE,
  of = 'main',
  metres = 100,
  finding = hundred,
  km = 5,
  decides,
  ctx = openCtx(),
}: Asked) {
  const source = { dataset: 'spots', layer: of, where: null };
  const call = { sources: [source], where, options: { max_km: String(km) } } as unknown as Expression;
  const search = await searchOf(ctx, source, where);
  const hit = metres === null ? null : ({ metres } as NearestHit);
  opened = [];
  return unlessDoubted(
    ctx,
    call,
    search,
    hit,
    finding,
    decides ?? ((doubted, own) => doubted < own),
    'this is an upper bound',
  );
}

it('a nearer feature that may or may not count makes what was found unsure, and says why', async () => {
  const decided: number[][] = [];
  const answer = await ask({
    decides: (doubted, own) => {
      decided.push([Math.round(doubted), own]);
      return true;
    },
  });
  expect(decided).toEqual([[50, 100]]);
  expect(answer).toEqual({
    ...hundred,
    confidence: 'low',
    notes: [
      `a nearer one of the spots (source_of_somewhere) may or may not count, so this is an upper bound: ${WHY}`,
      'of the place',
    ],
  });
});

it('what was found stays where nothing asks, every feature tells, or the nearer one decides nothing', async () => {
  expect(await ask({ where: null })).toBe(hundred);
  expect(await ask({ where: parseCondition('zone is null') })).toBe(hundred);
  expect(await ask({ of: 'plain' })).toBe(hundred);
  expect(await ask({ decides: () => false })).toBe(hundred);
  // Nearer than every one in doubt.
  expect(await ask({ metres: 40 })).toBe(hundred);
});

it('where none was found, one in doubt within reach is told behind the reason, and none beyond it', async () => {
  const unsure = (said: string) => ({ ...none, confidence: 'low', notes: ['there is none', said, 'of the place'] });
  expect(await ask({ metres: null, finding: none })).toEqual(
    unsure(`one of the spots (source_of_somewhere) within that may or may not count: ${WHY}`),
  );
  expect(await ask({ metres: null, finding: none, km: 0.04 })).toBe(none);
  expect(await ask({ finding: none })).toEqual(
    unsure(`a nearer one of the spots (source_of_somewhere) may or may not count, so this is an upper bound: ${WHY}`),
  );
  expect(await ask({ finding: none, decides: () => false })).toBe(none);
});

it('two conditions of one request are each in doubt of their own', async () => {
  const ctx = openCtx();
  expect(await ask({ ctx })).not.toBe(hundred);
  expect((await ask({ ctx, where: parseCondition("wet = 'T'"), metres: 250 })).notes[0]).toContain('(wet)');
});

it('files all of whose features tell are not opened again, nor those that lie farther than what was found', async () => {
  const of = release();
  expect((await ask({ of: 'two', ctx: openCtx(of) })).confidence).toBe('low');
  expect(opened.toSorted().filter((key, i, all) => key !== all[i - 1])).toEqual(['near', 'sure']);
  expect((await ask({ of: 'two', ctx: openCtx(of) })).confidence).toBe('low');
  expect(new Set(opened)).toEqual(new Set(['near']));
  expect(await ask({ of: 'two', ctx: openCtx(of), metres: 70 })).toBe(hundred);
});

it('a file without the column that decides is a fault', async () => {
  await expect(ask({ of: 'short' })).rejects.toThrow('the file of spots:short has no column zone');
});
