import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { describe, expect, it } from 'vitest';
import type { Column, ScalarType, Value } from '../../../datasets/dataset.ts';
import { boxOf } from '../../../datasets/geometry.ts';
import { projectRows, resolveCrs } from '../../../ingest/crs.ts';
import { openSource } from '../../../ingest/format.ts';
import { encodeWkb } from '../../../ingest/wkb.ts';
import type { OutputRow } from '../../../ingest/writer.ts';
import { createFlatGeobuf } from '../../../ingest/writers/flatgeobuf.ts';
import { createGeoParquet } from '../../../ingest/writers/geoparquet.ts';
import { FeatureFile } from '../../../query/format/flatgeobuf.ts';
import { dice, scratch } from '../../ingest/writers/samples.ts';

const data = fileURLToPath(new URL('../../../../shared/data/bangor-me/', import.meta.url));
const there = existsSync(data);
if (!there) console.warn(`skipped: the published files of Bangor are not at ${data}`);
const gdal = spawnSync('ogrinfo', ['--version']).status === 0;
const folder = scratch();

/** Column types that hold every value of the rows; `ORD` is the position in the file. */
function columnsOf(rows: readonly OutputRow[]): Record<string, Column> {
  const types: Record<string, Set<ScalarType>> = {};
  for (const { properties } of rows)
    for (const [name, value] of Object.entries(properties)) {
      types[name] ??= new Set(name === 'ORD' ? ['integer'] : []);
      if (value !== null && name !== 'ORD') types[name].add(typeof value as 'string' | 'number' | 'boolean');
    }
  return Object.fromEntries(
    Object.entries(types).map(([name, seen]) => [name, { type: seen.size === 1 ? [...seen][0]! : 'string' }]),
  );
}

async function rowsOf(path: string): Promise<OutputRow[]> {
  const source = await openSource(path);
  const crs = await resolveCrs(source.crs, path);
  const rows: OutputRow[] = [];
  for await (const batch of source.rows())
    for (const row of await projectRows(crs, batch))
      if (row.geometry?.xy.length)
        rows.push({
          geometry: row.geometry,
          properties: { ...(row.properties as Record<string, Value>), ORD: rows.length },
        });
  await source.close();
  return rows;
}

/** `ORD` of what GDAL finds in a box: by our index, or shape by shape in a format that has none. */
function listed(path: string, box: readonly string[]): number[] {
  const text = execFileSync('ogrinfo', ['-q', '-geom=NO', '-ro', path, 'layer', '-spat', ...box], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  return [...text.matchAll(/^ {2}ORD \(Integer(?:64)?\) = (\d+)$/gm)]
    .map(match => Number(match[1]))
    .sort((a, b) => a - b);
}

describe('the writers on published layers', { tags: ['published-files', 'GDAL'] }, () => {
  it.each([
    ['buildings.shp.zip', 17_690],
    ['zoning.shp.zip', 1_297],
    ['flood_zones.geojson.gz', 81],
    ['road_centerlines.geojson.gz', null],
    ['antennas.geojson', null],
  ])('write %s and read it back', async (name, count) => {
    const rows = await rowsOf(join(data, name));
    if (count !== null) expect(rows).toHaveLength(count);
    const columns = columnsOf(rows);
    const features = join(folder, `${name}.fgb`);
    const parquet = join(folder, `${name}.parquet`);
    const writers = [
      await createFlatGeobuf(features, { name: 'layer', columns }),
      await createGeoParquet(parquet, { name: 'layer', columns, geometry: true }),
    ];
    for (const row of rows) for (const writer of writers) await writer.write(row);
    for (const writer of writers) expect((await writer.finish()).rows).toBe(rows.length);

    const file = new FeatureFile(features);
    expect(file.count).toBe(rows.length);
    const empty = Object.fromEntries(Object.keys(columns).map(column => [column, null]));
    const complete = (row: OutputRow) =>
      Object.fromEntries(Object.entries({ ...empty, ...row.properties }).filter(([column]) => column in columns));
    for (let i = 0; i < file.count; i++) {
      const { geometry, properties } = file.feature(i);
      const row = rows[properties.ORD as number]!;
      expect(geometry).toEqual(row.geometry);
      expect(properties).toEqual(complete(row));
    }

    const unindexed = join(folder, `${name}.geojson`);
    if (gdal)
      execFileSync('ogr2ogr', [
        '-lco',
        'COORDINATE_PRECISION=17',
        '-nln',
        'layer',
        '-select',
        'ORD',
        unindexed,
        features,
      ]);
    const boxes = rows.map(row => boxOf(row.geometry!));
    const random = dice(2);
    for (let k = 0; k < 5; k++) {
      const near = boxes[Math.floor(random() * boxes.length)]!;
      const [x, y] = [near[0] - random() * 0.02, near[1] - random() * 0.02];
      const [right, top] = [near[2] + random() * 0.02, near[3] + random() * 0.02];
      const brute = boxes.flatMap(([a, b, c, d], ord) => (a <= right && c >= x && b <= top && d >= y ? [ord] : []));
      const found: number[] = [];
      file.search([x, y, right, top], i => {
        found.push(file.properties(i).ORD as number);
      });
      expect(found.sort((a, b) => a - b)).toEqual(brute);
      if (!gdal) continue;
      const box = [x, y, right, top].map(String);
      expect(listed(features, box).length).toBeGreaterThan(0);
      expect(listed(features, box)).toEqual(listed(unindexed, box));
    }
    file.close();

    const read = await parquetReadObjects({
      file: await asyncBufferFromFile(parquet),
      compressors,
      parsers: { geometryFromBytes: bytes => bytes?.slice() },
    });
    expect(read).toHaveLength(rows.length);
    rows.forEach((row, i) => {
      const { geometry, xmin, ymin, xmax, ymax, bbox, ORD, ...properties } = read[i]!;
      expect(Number(ORD)).toBe(i);
      expect(geometry).toEqual(encodeWkb(row.geometry!));
      expect([xmin, ymin, xmax, ymax]).toEqual([...boxes[i]!]);
      expect({ ...properties, ORD: i }).toEqual(complete(row));
      expect(bbox).toBeDefined();
    });
  });
});
