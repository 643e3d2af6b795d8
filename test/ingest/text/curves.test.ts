import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { describe, expect, it } from 'vitest';
import { openSource } from '../../../ingest/format.ts';
import { readRows, scratch } from '../readers/scratch.ts';

const write = scratch();

// `ogr2ogr -f FlatGeobuf -nlt GEOMETRY` (GDAL 3.6) of a MULTISURFACE, a MULTICURVE, a CIRCULARSTRING and a COMPOUNDCURVE.
const FILE = join(import.meta.dirname, 'curves.fgb');

it('curves of FlatGeobuf become lines through their own points', async () => {
  const rows = await readRows(FILE);
  expect(rows.map(({ geometry, unread }) => [geometry?.type, unread])).toEqual([
    ['MultiPolygon', undefined],
    ['MultiLineString', undefined],
    ['LineString', undefined],
    ['LineString', undefined],
  ]);
  const [, , arc, compound] = rows.map(row => row.geometry!.xy);
  for (const xy of [arc!, compound!])
    for (let i = 0; i < 362; i += 2) expect(Math.hypot(xy[i]! - 1, xy[i + 1]!)).toBeCloseTo(1, 12);
  expect([...arc!.slice(0, 2), ...arc!.slice(-2)]).toEqual([0, 0, 2, 0]);
  expect([...compound!.slice(-4)]).toEqual([2, 0, 3, 0]);
});

describe('a GEOMETRY column of Parquet', () => {
  it.each(['NONE', 'V1'])('is read with GEOPARQUET_VERSION %s', async version => {
    const path = write(`native-${version}.parquet`, '');
    const db = await (await DuckDBInstance.create()).connect();
    await db.run(
      `COPY (SELECT 7 AS id, 'POINT (-68.5 44.25)'::GEOMETRY AS shape) TO '${path}' (FORMAT parquet, GEOPARQUET_VERSION '${version}')`,
    );
    db.closeSync();
    const source = await openSource(path);
    expect([source.crs, source.columns]).toEqual(['OGC:CRS84', ['id']]);
    await source.close();
    const [row] = await readRows(path);
    expect([row!.properties, [...row!.geometry!.xy]]).toEqual([{ id: 7 }, [-68.5, 44.25]]);
  });

  it('has the CRS that its type states', async () => {
    const path = write('native-crs.parquet', '');
    const db = await (await DuckDBInstance.create()).connect();
    const names = { id: { authority: 'EPSG', code: 26919 }, type: 'ProjectedCRS', name: 'NAD83 / UTM zone 19N' };
    await db.run(
      `COPY (SELECT 7 AS id, 'POINT (500000 4900000)'::GEOMETRY('${JSON.stringify(names)}') AS shape) TO '${path}' (FORMAT parquet, GEOPARQUET_VERSION 'NONE')`,
    );
    db.closeSync();
    const source = await openSource(path);
    expect(source.crs).toBe('EPSG:26919');
    await source.close();
  });

  it('of the type GEOGRAPHY has edges on a sphere', async () => {
    const path = write('geography.parquet', '');
    const db = await (await DuckDBInstance.create()).connect();
    await db.run(
      `COPY (SELECT 'LINESTRING (-110 40, -109 40)'::GEOMETRY AS shape) TO '${path}' (FORMAT parquet, GEOPARQUET_VERSION 'NONE')`,
    );
    db.closeSync();
    // DuckDB writes no GEOGRAPHY: in the footer, the type of the column is the field 17 of a union (written doubled), and GEOGRAPHY is 18.
    const bytes = readFileSync(path);
    const type = bytes.indexOf('shape') + 'shape'.length;
    expect([...bytes.subarray(type, type + 3)]).toEqual([0x6c, 0x0c, 2 * 17]);
    bytes[type + 2] = 2 * 18;
    writeFileSync(path, bytes);
    const source = await openSource(path);
    expect(source.crs).toBe('OGC:CRS84');
    await source.close();
    const [row] = await readRows(path);
    const { xy } = row!.geometry!;
    expect(xy.length).toBeGreaterThan(4);
    // The great circle between points of one parallel lies north of it.
    expect(Math.max(...xy.filter((_, i) => i % 2 === 1))).toBeCloseTo(40.00107427579837, 9);
  });
});
