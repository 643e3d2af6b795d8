import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { describe, expect, it } from 'vitest';
import { boxOf } from '../../../datasets/geometry.ts';
import { encodeWkb } from '../../../ingest/wkb.ts';
import type { OutputRow } from '../../../ingest/writer.ts';
import { createGeoParquet, type ParquetOptions } from '../../../ingest/writers/geoparquet.ts';
import { hilbertOf } from '../../../query/geometry/hilbert.ts';
import { anyProperties, anyRow, COLUMNS, dice, geometryOf, scratch, square } from './samples.ts';

const folder = scratch();
const options: ParquetOptions = { name: 'sample', title: 'A sample', columns: COLUMNS, geometry: true };
let files = 0;

async function write(rows: readonly OutputRow[], extra: Partial<ParquetOptions> = {}): Promise<string> {
  const path = join(folder, `${files++}.parquet`);
  const writer = await createGeoParquet(path, { ...options, ...extra });
  for (const row of rows) await writer.write(row);
  await writer.finish();
  return path;
}

/** Rows as hyparquet reads them, geometry as WKB, typed values as the catalog writes them. */
async function read(path: string): Promise<Record<string, unknown>[]> {
  const file = await asyncBufferFromFile(path);
  const rows = await parquetReadObjects({
    file,
    compressors,
    parsers: { geometryFromBytes: bytes => bytes?.slice() },
  });
  return rows.map(row => ({
    ...row,
    ID: row.ID === null ? null : Number(row.ID),
    BUILT: row.BUILT === null ? null : (row.BUILT as Date).toISOString().slice(0, 10),
    SEEN: row.SEEN === null ? null : (row.SEEN as Date).toISOString(),
  }));
}

describe('createGeoParquet', () => {
  it('gives back every geometry, box and value in input order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyRow, { minLength: 1, maxLength: 30 }), async rows => {
        const found = await read(await write(rows));
        expect(found).toHaveLength(rows.length);
        rows.forEach((row, i) => {
          const { geometry, xmin, ymin, xmax, ymax, bbox, ...properties } = found[i]!;
          expect(properties).toEqual(row.properties);
          expect(geometry).toEqual(encodeWkb(row.geometry!));
          const box = boxOf(row.geometry!);
          expect([xmin, ymin, xmax, ymax]).toEqual([...box]);
          const cover = bbox as Record<'xmin' | 'ymin' | 'xmax' | 'ymax', number>;
          expect(cover.xmin <= box[0] && cover.ymin <= box[1] && cover.xmax >= box[2] && cover.ymax >= box[3]).toBe(
            true,
          );
          expect([cover.xmin, cover.ymin, cover.xmax, cover.ymax].map(Math.fround)).toEqual([
            cover.xmin,
            cover.ymin,
            cover.xmax,
            cover.ymax,
          ]);
          expect(Math.abs(cover.xmin - box[0])).toBeLessThan(2e-5);
        });
      }),
      { numRuns: 25, seed: 7 },
    );
  });

  it('writes tables without geometry', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyProperties, { minLength: 1, maxLength: 30 }), async records => {
        const path = await write(
          records.map(properties => ({ properties, geometry: null })),
          { geometry: false },
        );
        expect(await read(path)).toEqual(records);
      }),
      { numRuns: 15, seed: 7 },
    );
    const metadata = await parquetMetadataAsync(await asyncBufferFromFile(await write([], { geometry: false })));
    expect(metadata.num_rows).toBe(0n);
    expect(metadata.schema.slice(1).map(column => column.name)).toEqual(Object.keys(COLUMNS));
    expect(metadata.key_value_metadata?.some(entry => entry.key === 'geo')).toBe(false);
  });

  it('writes one geo key with covering, geospatial statistics, zstd and row groups of 10,240', async () => {
    const random = dice();
    const rows = Array.from({ length: 25_000 }, (_, i) => square(i, random() * 300 - 150, random() * 140 - 70, 1));
    const path = await write(rows);
    const metadata = await parquetMetadataAsync(await asyncBufferFromFile(path));
    expect(metadata.row_groups.map(group => Number(group.num_rows))).toEqual([10_240, 10_240, 4_520]);
    const geo = metadata.key_value_metadata!.filter(entry => entry.key === 'geo');
    expect(geo).toHaveLength(1);
    const parsed = JSON.parse(geo[0]!.value!);
    const boxes = rows.map(row => boxOf(row.geometry!));
    expect(parsed).toEqual({
      version: '1.1.0',
      primary_column: 'geometry',
      columns: {
        geometry: {
          encoding: 'WKB',
          geometry_types: ['Polygon'],
          bbox: [0, 1]
            .map(i => Math.min(...boxes.map(box => box[i]!)))
            .concat([2, 3].map(i => Math.max(...boxes.map(box => box[i]!)))),
          covering: {
            bbox: { xmin: ['bbox', 'xmin'], ymin: ['bbox', 'ymin'], xmax: ['bbox', 'xmax'], ymax: ['bbox', 'ymax'] },
          },
        },
      },
    });
    expect(metadata.key_value_metadata).toContainEqual({ key: 'title', value: 'A sample' });
    expect(metadata.schema.find(column => column.name === 'geometry')!.logical_type).toEqual({ type: 'GEOMETRY' });
    metadata.row_groups.forEach((group, g) => {
      const own = boxes.slice(g * 10_240, (g + 1) * 10_240);
      for (const column of group.columns) expect(column.meta_data!.codec).toBe('ZSTD');
      const geometry = group.columns.find(column => column.meta_data!.path_in_schema[0] === 'geometry')!.meta_data!;
      expect(geometry.geospatial_statistics!.bbox).toMatchObject({
        xmin: Math.min(...own.map(box => box[0])),
        ymax: Math.max(...own.map(box => box[3])),
      });
      const xmin = group.columns.find(column => column.meta_data!.path_in_schema.join('.') === 'xmin')!.meta_data!;
      expect(xmin.statistics!.min_value).toBe(Math.min(...own.map(box => box[0])));
    });
  });

  it('orders rows along the Hilbert curve when asked, ties as they came', async () => {
    const random = dice(9);
    const rows = Array.from({ length: 6000 }, (_, i) =>
      square(i, Math.floor(random() * 40), Math.floor(random() * 40), 1),
    );
    const found = await read(await write(rows, { order: 'hilbert' }));
    const key = (row: OutputRow) => {
      const box = boxOf(row.geometry!);
      return hilbertOf((box[0] + box[2]) / 2, (box[1] + box[3]) / 2);
    };
    const expected = [...rows].sort((a, b) => key(a) - key(b));
    expect(found.map(row => row.ID)).toEqual(expected.map(row => row.properties.ID));
  });

  it('writes the same bytes for the same rows', async () => {
    const rows = Array.from({ length: 15_000 }, (_, i) => square(i, (i * 7) % 90, (i * 13) % 80, 1));
    for (const order of ['input', 'hilbert'] as const)
      expect(readFileSync(await write(rows, { order })).equals(readFileSync(await write(rows, { order })))).toBe(true);
  });

  it('is geometry again in DuckDB, of all six types', async () => {
    const shapes = [
      geometryOf('Point', [[[1, 2]]]),
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
      geometryOf('MultiPolygon', [[[0, 0, 9, 0, 9, 9, 0, 0]], [[20, 20, 21, 20, 21, 21, 20, 20]]]),
    ];
    const path = await write(shapes.map(geometry => ({ properties: {}, geometry })));
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    const result = await connection.runAndReadAll('SELECT ST_AsText(geometry) FROM read_parquet($path)', { path });
    connection.closeSync();
    instance.closeSync();
    expect(result.getRows().flat()).toEqual([
      'POINT (1 2)',
      'MULTIPOINT (1 2, 3 4)',
      'LINESTRING (0 0, 1 1.5)',
      'MULTILINESTRING ((0 0, 1 1), (5 5, 6 6, 7 5))',
      'POLYGON ((0 0, 9 0, 9 9, 0 0), (5 1, 6 2, 6 1, 5 1))',
      'MULTIPOLYGON (((0 0, 9 0, 9 9, 0 0)), ((20 20, 21 20, 21 21, 20 20)))',
    ]);
  });

  it('writes columns that rows do not fill as the same bytes that nulls make, and refuses values in them', async () => {
    const unfilled = Object.keys(COLUMNS).slice(0, 3);
    const filled = new Set(Object.keys(COLUMNS).slice(3));
    const rows = fc.sample(anyRow, { numRuns: 50, seed: 11 });
    const without = (row: OutputRow, value: null | undefined): OutputRow => ({
      ...row,
      properties: Object.fromEntries(
        Object.entries({ ...row.properties, ...Object.fromEntries(unfilled.map(name => [name, value])) }).filter(
          ([, v]) => v !== undefined,
        ),
      ) as OutputRow['properties'],
    });
    const nulls = await write(rows.map(row => without(row, null)));
    const absent = await write(
      rows.map(row => without(row, undefined)),
      { filled },
    );
    expect(readFileSync(absent)).toEqual(readFileSync(nulls));
    const writer = await createGeoParquet(join(folder, 'unfilled.parquet'), { ...options, filled });
    const full = rows.find(row => row.properties[unfilled[0]!] !== null)!;
    expect(() => writer.write(full)).toThrow('none of those that rows were to fill');
    await writer.abort();
  });

  it('takes column and layer names that are no SQL identifiers', async () => {
    const columns = { 'a "b"; --': { type: 'string' }, 'Straße 1': { type: 'number' } } as const;
    const properties = { 'a "b"; --': "it's", 'Straße 1': 5 };
    const name = "x'); DROP TABLE rows; --";
    const path = await write([{ properties, geometry: null }], { geometry: false, columns, name });
    const file = await asyncBufferFromFile(path);
    expect(await parquetReadObjects({ file, compressors })).toEqual([properties]);
    expect((await parquetMetadataAsync(file)).key_value_metadata).toContainEqual({ key: 'name', value: name });
  });

  it('refuses columns that Parquet cannot tell apart', async () => {
    const column = { type: 'string' } as const;
    const path = join(folder, 'never.parquet');
    await expect(createGeoParquet(path, { ...options, columns: { A: column, a: column } })).rejects.toThrow(/"a"/);
    await expect(createGeoParquet(path, { ...options, columns: { BBOX: column } })).rejects.toThrow(/"BBOX"/);
    await expect(createGeoParquet(path, { ...options, columns: {}, geometry: false })).rejects.toThrow(/no columns/);
    expect(readdirSync(folder).filter(name => name.startsWith('never'))).toEqual([]);
  });

  it('refuses a row that does not fit and goes on without it', async () => {
    const path = join(folder, 'fits.parquet');
    const writer = await createGeoParquet(path, options);
    await writer.write(square(1, 0, 0, 1));
    expect(() => writer.write({ properties: { ID: 'one' }, geometry: square(1, 0, 0, 1).geometry })).toThrow(/"ID"/);
    expect(() => writer.write({ properties: {}, geometry: null })).toThrow(/no geometry/);
    await writer.write(square(2, 4, 4, 1));
    expect(await writer.finish()).toMatchObject({ rows: 2, box: [0, 0, 5, 5] });
    expect((await read(path)).map(row => row.ID)).toEqual([1, 2]);
    const table = await createGeoParquet(path, { ...options, geometry: false });
    expect(() => table.write(square(1, 0, 0, 1))).toThrow(/without one/);
    await table.abort();
  });

  it('gives back more rows than wait in memory, in their order or along the curve, in row groups of one size', async () => {
    const count = 25_000;
    const rows = Array.from({ length: count }, (_, i): OutputRow => {
      const { geometry } = square(i, ((i * 7919) % 360) - 180, ((i * 31) % 170) - 85, 0.5);
      const some: OutputRow['properties'] =
        i % 3 ? { NAME: `row ${i}`, OPEN: i % 2 === 0, SEEN: '2026-01-31T12:00:00.5Z' } : { BUILT: '1999-12-31' };
      return { properties: { ID: i, ...some }, geometry };
    });
    const wanted = (row: OutputRow) => {
      const { NAME = null, OPEN = null, SEEN, BUILT = null } = row.properties;
      return { ID: row.properties.ID, NAME, OPEN, SEEN: SEEN ? '2026-01-31T12:00:00.500Z' : null, BUILT };
    };
    const picked = ({ ID, NAME, OPEN, SEEN, BUILT }: Record<string, unknown>) => ({ ID, NAME, OPEN, SEEN, BUILT });
    const rank = ({ geometry }: OutputRow) => {
      const [minX, minY, maxX, maxY] = boxOf(geometry!);
      return hilbertOf((minX + maxX) / 2, (minY + maxY) / 2);
    };
    const sorted = rows.toSorted((a, b) => rank(a) - rank(b));
    for (const [order, expected] of [
      ['input', rows],
      ['hilbert', sorted],
    ] as const) {
      const path = await write(rows, { order });
      expect((await read(path)).map(picked)).toEqual(expected.map(wanted));
      const { row_groups } = await parquetMetadataAsync(await asyncBufferFromFile(path));
      expect(row_groups.map(group => Number(group.num_rows))).toEqual([10_240, 10_240, 4_520]);
      expect(readdirSync(folder).filter(name => join(folder, name).startsWith(path))).toEqual([
        path.slice(folder.length + 1),
      ]);
    }
  });

  it('leaves nothing when aborted, only the file when finished', async () => {
    const path = join(folder, 'aborted.parquet');
    const writer = await createGeoParquet(path, options);
    for (let i = 0; i < 5000; i++) await writer.write(square(i, 0, 0, 1));
    expect(existsSync(path)).toBe(false);
    await writer.abort();
    await writer.abort();
    expect(readdirSync(folder).filter(name => name.startsWith('aborted'))).toEqual([]);
    await expect(writer.finish()).rejects.toThrow(/finished or aborted/);
    const name = (await write([square(1, 0, 0, 1)])).slice(folder.length + 1);
    expect(readdirSync(folder).filter(entry => entry.startsWith(name))).toEqual([name]);
  });

  it('leaves nothing when it cannot finish', async () => {
    const path = join(folder, 'blocked.parquet');
    mkdirSync(join(path, 'in the way'), { recursive: true });
    const writer = await createGeoParquet(path, options);
    await writer.write(square(1, 0, 0, 1));
    await expect(writer.finish()).rejects.toThrow();
    expect(readdirSync(folder).filter(name => name.startsWith('blocked'))).toEqual(['blocked.parquet']);
    expect(readdirSync(path)).toEqual(['in the way']);
  });
});
