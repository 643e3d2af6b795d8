import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Box, boxOf, type Geometry } from '../../../../datasets/geometry.ts';
import { type Condition, parseCondition } from '../../../../datasets/grammar/condition.ts';
import type { Context } from '../../../../query/evaluate/context.ts';
import { openPoint } from '../../../../query/evaluate/evaluate.ts';
import {
  anyRejected,
  groundAt,
  keepsRejected,
  type Rejected,
  rejectedAbout,
  rejectedAt,
  rejectedFor,
  rejectedNear,
  rejectedOn,
} from '../../../../query/evaluate/rejected/rejected.ts';
import { type Search, searchOf } from '../../../../query/evaluate/vector/vector-search.ts';
import { createCache } from '../../../../query/release/cache.ts';
import { Layers } from '../../../../query/release/layers.ts';
import { LayerLists } from '../../../../query/release/lists/layer-lists.ts';
import { PartitionSet } from '../../../../query/release/lists/partition-set.ts';
import { openRelease } from '../../../../query/release/open-release.ts';
import { createFixture, dataset, type Fixture, line, point, rectangle } from '../../release-fixture.ts';

const columns = { id: { type: 'string' }, zone: { type: 'string' }, wet: { type: 'string' } } as const;
const polygons = { kind: 'vector', geometry: 'polygon', joinKey: 'id', partition: 'county', columns } as const;
const points = { ...polygons, geometry: 'point' } as const;
const table = {
  kind: 'table',
  key: { column: 'fips', is: 'county_fips' },
  partition: 'national',
  columns: { fips: { type: 'string' }, people: { type: 'string' }, year: { type: 'string' } },
} as const;
const sourceOf = (layer: string, of = 'things') => ({ dataset: of, layer, where: null });

/** An L whose box holds more than it does. */
const corner: Geometry = {
  type: 'Polygon',
  xy: Float64Array.of(30, 40, 30.1, 40, 30.1, 40.01, 30.01, 40.01, 30.01, 40.1, 30, 40.1, 30, 40),
  ends: Uint32Array.of(7),
  parts: Uint32Array.of(1),
};
const several: Geometry = {
  ...point(0, 0),
  type: 'MultiPoint',
  xy: Float64Array.of(9, 9, 32.5, 40.5),
  ends: Uint32Array.of(2),
};
const square = (x: number, y: number, size = 0.01) => rectangle([x, y, x + size, y + size]);

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture(
    [
      dataset('things', { main: polygons, clean: polygons, spots: points, table: table as never }),
      dataset('parcel_store', { main: polygons }),
    ],
    {
      things: {
        main: [
          { key: 'a', place: 'first', features: [] },
          {
            key: 'b',
            place: 'second',
            features: [],
            rejected: [
              { geometry: square(10, 40), reason: 'a bow-tie', zone: 'AE', wet: 'T' },
              { geometry: square(20, 40), reason: 'dry', zone: 'X', wet: 'F' },
              { geometry: square(20, 41), reason: 'half said', zone: 'X' },
              { reason: 'nowhere', zone: 'AE', wet: 'T' },
              { geometry: corner, reason: 'an L', zone: 'AE', wet: 'T' },
              { geometry: square(32, 40), reason: 'second of two', zone: 'AE', wet: 'T' },
              ...Array.from({ length: 6 }, (_, i) => ({ geometry: square(35, 40), reason: `one of many ${i}` })),
            ],
          },
          {
            key: 'c',
            place: 'third',
            features: [],
            rejected: [
              { geometry: square(32.001, 40.02), reason: 'first of two', zone: 'AE', wet: 'T' },
              { geometry: square(10, 42), reason: 'of the third', zone: 'AE', wet: 'T' },
            ],
          },
        ],
        clean: [{ features: [] }],
        spots: [
          {
            features: [],
            rejected: [
              { geometry: point(32.5, 40.5), reason: 'a bad date' },
              { geometry: several, reason: 'bad dates' },
              { geometry: line([33, 40], [34, 40]), reason: 'a line' },
            ],
          },
        ],
        table: [
          {
            rows: [],
            rejected: [
              { fips: '01', people: '5', year: '2020', reason: 'too few' },
              { fips: '02', people: '5', reason: 'no year' },
              { people: '5', reason: 'no key' },
            ],
          },
        ],
      },
      parcel_store: {
        main: [
          {
            features: [],
            rejected: [{ geometry: square(10, 40), reason: 'a bow-tie' }],
            ground: [
              { geometry: corner, kind: 'road', number: 'US-2' },
              { geometry: square(40, 40), kind: 'water', number: null },
            ],
          },
          { key: 'bare', place: 'bare', features: [] },
        ],
      },
    },
  );
});
afterAll(() => fixture.remove());

/** Roles of the files beside partitions that were opened. */
let opened: string[] = [];
function at(lng: number, lat: number): Context {
  const release = openRelease(fixture.home);
  const layers = new Layers(release, createCache(64));
  const beside = layers.beside.bind(layers);
  opened = [];
  layers.beside = (partition, role) => {
    opened.push(`${partition.key} ${role}`);
    return beside(partition, role);
  };
  const evaluation = { release, catalog: fixture.catalog, cache: createCache(64), deadline: Date.now() + 60_000 };
  return openPoint({ lng, lat }, evaluation, layers).ctx;
}
const where = (text: string): Condition => parseCondition(text);
const AE = where("zone = 'AE'");
const WET = where("wet = 'T'");
const searchFor = async (ctx: Context, layer: string, of = 'things'): Promise<Search> =>
  searchOf(ctx, sourceOf(layer, of), null);

async function near(lng: number, lat: number, metres: number, condition: Condition | null = null, of = 'things') {
  const ctx = at(lng, lat);
  return rejectedNear(ctx, sourceOf('main', of), await searchFor(ctx, 'main', of), condition, metres);
}
async function here(lng: number, lat: number, condition: Condition | null = null) {
  const ctx = at(lng, lat);
  return (await rejectedAt(ctx, sourceOf('main'), await searchFor(ctx, 'main'), condition))?.reason ?? null;
}
async function on(geometry: Geometry, layer = 'main', condition: Condition | null = null, boxes?: readonly Box[]) {
  const ctx = at(0, 0);
  const ground = { geometry, box: boxOf(geometry), ...(boxes ? { boxes } : {}) };
  return (await rejectedOn(ctx, sourceOf(layer), await searchFor(ctx, layer), condition, ground))?.reason ?? null;
}

describe('whether rows were rejected', () => {
  it('is told of a layer where one of its places has some', () => {
    const release = openRelease(fixture.home);
    expect(anyRejected(release.layer('things', 'main'))).toBe(true);
    expect(anyRejected(release.layer('things', 'clean'))).toBe(false);
    expect(anyRejected(null)).toBe(false);
    expect(
      LayerLists.of(release.layer('things', 'main')!).all.flatMap(({ partitions }) => partitions.map(keepsRejected)),
    ).toEqual([false, true, true]);
  });

  it('is looked for beside those alone that have some, of those that are searched', async () => {
    const ctx = at(10.005, 40.005);
    const search = await searchFor(ctx, 'main');
    expect((await rejectedAt(ctx, sourceOf('main'), search, null))?.reason).toContain('a bow-tie');
    expect(opened).toEqual(['b rejected', 'c rejected']);
    const second = search.partitions.all[1]!;
    const asked = (of: Partial<Search>) => rejectedAt(ctx, sourceOf('main'), { ...search, ...of }, null);
    expect(await asked({ partitions: search.partitions.without([second]) })).toBeNull();
    expect(await asked({ at: { ...search.at, isLeftOut: part => part.key === 'b' } })).toBeNull();
    expect(await asked({ at: { ...search.at, isLeftOut: part => part.key === 'c' } })).not.toBeNull();
    expect(await asked({ partitions: PartitionSet.from([second]) })).not.toBeNull();
  });

  it('opens no file whose ground lies elsewhere', async () => {
    const folder = join(fixture.home, 'releases');
    const manifest = JSON.parse(readFileSync(join(folder, 'r1.json'), 'utf8'));
    const files = manifest.datasets.things.main.partitions[1].files as { role: string; box?: Box }[];
    const publish = (id: string) => writeFileSync(join(folder, 'current'), `${id}\n`);
    const rewrite = (box: Box) => {
      for (const file of files) file.box = file.role === 'rejected' ? box : [-180, -90, 180, 90];
      manifest.id = `r${box[0]}`;
      writeFileSync(join(folder, `${manifest.id}.json`), JSON.stringify(manifest));
      publish(manifest.id);
    };
    try {
      rewrite([10, 40, 36, 42]);
      expect(await here(10.005, 40.005)).toContain('a bow-tie');
      rewrite([11, 40, 36, 42]);
      expect(await here(10.005, 40.005)).toBeNull();
      expect(opened).toEqual(['c rejected']);
      // One of two boxes that lie in it will do.
      expect(
        await on(square(10, 40), 'main', null, [
          [0, 0, 1, 1],
          [11, 40, 12, 41],
        ]),
      ).toBeNull();
      expect(opened).toEqual(['b rejected', 'c rejected']);
    } finally {
      publish('r1');
    }
  });
});

describe('the nearest rejected row', () => {
  it('is told with how far it is, or that it is here', async () => {
    const beside = await near(10.0101, 40.005, 100);
    expect(beside).toMatchObject({ partition: { key: 'b' } });
    expect(beside!.metres).toBeCloseTo(8.5, 1);
    expect(beside!.reason).toBe(
      `one of the things (source_of_second) ${beside!.metres.toFixed(1)} m away was rejected: a bow-tie`,
    );
    expect(await near(10.005, 40.005, 100)).toMatchObject({
      metres: 0,
      reason: 'one of the things (source_of_second) here was rejected: a bow-tie',
    });
    expect(await near(10.0101, 40.005, 8)).toBeNull();
    expect(await near(0, 0, 1_000)).toBeNull();
  });

  it('is the parcel where parcels are asked for', async () => {
    expect((await near(10.005, 40.005, 100, null, 'parcel_store'))!.reason).toBe(
      'the parcel here was rejected: a bow-tie',
    );
  });

  it('meets the condition or lacks a value that would tell', async () => {
    expect((await near(20.005, 40.005, 10, AE))?.reason ?? null).toBeNull();
    expect((await near(20.005, 40.005, 10, where("zone = 'X'")))!.reason).toContain('dry');
    expect((await near(20.005, 40.005, 10, WET))?.reason ?? null).toBeNull();
    expect((await near(20.005, 41.005, 10, WET))!.reason).toContain('half said');
    expect((await near(20.005, 41.005, 10, where("zone = 'AE' and wet = 'T'")))!.reason).toContain('half said');
    expect((await near(20.005, 40.005, 10, where("zone = 'AE' and wet = 'T'")))?.reason ?? null).toBeNull();
  });

  it('is the nearest of all places', async () => {
    expect((await near(32.005, 40.0105, 5_000))!.reason).toContain('second of two');
    expect((await near(32.005, 40.0195, 5_000))!.reason).toContain('first of two');
  });

  it('is the first of its file where several are as near', async () => {
    expect((await near(35.005, 40.005, 10))!.reason).toContain('one of many 0');
    expect((await near(35.0101, 40.005, 100))!.reason).toContain('one of many 0');
  });
});

describe('rejected rows at a point', () => {
  it('are polygons that hold it and may be asked for', async () => {
    expect(await here(30.005, 40.05)).toContain('an L');
    expect(await here(30.05, 40.05)).toBeNull();
    expect(await here(20.005, 40.005, WET)).toBeNull();
    expect(await here(20.005, 41.005, WET)).toContain('half said');
    expect(await here(0, 0)).toBeNull();
  });

  it('are all about a box, once however many boxes they meet', async () => {
    const ctx = at(0, 0);
    const search = await searchFor(ctx, 'main');
    const about = async (...boxes: Box[]) =>
      (await rejectedAbout(ctx, sourceOf('main'), search, AE, boxes)).map(({ rejected }) => rejected);
    expect(await about([10, 40, 10.02, 40.02], [10.005, 40, 11, 42.005])).toEqual([
      { reason: expect.stringContaining('here was rejected: a bow-tie'), partition: expect.anything(), metres: 0 },
      { reason: expect.stringContaining('here was rejected: of the third'), partition: expect.anything(), metres: 0 },
    ]);
    expect(await about([0, 0, 1, 1])).toEqual([]);
  });
});

describe('rejected rows on some ground', () => {
  it('are polygons that share more of it than a sliver', async () => {
    expect(await on(square(9.995, 40))).toContain('a bow-tie');
    // Side by side, and a strip of a tenth of a meter for two.
    expect(await on(square(9.99, 40))).toBeNull();
    expect(await on(rectangle([9.99, 40, 10 + 1e-9, 40.01]))).toBeNull();
    expect(await on(rectangle([9.99, 40, 10 + 1e-7, 40.01]))).toContain('a bow-tie');
    expect(await on(square(20, 40), 'main', WET)).toBeNull();
    expect(await on(square(20, 40))).toContain('dry');
    // Their boxes meet, and nothing else of them does.
    expect(await on(square(30.05, 40.05))).toBeNull();
  });

  it('are looked for in all boxes of it', async () => {
    expect(await on(square(10, 40), 'main', null, [[10, 40, 10.01, 40.01]])).toContain('a bow-tie');
    expect(await on(square(10, 40), 'main', null, [[50, 40, 51, 41]])).toBeNull();
  });

  it('are points in it, one of several, and no lines', async () => {
    expect(await on(square(32.495, 40.495), 'spots')).toContain('a bad date');
    expect(await on(square(8.995, 8.995), 'spots')).toContain('bad dates');
    expect(await on(rectangle([32.4, 40.4, 32.6, 40.6], [32.49, 40.49, 32.51, 40.51]), 'spots')).toBeNull();
    expect(await on(square(33.5, 39.995), 'spots')).toBeNull();
  });
});

it('a rejected row of a table is that of the key, where the condition may ask for it', async () => {
  const ctx = at(0, 0);
  const search = await searchFor(ctx, 'table');
  const row = async (value: string, condition: Condition | null = null) =>
    (await rejectedFor(ctx, sourceOf('table'), search, condition, { column: 'fips', value })) as Rejected | null;
  expect(await row('01')).toMatchObject({
    reason: 'the row for 01 of things:table (source_of_somewhere) was rejected: too few',
    partition: { key: 'US' },
    metres: 0,
  });
  expect((await row('02'))!.reason).toContain('no year');
  expect(await row('03')).toBeNull();
  expect((await row(''))!.reason).toContain('no key');
  expect((await row('01', where("year = '2020'")))!.reason).toContain('too few');
  expect(await row('01', where("year = '2021'"))).toBeNull();
  expect((await row('02', where("year = '2021'")))!.reason).toContain('no year');
  expect((await row('02', where("year = '2021' and people = '5'")))!.reason).toContain('no year');
});

it('ground that is no parcel is told with its kind and number', async () => {
  const words = async (lng: number, lat: number) => {
    const ctx = at(lng, lat);
    return groundAt(ctx, await searchFor(ctx, 'main', 'parcel_store'));
  };
  expect(await words(30.005, 40.05)).toBe('a road of the parcel file (US-2)');
  expect(opened).toEqual(['US ground']);
  expect(await words(40.005, 40.005)).toBe('water of the parcel file');
  expect(await words(30.05, 40.05)).toBeNull();
  const ctx = at(40.005, 40.005);
  expect(await groundAt(ctx, await searchFor(ctx, 'main'))).toBeNull();
  expect(opened).toEqual([]);
});
