import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { deserialize } from 'flatgeobuf/lib/mjs/geojson.js';
import { describe, expect, it } from 'vitest';
import { boxOf, type Geometry } from '../../../datasets/geometry.ts';
import type { OutputRow, WriterOptions } from '../../../ingest/writer.ts';
import { FeatureTable } from '../../../ingest/writers/feature-table.ts';
import { createFlatGeobuf } from '../../../ingest/writers/flatgeobuf.ts';
import type { FeatureOptions } from '../../../ingest/writers/row.ts';
import { FeatureFile } from '../../../query/format/flatgeobuf.ts';
import { hilbertOf } from '../../../query/geometry/hilbert.ts';
import { anyRow, COLUMNS, dice, geometryOf, scratch, square } from './samples.ts';

const folder = scratch();
const options: WriterOptions = { name: 'sample', title: 'A sample', description: 'Squares', columns: COLUMNS };
let files = 0;

async function write(rows: readonly OutputRow[], extra: Partial<FeatureOptions> = {}): Promise<string> {
  const path = join(folder, `${files++}.fgb`);
  const writer = await createFlatGeobuf(path, { ...options, ...extra });
  for (const row of rows) await writer.write(row);
  await writer.finish();
  return path;
}

function withFile<T>(path: string, work: (file: FeatureFile) => T): T {
  const file = new FeatureFile(path);
  try {
    return work(file);
  } finally {
    file.close();
  }
}

describe('createFlatGeobuf', () => {
  it('gives back every geometry and value in input order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyRow, { maxLength: 40 }), async rows => {
        const path = await write(rows, { order: 'input' });
        withFile(path, file => {
          expect(file.count).toBe(rows.length);
          rows.forEach((row, i) => {
            expect(file.feature(i)).toEqual(row);
          });
        });
      }),
      { numRuns: 60, seed: 7 },
    );
  });

  it('orders features along the Hilbert curve of the world, ties as they came', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyRow, { minLength: 1, maxLength: 40 }), async rows => {
        const twice = [...rows, ...rows].map((row, i) => ({ ...row, properties: { ...row.properties, ID: i } }));
        const path = await write(twice);
        const keys = withFile(path, file =>
          Array.from({ length: file.count }, (_, i) => {
            const [minX, minY, maxX, maxY] = file.box(i);
            return [hilbertOf((minX + maxX) / 2, (minY + maxY) / 2), file.properties(i).ID as number] as const;
          }),
        );
        expect(keys).toEqual([...keys].sort((a, b) => a[0] - b[0] || a[1] - b[1]));
        expect(new Set(keys.map(([, id]) => id)).size).toBe(twice.length);
      }),
      { numRuns: 20, seed: 7 },
    );
  });

  it('is read by the flatgeobuf package', async () => {
    const rows = [square(1, 10, 20, 1), square(2, -30, 40, 2), square(3, 50, -60, 3)];
    const bytes = new Uint8Array(readFileSync(await write(rows, { order: 'input' })));
    const found: unknown[] = [];
    for await (const feature of deserialize(bytes)) found.push(feature);
    expect(found).toMatchObject([
      { properties: { ID: 1, NAME: '№ 1' } },
      { properties: { ID: 2, BUILT: '1969-07-20' }, geometry: { type: 'Polygon' } },
      { properties: { ID: 3, ACRES: 0.75, OPEN: false } },
    ]);
    const near: unknown[] = [];
    for await (const feature of deserialize(bytes, { rect: { minX: -31, minY: 39, maxX: -29, maxY: 41 } }))
      near.push(feature);
    expect(near).toMatchObject([{ properties: { ID: 2 } }]);
  });

  it('writes the same bytes for the same rows', async () => {
    const random = dice();
    const rows = Array.from({ length: 500 }, (_, i) => square(i, random() * 300 - 150, random() * 160 - 80, 0.5));
    expect(readFileSync(await write(rows)).equals(readFileSync(await write(rows)))).toBe(true);
  });

  it('writes an empty layer that can be read', async () => {
    const path = await write([]);
    withFile(path, file => {
      expect(file.count).toBe(0);
      expect(file.columns).toEqual(Object.keys(COLUMNS));
      file.search([-180, -90, 180, 90], () => expect.unreachable());
    });
  });

  it('copies more features than fit one buffer', async () => {
    const rows = Array.from({ length: 40 }, (_, i) => {
      const xy = Float64Array.from({ length: 40_000 }, (_, k) => (i * 7 + k) % 80);
      return {
        properties: { ID: i },
        geometry: { ...geometryOf('LineString', [[[0, 0]]]), xy, ends: Uint32Array.of(20_000) },
      };
    });
    for (const order of ['input', 'hilbert'] as const)
      withFile(await write(rows, { order }), file => {
        for (let i = 0; i < file.count; i++) {
          const { geometry, properties } = file.feature(i);
          expect(geometry).toEqual(rows[properties.ID as number]!.geometry);
        }
      });
  });

  it.each<[string, OutputRow, RegExp]>([
    ['no geometry', { properties: {}, geometry: null }, /no geometry/],
    ['an empty geometry', { properties: {}, geometry: geometryOf('Polygon', []) }, /is empty/],
    [
      'a coordinate NaN',
      { properties: {}, geometry: geometryOf('Polygon', [[[0, 0, 1, 0, Number.NaN, 1, 0, 0]]]) },
      /no finite number/,
    ],
    ['another kind', { properties: {}, geometry: geometryOf('Point', [[[1, 2]]]) }, /layer holds polygons/],
    [
      'ends beyond the vertices',
      { properties: {}, geometry: { ...square(0, 0, 0, 1).geometry!, ends: Uint32Array.of(9) } },
      /contradicts itself/,
    ],
    [
      'a number as text',
      { ...square(0, 0, 0, 1), properties: { ACRES: '1' } },
      /"ACRES" is "1"; expected a finite number/,
    ],
    ['an infinite number', { ...square(0, 0, 0, 1), properties: { ACRES: Infinity } }, /finite/],
    ['a fraction', { ...square(0, 0, 0, 1), properties: { ID: 1.5 } }, /whole number/],
    ['a day that is none', { ...square(0, 0, 0, 1), properties: { BUILT: '2023-02-29' } }, /calendar date/],
    ['day 29 of a century', { ...square(0, 0, 0, 1), properties: { BUILT: '1900-02-29' } }, /calendar date/],
    ['month 13', { ...square(0, 0, 0, 1), properties: { BUILT: '1900-13-01' } }, /calendar date/],
    ['hour 24', { ...square(0, 0, 0, 1), properties: { SEEN: '2023-01-01T24:00:00Z' } }, /UTC/],
    ['a timestamp without Z', { ...square(0, 0, 0, 1), properties: { SEEN: '2023-01-01T00:00:00' } }, /UTC/],
    ['an unknown column', { ...square(0, 0, 0, 1), properties: { COLOUR: 'red' } }, /"COLOUR" is not in the layer/],
  ])('refuses a row with %s and goes on without it', async (_, row, message) => {
    const path = join(folder, `${files++}.fgb`);
    const writer = await createFlatGeobuf(path, { ...options, geometryType: 'polygon' });
    await writer.write(square(1, 0, 0, 1));
    expect(() => writer.write(row)).toThrow(message);
    await writer.write(square(2, 5, 5, 1));
    expect(await writer.finish()).toMatchObject({ rows: 2, box: [0, 0, 6, 6] });
    withFile(path, file => expect(file.properties(1).ID).toBe(2));
  });

  it('shows nothing before it is finished, and leaves nothing when aborted', async () => {
    const path = join(folder, 'aborted.fgb');
    const writer = await createFlatGeobuf(path, options);
    await writer.write(square(1, 0, 0, 1));
    expect(existsSync(path)).toBe(false);
    await writer.abort();
    await writer.abort();
    expect(readdirSync(folder).filter(name => name.startsWith('aborted'))).toEqual([]);
    expect(() => writer.write(square(2, 0, 0, 1))).toThrow(/finished or aborted/);
    await expect(writer.finish()).rejects.toThrow(/finished or aborted/);
  });

  it('leaves nothing when it cannot finish', async () => {
    const path = join(folder, 'blocked.fgb');
    mkdirSync(join(path, 'in the way'), { recursive: true });
    const writer = await createFlatGeobuf(path, options);
    await writer.write(square(1, 0, 0, 1));
    await expect(writer.finish()).rejects.toThrow();
    expect(readdirSync(folder).filter(name => name.startsWith('blocked'))).toEqual(['blocked.fgb']);
    expect(readdirSync(path)).toEqual(['in the way']);
  });

  it('keeps 48 bytes a feature in memory, twice that while it grows', () => {
    const table = new FeatureTable();
    for (let i = 0; i < 300_000; i++) table.add(i, i * 100, 100, [0, 0, 1, 1]);
    const arrays = Object.values(table).filter(value => ArrayBuffer.isView(value));
    expect(arrays).toHaveLength(4);
    expect(arrays.reduce((sum, array) => sum + array.byteLength, 0)).toBeLessThanOrEqual(2 * 48 * 300_000);
  });

  it('leaves only the file when finished', async () => {
    const path = await write([square(1, 0, 0, 1)]);
    const name = path.slice(folder.length + 1);
    expect(readdirSync(folder).filter(entry => entry.startsWith(name))).toEqual([name]);
  });
});

/** GeoJSON coordinates as ogr2ogr writes them, for comparison. */
function coordinates({ type, xy, ends, parts }: Geometry): unknown {
  const pairs = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => [xy[(from + i) * 2], xy[(from + i) * 2 + 1]]);
  const lists = Array.from(ends, (end, i) => pairs(i ? ends[i - 1]! : 0, end));
  if (type === 'Point') return lists[0]![0];
  if (type === 'MultiPoint' || type === 'LineString') return lists[0];
  if (type === 'MultiPolygon') return Array.from(parts, (end, i) => lists.slice(i ? parts[i - 1] : 0, end));
  return lists;
}

describe('createFlatGeobuf, read by GDAL', { tags: ['GDAL'] }, () => {
  const read = (path: string, ...args: string[]) =>
    JSON.parse(
      execFileSync(
        'ogr2ogr',
        ['-f', 'GeoJSON', '-lco', 'COORDINATE_PRECISION=17', '-lco', 'RFC7946=NO', '/vsistdout/', path, ...args],
        {
          encoding: 'utf8',
          maxBuffer: 1 << 28,
        },
      ),
    ).features as { properties: Record<string, unknown>; geometry: { type: string; coordinates: unknown } }[];

  it('answers box queries as brute force does', async () => {
    const random = dice(3);
    const rows = Array.from({ length: 3000 }, (_, i) => square(i, random() * 20 - 80, random() * 20 + 30, random()));
    const path = await write(rows);
    for (let k = 0; k < 8; k++) {
      const [x, y] = [random() * 20 - 80, random() * 20 + 30];
      const [right, top] = [x + random() * 4, y + random() * 4];
      const found = read(path, '-spat', ...[x, y, right, top].map(String)).map(feature => feature.properties.ID);
      const expected = rows.filter(row => {
        const box = boxOf(row.geometry!);
        return box[0] <= right && box[2] >= x && box[1] <= top && box[3] >= y;
      });
      expect(new Set(found)).toEqual(new Set(expected.map(row => row.properties.ID)));
      expect(found).toHaveLength(expected.length);
    }
  });

  it('has equal values and coordinates, and says what it is', async () => {
    const shapes: Geometry[] = [
      geometryOf('Point', [[[-68.77, 44.8]]]),
      geometryOf('MultiPoint', [[[1, 2, 3, 4]]]),
      geometryOf('LineString', [[[0, 0, 1, 1.5]]]),
      geometryOf('MultiLineString', [
        [
          [0, 0, 1, 1],
          [5, 5, 6, 6, 7, 5],
        ],
      ]),
      geometryOf('Polygon', [
        [
          [0, 0, 9, 0, 9, 9, 0, 0],
          [5, 1, 6, 2, 6, 1, 5, 1],
        ],
      ]),
      geometryOf('MultiPolygon', [
        [
          [0, 0, 9, 0, 9, 9, 0, 0],
          [5, 1, 6, 2, 6, 1, 5, 1],
        ],
        [[20, 20, 21, 20, 21, 21, 20, 20]],
      ]),
    ];
    const rows = shapes.map((geometry, i) => ({ ...square(i, 0, 0, 1), geometry }));
    const found = read(await write(rows, { order: 'input' }));
    expect(found.map(feature => feature.geometry)).toEqual(
      shapes.map(shape => ({ type: shape.type, coordinates: coordinates(shape) })),
    );
    expect(found.map(feature => feature.properties)).toEqual(
      // Null is "unset" in FlatGeobuf, and GDAL leaves unset fields out.
      rows.map(({ properties: { SEEN, ...set } }) => ({ ...set, BUILT: '1969-07-20T00:00:00' })),
    );
  });

  it('reports layer, type, extent and CRS', async () => {
    const info = execFileSync('ogrinfo', ['-so', await write([square(1, 3, 4, 1)]), 'sample'], { encoding: 'utf8' });
    expect(info).toMatch(/Geometry: Polygon/);
    expect(info).toMatch(/Extent: \(3\.0+, 4\.0+\) - \(4\.0+, 5\.0+\)/);
    expect(info).toMatch(/ID\["EPSG",4326\]/);
    expect(info).toMatch(/BUILT: DateTime/);
    const mixed = await write([
      square(1, 3, 4, 1),
      { properties: {}, geometry: geometryOf('MultiPolygon', [[[0, 0, 1, 0, 1, 1, 0, 0]]]) },
    ]);
    expect(execFileSync('ogrinfo', ['-so', mixed, 'sample'], { encoding: 'utf8' })).toMatch(/Geometry: Unknown/);
  });
});
