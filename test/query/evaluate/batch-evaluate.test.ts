import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { evaluateBatch } from '../../../query/evaluate/batch-evaluate.ts';
import { OPERATORS } from '../../../query/evaluate/operators/registry.ts';
import { createCache } from '../../../query/release/cache.ts';
import { openRelease } from '../../../query/release/open-release.ts';
import { createFixture, dataset, type Fixture, field, point } from '../release-fixture.ts';

const sites = dataset(
  'sites',
  {
    main: {
      kind: 'vector',
      geometry: 'point',
      joinKey: 'ID',
      columns: { ID: { type: 'string' }, SIZE: { type: 'number' } },
      partition: 'national',
    },
  },
  {
    size: field('nearest_attr(sites, SIZE, max_km=50)'),
    twice: field('derived(expr[a * 2], a=@size)'),
    thrice: field('derived(expr[a * 3], a=@size)'),
    inner: field('derived(expr[a + b], a=nearest_distance(sites, max_km=50), b=nearest_distance(sites, max_km=50))'),
    lost: field('derived(expr[a + b], a=@size, b=@gone)'),
    gone: field('nearest_distance(missing, max_km=1)'),
  },
);
const missing = dataset('missing', {
  main: { kind: 'vector', geometry: 'point', joinKey: null, columns: {}, partition: 'national' },
});
const points = [0, 1, 2, 3].map(i => ({ lng: -100 + i / 100, lat: 40 }));

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture([sites, missing], {
    sites: {
      main: [
        { features: points.map(({ lng, lat }, i) => ({ geometry: point(lng, lat + 0.001), ID: `${i}`, SIZE: i + 1 })) },
      ],
    },
  });
});
afterAll(() => fixture.remove());

const ask = (names: string[], cache = createCache(16)) =>
  evaluateBatch(names, points, { release: openRelease(fixture.home), catalog: fixture.catalog, cache });

describe('evaluateBatch', () => {
  it('answers every field at every point, in order, by the names asked for', async () => {
    const found = await ask(['thrice', 'size', 'twice']);
    expect([...found.keys()]).toEqual(['thrice', 'size', 'twice']);
    expect(found.get('size')!.map(f => f.value)).toEqual([1, 2, 3, 4]);
    expect(found.get('twice')!.map(f => f.value)).toEqual([2, 4, 6, 8]);
    expect(found.get('thrice')!.map(f => f.value)).toEqual([3, 6, 9, 12]);
  });

  it('computes an input once a batch, and equal nested calls once', async () => {
    const bulk = vi.spyOn(OPERATORS.get('nearest_attr')!, 'bulk');
    const nested = vi.spyOn(OPERATORS.get('nearest_distance')!, 'bulk');
    try {
      await ask(['twice', 'thrice', 'size', 'inner']);
      expect(bulk).toHaveBeenCalledTimes(1);
      expect(nested).toHaveBeenCalledTimes(1);
    } finally {
      bulk.mockRestore();
      nested.mockRestore();
    }
  });

  it('fails a field and what depends on it, and no other', async () => {
    const found = await ask(['gone', 'lost', 'size']);
    expect(found.get('gone')!.map(f => f.status)).toEqual(['failed', 'failed', 'failed', 'failed']);
    expect(found.get('lost')![3]!.error).toContain(
      'from which it is calculated, failed: data of missing is not installed',
    );
    expect(found.get('size')!.map(f => f.status)).toEqual(['ok', 'ok', 'ok', 'ok']);
  });

  it('lets files go that were pushed out of the cache', async () => {
    const cache = createCache(16);
    const close = vi.fn();
    cache.set('leaving', { close }, 1000);
    cache.set('filling', {}, cache.capacity);
    expect(close).not.toHaveBeenCalled();
    await ask(['size'], cache);
    expect(close).toHaveBeenCalledOnce();
  });
});
