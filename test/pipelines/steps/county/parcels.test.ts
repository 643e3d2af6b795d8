import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { latLngToCell } from 'h3-js';
import { afterAll, describe, expect, it } from 'vitest';
import type { Geometry } from '../../../../datasets/geometry.ts';
import type { OutputRow } from '../../../../ingest/writer.ts';
import { SpoolTable } from '../../../../ingest/writers/spool-table.ts';
import { loadEnded } from '../../../../pipelines/steps/county/ended-keys.ts';
import { loadPrevious, ORDERED } from '../../../../pipelines/steps/county/parcel-keys.ts';
import { geometryHash } from '../../../../pipelines/steps/county/parcel-shape.ts';
import { Parcels } from '../../../../pipelines/steps/county/parcels.ts';
import { loadStacks, pairStacks } from '../../../../pipelines/steps/county/stacks.ts';
import { interiorPoint } from '../../../../query/geometry/area/interior-point.ts';
import { polygonsToGeometry } from '../../../../query/geometry/geos.ts';
import { folder, square } from '../../village.ts';

const home = folder();
afterAll(() => rmSync(home, { recursive: true, force: true }));

const polygon = (...rings: number[][][]): Geometry => polygonsToGeometry([rings.map(r => Float64Array.from(r.flat()))]);
let runs = 0;

async function stored(rows: [string | null, Geometry, string | null][]) {
  const parcels = await Parcels.create(join(home, `spool${runs++}`), { county: '23019' });
  for (const [apn, geometry, id] of rows) expect(parcels.add({ properties: { apn }, geometry }, id)).toBeNull();
  const out: OutputRow[] = [];
  for await (const row of parcels.rows()) out.push(row);
  parcels.close();
  return out;
}

const A = polygon(square(-68.8, 44.8, 0.001));
const B = polygon(square(-68.7, 44.8, 0.001));
const C = polygon(square(-68.6, 44.9, 0.002));

describe('parcels', () => {
  it('get geodesic acreage, an interior point, their stack and their order', async () => {
    const rows = await stored([
      ['1', A, null],
      ['2', B, null],
      ['3', A, null],
    ]);
    expect(rows.map(r => r.properties.ord)).toEqual([0, 1, 2]);
    const first = rows.find(r => r.properties.apn === '1')!;
    // 0.001° square at 44.8005°N: 111.13 m by 79.12 m on the ellipsoid, 2.1730 acres.
    expect(first.properties.acreage).toBeCloseTo(2.173, 2);
    expect(first.properties.stack_count).toBe(2);
    expect(rows.find(r => r.properties.apn === '2')!.properties.stack_count).toBe(1);
    expect(first.properties.centroid_lon).toBeCloseTo(-68.7995, 3);
    expect(first.properties.centroid_lat).toBeCloseTo(44.8005, 3);
  });

  it('stand in order of H3 cell, then Hilbert rank, then key, whatever the order of the file', async () => {
    const rows: [string, Geometry, null][] = Array.from({ length: 40 }, (_, i) => [
      `p${i}`,
      polygon(square(-69 + (i % 8) * 0.11, 44 + Math.floor(i / 8) * 0.13, 0.001)),
      null,
    ]);
    const keys = async (r: typeof rows) => (await stored(r)).map(p => p.properties.parcel_key);
    const order = await keys(rows);
    expect(await keys([...rows].reverse())).toEqual(order);
    const cells = (await stored(rows)).map(p =>
      latLngToCell(p.properties.centroid_lat as number, p.properties.centroid_lon as number, 5),
    );
    expect(new Set(cells).size).toBeGreaterThan(5);
    expect(cells).toEqual([...cells].sort());
  });

  it('have keys from county and number; where that repeats from the object id or the shape', async () => {
    const keys = async (rows: [string | null, Geometry, string | null][]) =>
      (await stored(rows)).map(r => r.properties.parcel_key).sort();
    expect(
      await keys([
        ['7', A, '1'],
        ['8', B, '2'],
      ]),
    ).toEqual(['23019:7', '23019:8']);
    expect(
      await keys([
        ['7', A, '1'],
        ['7', B, '2'],
      ]),
    ).toEqual(['23019:7:o1', '23019:7:o2']);
    const shaped = await keys([
      ['7', A, null],
      ['7', B, null],
      [null, C, null],
    ]);
    expect(shaped).toEqual(
      [
        `23019:7:g${geometryHash(A).slice(0, 16)}`,
        `23019:7:g${geometryHash(B).slice(0, 16)}`,
        `23019::g${geometryHash(C).slice(0, 16)}`,
      ].sort(),
    );
    expect(
      await keys([
        ['7', A, null],
        ['7', A, null],
      ]),
    ).toEqual([shaped.find(k => String(k).includes(geometryHash(A).slice(0, 16))), expect.stringMatching(/:2$/)]);
  });
});

describe('the normal form of a polygon', () => {
  it('is the same however its rings are written, and another for another polygon', () => {
    const ring = square(0, 0, 1);
    const hole = square(0.2, 0.2, 0.1);
    const other = square(0.6, 0.6, 0.1);
    const turned = [...ring.slice(2, 4), ...ring.slice(0, 3)];
    const hash = geometryHash(polygon(ring, hole, other));
    expect(geometryHash(polygon(turned, other, [...hole].reverse()))).toBe(hash);
    expect(geometryHash(polygon([...ring].reverse(), hole, other))).toBe(hash);
    expect(geometryHash(polygon(ring, hole))).not.toBe(hash);
    expect(geometryHash(polygon(square(0, 0, 1.000001), hole, other))).not.toBe(hash);
  });
});

describe('the interior point', () => {
  it('lies inside a horseshoe, a thin strip and the larger part of two', () => {
    const shoe = [
      [0, 0],
      [3, 0],
      [3, 3],
      [2, 3],
      [2, 1],
      [1, 1],
      [1, 3],
      [0, 3],
      [0, 0],
    ].map(([x, y]) => [x! / 1000, y! / 1000]);
    const [x, y] = interiorPoint(polygon(shoe))!;
    expect(y < 0.001 || x < 0.001 || x > 0.002).toBe(true);
    // 10 m by 1 cm.
    const strip = [
      [0, 0],
      [1e-4, 0],
      [1e-4, 1e-7],
      [0, 1e-7],
      [0, 0],
    ];
    const [sx, sy] = interiorPoint(polygon(strip))!;
    expect(sx > 0 && sx < 1e-4 && sy > 0 && sy < 1e-7).toBe(true);
    const two = polygonsToGeometry([
      [Float64Array.from(square(10, 10, 0.1).flat())],
      [Float64Array.from(square(20, 10, 0.2).flat())],
    ]);
    expect(interiorPoint(two)![0]).toBeGreaterThan(20);
  });
});

it('orders a county without comparing every row with every other one', async () => {
  const columns = ['integer', ...Array<'string'>(4).fill('string'), 'uint32', 'integer', 'integer', 'string'] as const;
  const index = await SpoolTable.create(join(home, 'index'), columns);
  try {
    for (let i = 0; i < 3000; i++) index.add([i, `hash ${i}`, `number ${i}`, null, 'cell', i, i, 1, null]);
    index.settle();
    await loadEnded(index.connection, []);
    await loadPrevious(index.connection, [], () => {});
    await loadStacks(index.connection, []);
    await pairStacks(index.connection, [], () => ({}));
    const plan = String(
      (await index.connection.runAndReadAll(`EXPLAIN ${ORDERED}`, { county: '23009' })).getRows()[0]![1],
    );
    expect(plan).toContain('HASH_JOIN');
    expect(plan).not.toMatch(/NL_JOIN|NESTED_LOOP|CROSS_PRODUCT/);
  } finally {
    index.discard();
  }
});
