import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeWkb } from '../../ingest/wkb.ts';
import { currentId, readManifest } from '../../pipelines/manifest.ts';
import { isParcelLayer } from '../../pipelines/parcels.ts';
import { builtInPlace } from '../../pipelines/place-schema.ts';
import { SILENT } from '../../pipelines/progress.ts';
import { run } from '../../pipelines/run.ts';
import { toGeoJSON } from '../oracle/geojson.ts';
import type { OracleFilter } from '../oracle/search.ts';
import { compare, type Numbered } from '../query/search/agreement.ts';
import { MISSING, present, SOURCES } from './bangor.ts';

if (!present) console.warn(MISSING);

const ME: OracleFilter = { field: 'state', op: 'eq', value: 'ME' };
const COLUMNS = ['county', 'city', 'acreage', 'parval', 'yearbuilt', 'usecode', 'use_group', 'sourcedate'] as const;

/** The rows of the Parquet file as DuckDB reads them: nothing of query/ touches them. */
async function storedParcels(path: string): Promise<Numbered[]> {
  const db = await (await DuckDBInstance.create()).connect();
  const names = COLUMNS.map(name => (name === 'sourcedate' ? 'CAST(sourcedate AS VARCHAR)' : name)).join(', ');
  const reader = await db.runAndReadAll(
    `SELECT apn, ST_AsWKB(geometry) AS wkb, ${names} FROM read_parquet(?) ORDER BY ord`,
    [path],
  );
  return reader.getRowsJS().map(([apn, wkb, ...values]) => ({
    state: 'ME',
    fips: '23019',
    apn: String(apn),
    geometry: decodeWkb(wkb as Uint8Array, path, null),
    values: Object.fromEntries(
      COLUMNS.map((name, i) => [
        name,
        typeof values[i] === 'bigint' ? Number(values[i]) : (values[i] as string | null),
      ]),
    ),
  }));
}

describe.skipIf(!present)('searches of the real Bangor, against loops and GEOS over all of its parcels', () => {
  const home = mkdtempSync(join(tmpdir(), 'plat-bangor-search-'));
  let world: { release: { home: string }; parcels: Numbered[] };
  beforeAll(async () => {
    const place = builtInPlace('bangor-me');
    const only = { ...place, layers: place.layers.filter(isParcelLayer) };
    await run({ home, sources: SOURCES, place: only, threads: 2, progress: SILENT });
    const releases = join(home, 'releases');
    const { partitions } = readManifest(releases, currentId(releases)!).datasets.parcel_store!.main!;
    expect(partitions).toHaveLength(1);
    const rows = partitions[0]!.files.find(file => file.role === 'rows')!;
    world = { release: { home }, parcels: await storedParcels(join(releases, rows.path)) };
    expect(world.parcels.length).toBeGreaterThan(10_000);
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  it('by their own polygons, all neighbours touching', async () => {
    let touching = 0;
    for (let i = 0; i < world.parcels.length; i += 301) {
      const value = toGeoJSON(world.parcels[i]!.geometry);
      const found = await compare(world, [ME, { field: 'geometry', op: 'intersects', value }], 100);
      const covered = await compare(world, [ME, { field: 'geometry', op: 'within', value }], 100);
      expect(covered).toBeGreaterThanOrEqual(1);
      if (found > covered) touching++;
    }
    expect(touching).toBeGreaterThan(25);
  });

  it('by random filters and areas, page by page', async () => {
    const column = fc.constantFrom(...COLUMNS.filter(name => !['county', 'city'].includes(name)));
    const stored = fc
      .tuple(column, fc.constantFrom(...world.parcels))
      .map(([field, parcel]) => ({ field, value: parcel.values[field] ?? null }))
      .filter(({ value }) => value !== null);
    const attribute = stored.chain(({ field, value }) => {
      const text = ['usecode', 'use_group'].includes(field);
      const ops = text ? ['eq', 'ne'] : ['eq', 'ne', 'lt', 'lte', 'gt', 'gte'];
      return fc.constantFrom(...ops).map((op): OracleFilter => ({ field, op, value }));
    });
    const side = fc.double({ min: 0.01, max: 0.08, noNaN: true });
    const area = fc
      .tuple(
        fc.double({ min: -68.86, max: -68.72, noNaN: true }),
        fc.double({ min: 44.77, max: 44.88, noNaN: true }),
        side,
        side,
      )
      .chain(([x, y, w, h]) => {
        const coordinates = [
          [
            [x, y],
            [x + w, y],
            [x + w / 2, y + h],
            [x, y],
          ],
        ];
        return fc
          .constantFrom('intersects', 'within')
          .map((op): OracleFilter => ({ field: 'geometry', op, value: { type: 'Polygon', coordinates } }));
      });
    let finding = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(attribute, { maxLength: 1 }),
        fc.array(area, { minLength: 1, maxLength: 1 }),
        async (a, b) => {
          if ((await compare(world, [ME, ...a, ...b], 100)) > 0) finding++;
        },
      ),
      { numRuns: 60, seed: 5 },
    );
    expect(finding).toBeGreaterThan(15);
  });
});
