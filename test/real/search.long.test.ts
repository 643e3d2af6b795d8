import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PARCEL_ATTRIBUTES } from '../../datasets/parcel/parcel-attributes.ts';
import { openSource } from '../../ingest/format.ts';
import { decodeWkb } from '../../ingest/wkb.ts';
import { builtInPlace } from '../../pipelines/place/place-schema.ts';
import { isParcelLayer } from '../../pipelines/release/parcel-layer.ts';
import { run } from '../../pipelines/run.ts';
import { currentId, readManifest } from '../../query/release/home/releases.ts';
import { toGeoJSON } from '../oracle/geojson.ts';
import type { RejectedParcel } from '../oracle/rejected.ts';
import type { OracleFilter } from '../oracle/search.ts';
import { SILENT } from '../pipelines/silent.ts';
import { compare, type Numbered } from '../query/search/agreement.ts';
import { MISSING, present, SOURCES } from './bangor.ts';

if (!present) console.warn(MISSING);

/** A real place, the columns of its parcels that filters are made of, and where they lie. */
interface Subject {
  readonly place: string;
  readonly state: string;
  readonly fips: string;
  readonly columns: readonly (keyof typeof PARCEL_ATTRIBUTES)[];
  /** west, south, east, north: degrees. */
  readonly box: readonly [number, number, number, number];
  /** Degrees of the largest random area. */
  readonly side: number;
  readonly least: number;
  /** Parcels without an area or a geometry. */
  readonly rejected: number;
}

const SUBJECTS: readonly Subject[] = [
  {
    place: 'bangor-me',
    state: 'ME',
    fips: '23019',
    columns: ['county', 'city', 'acreage', 'parval', 'yearbuilt', 'usecode', 'use_group', 'sourcedate'],
    box: [-68.86, 44.77, -68.72, 44.88],
    side: 0.08,
    least: 10_000,
    rejected: 0,
  },
  {
    place: 'forest-city-nc',
    state: 'NC',
    fips: '37161',
    columns: ['county', 'acreage', 'zoning_description', 'zoning_type', 'saddno', 'address', 'stack_count'],
    box: [-81.92, 35.29, -81.8, 35.38],
    side: 0.06,
    least: 7_000,
    rejected: 4,
  },
  // Ten files in one county.
  {
    place: 'washington-dc',
    state: 'DC',
    fips: '11001',
    columns: ['county', 'city', 'acreage', 'parval', 'usecode', 'sourcedate', 'lot', 'stack_count'],
    box: [-77.12, 38.8, -76.91, 38.99],
    side: 0.08,
    least: 7_000,
    rejected: 0,
  },
];

const isText = (name: keyof typeof PARCEL_ATTRIBUTES) => (PARCEL_ATTRIBUTES[name].type as string) === 'string';

/** The rows of the Parquet file as DuckDB reads them: nothing of query/ touches them. */
async function storedParcels(path: string, { state, fips, columns }: Subject): Promise<Numbered[]> {
  const db = await (await DuckDBInstance.create()).connect();
  const names = columns.map(name => (name === 'sourcedate' ? 'CAST(sourcedate AS VARCHAR)' : name)).join(', ');
  const reader = await db.runAndReadAll(
    `SELECT apn, ST_AsWKB(geometry) AS wkb, ${names} FROM read_parquet(?) ORDER BY ord`,
    [path],
  );
  return reader.getRowsJS().map(([apn, wkb, ...values]) => ({
    state,
    fips,
    apn: String(apn),
    geometry: decodeWkb(wkb as Uint8Array, path, null)!,
    values: Object.fromEntries(
      columns.map((name, i) => [
        name,
        typeof values[i] === 'bigint' ? Number(values[i]) : (values[i] as string | null),
      ]),
    ),
  }));
}

/** What was rejected, as its file in the release has it; what is computed of stored parcels alone is not known of these. */
async function rejectedParcels(path: string, { state, fips, columns }: Subject): Promise<RejectedParcel[]> {
  const rows: RejectedParcel[] = [];
  const source = await openSource(path);
  for await (const batch of source.rows())
    for (const { properties, geometry } of batch) {
      // In these places nothing else is rejected.
      expect(geometry!.type).toMatch(/Point$/);
      const located = properties.rejected_located as boolean;
      const { xy } = geometry!;
      const known = columns.filter(name => !['acreage', 'stack_count'].includes(name));
      rows.push({
        state,
        fips,
        values: Object.fromEntries(known.map(name => [name, (properties[name] ?? null) as string | number | null])),
        corners: located ? Array.from({ length: xy.length / 2 }, (_, i) => [xy[2 * i]!, xy[2 * i + 1]!]) : [],
      });
    }
  await source.close();
  return rows;
}

describe.each(SUBJECTS)(
  'searches of the real $place, against loops and GEOS over all of its parcels',
  { tags: ['published-files'] },
  subject => {
    const { columns, box, side: widest } = subject;
    const STATE: OracleFilter = { field: 'state', op: 'eq', value: subject.state };
    const home = mkdtempSync(join(tmpdir(), 'plat-real-search-'));
    let world: { release: { home: string }; parcels: Numbered[]; rejected: RejectedParcel[] };
    beforeAll(async () => {
      const place = builtInPlace(subject.place);
      const only = { ...place, layers: place.layers.filter(isParcelLayer) };
      await run({ home, sources: SOURCES, place: only, threads: 2, progress: SILENT });
      const releases = join(home, 'releases');
      const { partitions } = readManifest(releases, currentId(releases)!).datasets.parcel_store!.main!;
      expect(partitions).toHaveLength(1);
      const rows = partitions[0]!.files.find(file => file.role === 'rows')!;
      const left = partitions[0]!.files.find(file => file.role === 'rejected');
      world = {
        release: { home },
        parcels: await storedParcels(join(releases, rows.path), subject),
        rejected: left ? await rejectedParcels(join(releases, left.path), subject) : [],
      };
      expect(world.rejected).toHaveLength(subject.rejected);
      expect(world.parcels.length).toBeGreaterThan(subject.least);
    });
    afterAll(() => rmSync(home, { recursive: true, force: true }));

    it('by their own polygons, all neighbours touching', async () => {
      let touching = 0;
      for (let i = 0; i < world.parcels.length; i += 211) {
        const value = toGeoJSON(world.parcels[i]!.geometry);
        const found = await compare(world, [STATE, { field: 'geometry', op: 'intersects', value }], 100);
        const covered = await compare(world, [STATE, { field: 'geometry', op: 'within', value }], 100);
        expect(covered).toBeGreaterThanOrEqual(1);
        if (found > covered) touching++;
      }
      expect(touching).toBeGreaterThan(20);
    });

    it('by random filters and areas, page by page', async () => {
      const column = fc.constantFrom(...columns.filter(name => !['county', 'city'].includes(name)));
      const stored = fc
        .tuple(column, fc.constantFrom(...world.parcels))
        .map(([field, parcel]) => ({ field, value: parcel.values[field] ?? null }))
        .filter(({ value }) => value !== null);
      const attribute = stored.chain(({ field, value }) => {
        const ops = isText(field) ? ['eq', 'ne'] : ['eq', 'ne', 'lt', 'lte', 'gt', 'gte'];
        return fc.constantFrom(...ops).map((op): OracleFilter => ({ field, op, value }));
      });
      const side = fc.double({ min: 0.01, max: widest, noNaN: true });
      const area = fc
        .tuple(
          fc.double({ min: box[0], max: box[2], noNaN: true }),
          fc.double({ min: box[1], max: box[3], noNaN: true }),
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
            if ((await compare(world, [STATE, ...a, ...b], 100)) > 0) finding++;
          },
        ),
        { numRuns: 100, seed: 5 },
      );
      expect(finding).toBeGreaterThan(15);
    });
  },
);
