import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OVERLAPS } from '../../../query/assemblage/neighbour-file.ts';
import { neighboursOf } from '../../../query/assemblage/neighbours.ts';
import type { FeatureFile } from '../../../query/format/flatgeobuf.ts';
import { createCache } from '../../../query/release/cache.ts';
import { Layers } from '../../../query/release/layers.ts';
import { openRelease } from '../../../query/release/open-release.ts';
import { countiesOf } from '../../../query/search/predicate/counties.ts';
import { OutlineGround } from '../../../query/sets/ground/outline-ground.ts';
import { toGeoJSON } from '../../oracle/geojson.ts';
import { type SharedPostgres, sharedPostgres } from '../../server/state/shared-postgres.ts';
import { type Bangor, ingestBangor, MISSING, present } from '../bangor.ts';

if (!present) console.warn(MISSING);

/** Metres of boundary that neighbours share at least, and those within which two programs may see it otherwise. */
const [LEAST_M, DOUBT_M] = [1.6, 0.35];
/** Share of the smaller parcel that two may have in common, and what is in doubt of it. */
const [SLIVER, DOUBT_SHARE] = [0.01, 0.001];

/** A pair of parcels within 0.3 m as PostGIS measures it. */
interface Contact {
  readonly a: number;
  readonly b: number;
  /** Metres of the first boundary within 0.3 m of the second, or the other way, whichever is longer. */
  readonly shared: number;
  /** Common ground as a share of the smaller one. */
  readonly common: number;
}

/** Parcels of Bangor that stand for their outline, in UTM zone 19 (EPSG:26919), with what PostGIS says of each close pair. */
async function contactsIn(url: string, parcels: FeatureFile, first: ArrayLike<number>): Promise<Contact[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('create extension postgis');
    await client.query('create table parcels (row int primary key, shape geometry)');
    for (let row = 0; row < parcels.count; row++)
      if (first[row] === row)
        await client.query(
          'insert into parcels select $1, st_transform(st_setsrid(st_geomfromgeojson($2), 4326), 26919)',
          [row, JSON.stringify(toGeoJSON(parcels.geometry(row)))],
        );
    await client.query('create index on parcels using gist (shape)');
    await client.query('analyze parcels');
    const { rows } = await client.query<Contact>(`
      select a.row as a, b.row as b,
        greatest(
          st_length(st_intersection(st_boundary(a.shape), st_buffer(st_boundary(b.shape), 0.3))),
          st_length(st_intersection(st_boundary(b.shape), st_buffer(st_boundary(a.shape), 0.3)))
        ) as shared,
        st_area(st_intersection(a.shape, b.shape)) / least(st_area(a.shape), st_area(b.shape)) as common
      from parcels a join parcels b on a.row < b.row and st_dwithin(a.shape, b.shape, 0.3)`);
    return rows;
  } finally {
    await client.end();
  }
}

describe.runIf(present)('neighbors of Bangor', { tags: ['PostGIS'] }, () => {
  let bangor: Bangor;
  let cluster: SharedPostgres;
  beforeAll(async () => {
    cluster = await sharedPostgres();
    bangor = await ingestBangor();
  }, 600_000);
  afterAll(async () => {
    bangor?.remove();
    await cluster?.drop();
  });

  it('that share a boundary, and parcels that overlap, are those that PostGIS measures', async () => {
    const release = openRelease(bangor.home);
    const [county] = countiesOf(release);
    const { file } = await new Layers(release, createCache(256)).features(county!.partition);
    const { starts, rows, widths } = await neighboursOf(file);
    const { first } = await OutlineGround.of(file, () => undefined);
    const width = new Map<string, number>();
    for (let row = 0; row < file.count; row++)
      for (let i = starts[row]!; i < starts[row + 1]!; i++)
        if (rows[i]! > row) width.set(`${row} ${rows[i]}`, widths[i]!);
    const contacts = await contactsIn(await cluster.database(), file, first);
    const wrong: string[] = [];
    let judged = 0;
    for (const { a, b, shared, common } of contacts) {
      if (Math.abs(shared - LEAST_M) < DOUBT_M || Math.abs(common - SLIVER) < DOUBT_SHARE) continue;
      judged++;
      const ours = width.get(`${a} ${b}`);
      const expected = common > SLIVER ? OVERLAPS : shared > LEAST_M ? 0 : undefined;
      if (ours !== expected)
        wrong.push(`${a} ${b}: ${ours}, but ${shared.toFixed(2)} m and ${common.toFixed(4)} are common`);
    }
    // No pair that PostGIS sees apart is said to touch.
    const seen = new Set(contacts.map(({ a, b }) => `${a} ${b}`));
    for (const [pair, said] of width)
      if ((said === 0 || said === OVERLAPS) && !seen.has(pair)) wrong.push(`${pair}: apart`);
    expect(judged).toBeGreaterThan(15_000);
    expect(wrong).toEqual([]);
  }, 900_000);
});
