import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import type { Column } from '../../../datasets/dataset.ts';
import { PARCEL_ATTRIBUTES } from '../../../datasets/parcel/parcel-attributes.ts';
import type { Place } from '../../../datasets/place/place.ts';
import type { Manifest } from '../../../datasets/release.ts';
import { runOverlay } from '../../../pipelines/overlay/run.ts';
import { ReleaseTables } from '../../../pipelines/release/release-tables.ts';
import { verify } from '../../../pipelines/release/verify.ts';
import { run } from '../../../pipelines/run.ts';
import { matchParcel } from '../../../query/engine/match-task.ts';
import { createCache } from '../../../query/release/cache.ts';
import { currentId, readManifest } from '../../../query/release/home/releases.ts';
import { Layers } from '../../../query/release/layers.ts';
import { openRelease } from '../../../query/release/open-release.ts';
import { partsOf } from '../../../query/release/part.ts';
import { COUNTY_FILES, countyPlaces, writeCounty } from '../../agreement/county.ts';
import { type StoredParcel, storedParcels } from '../../agreement/parcels.ts';
import { SILENT } from '../silent.ts';
import { feature, folder, square, writeFiles } from '../village.ts';

const NAMES = Object.entries(PARCEL_ATTRIBUTES as Readonly<Record<string, Column>>).flatMap(([name, { computed }]) =>
  computed ? [] : [name],
);
const { east, west } = countyPlaces(NAMES);
const made: string[] = [];
const temporary = () => {
  const path = folder();
  made.push(path);
  return path;
};
const sources = temporary();
beforeAll(() => writeCounty(sources));
afterAll(() => {
  for (const path of made) rmSync(path, { recursive: true, force: true });
});

const ingest = (home: string, place: Place, from = sources) =>
  run({ home, sources: from, place, threads: 0, progress: SILENT, accept: [place.name] });
const manifestOf = (home: string): Manifest => readManifest(join(home, 'releases'), currentId(join(home, 'releases'))!);
const countyOf = (home: string) => manifestOf(home).datasets.parcel_store!.main!.partitions;

/** Key → row, but for what depends on the county's other rows. */
const rowsOf = (parcels: readonly StoredParcel[], sourcesAsked: readonly string[]) =>
  new Map(
    parcels
      .filter(({ source }) => sourcesAsked.includes(source))
      .map(({ properties, geometry }) => {
        const { ord: _, part: __, stack_count: ___, ...own } = properties;
        return [String(properties.parcel_key), { own, xy: [...geometry.xy] }];
      }),
  );
const EAST = ['old_lots', 'new_lots', 'far_lots'];
const WEST = ['town_lots', 'bare_lots'];

describe('a county that several files of two places fill', () => {
  it('is one partition, one numbering, one set of keys, and says what each file contributed', async () => {
    const home = temporary();
    await ingest(home, east);
    await ingest(home, west);
    const [county, ...others] = countyOf(home);
    expect(others).toEqual([]);
    expect(county).toMatchObject({ key: 'ME/23019', place: 'east, west', rows: 124, coverage: 'polygon' });
    expect(county!.parts!.map(({ place, rows, provenance }) => [place, rows, provenance.source])).toEqual([
      ['east', 30, 'old_lots'],
      ['east', 30, 'new_lots'],
      ['east', 20, 'far_lots'],
      ['west', 38, 'town_lots'],
      ['west', 6, 'bare_lots'],
    ]);
    expect(county!.parts![1]!.unpublished).not.toContain('zoning');
    expect(county!.parts![0]!.unpublished).toContain('zoning');
    expect(county!.unpublished).not.toContain('zoning');
    const parcels = await storedParcels(home);
    expect(parcels.map(({ properties }) => properties.ord)).toEqual(parcels.map((_, i) => i));
    expect(new Set(parcels.map(({ properties }) => properties.parcel_key)).size).toBe(124);
    const { damage } = await verify(join(home, 'releases'), manifestOf(home));
    expect(damage).toEqual([]);
    const tables = await ReleaseTables.open(join(home, 'releases'), manifestOf(home));
    const counts: unknown[] = [];
    await tables.select('SELECT partition_place, count(*) FROM parcel_store.main GROUP BY 1 ORDER BY 1', row =>
      counts.push(row),
    );
    tables.close();
    expect(counts).toEqual([
      ['east', 80],
      ['west', 44],
    ]);
  });

  it('stays as it is when a place brings the same again, in whatever turn', async () => {
    const home = temporary();
    await ingest(home, east);
    await ingest(home, west);
    const { id } = manifestOf(home);
    for (const place of [east, west, east]) expect(await ingest(home, place)).toMatchObject({ changed: false });
    expect(manifestOf(home).id).toBe(id);
  });

  it('has only the rows of that place replaced which is ingested again, and every key means what it meant', async () => {
    const home = temporary();
    await ingest(home, west);
    await ingest(home, east);
    const before = await storedParcels(home);
    const changed = temporary();
    cpSync(sources, changed, { recursive: true });
    // Half of them are gone, the first has another value and another shape.
    const [first, ...rest] = COUNTY_FILES['old.geojson'].slice(0, 15);
    const moved = { ...first!, properties: { ...first!.properties, value: 1.2345 } };
    writeFiles(changed, { 'old.geojson': [moved, ...rest] });
    await ingest(home, east, changed);
    const after = await storedParcels(home);
    expect(after).toHaveLength(109);
    expect(rowsOf(after, WEST)).toEqual(rowsOf(before, WEST));
    expect(rowsOf(after, ['new_lots', 'far_lots'])).toEqual(rowsOf(before, ['new_lots', 'far_lots']));
    const [old, now] = [rowsOf(before, ['old_lots']), rowsOf(after, ['old_lots'])];
    expect(now.size).toBe(15);
    for (const [key, { own }] of now) expect(old.get(key)!.own.apn).toBe(own.apn);
    expect([...now.values()].map(({ own }) => own.parval)).toContain(1.23);
    // Both places have lots of these numbers: neither takes the other's key.
    const twice = after.filter(({ properties }) => properties.apn === 'old-3');
    expect(twice.map(({ source }) => source).sort()).toEqual(['old_lots', 'town_lots']);
    expect(new Set(after.map(({ properties }) => properties.parcel_key)).size).toBe(109);
  });

  it('keeps the rows of the others when a place brings no parcels any more', async () => {
    const home = temporary();
    await ingest(home, east);
    await ingest(home, west);
    const before = await storedParcels(home);
    await ingest(home, { ...west, layers: east.layers.filter(({ dataset }) => dataset === 'local_zoning') });
    const after = await storedParcels(home);
    expect(rowsOf(after, EAST)).toEqual(rowsOf(before, EAST));
    expect(after).toHaveLength(80);
    await ingest(home, { ...east, layers: east.layers.slice(0, 1) });
    const [county] = countyOf(home);
    expect(county).toMatchObject({ place: 'east', rows: 30, provenance: { source: 'old_lots' } });
    expect(county!.parts).toBeUndefined();
    await ingest(home, { ...east, layers: east.layers.filter(({ dataset }) => dataset === 'local_zoning') });
    expect(manifestOf(home).datasets.parcel_store).toBeUndefined();
  });

  it('covers what its files cover together; those that cover everywhere count where no other does', async () => {
    const home = temporary();
    const [town, bare] = west.layers;
    const files = temporary();
    cpSync(sources, files, { recursive: true });
    // The first old lots once more, and one where no other file is.
    const again = COUNTY_FILES['old.geojson'].slice(0, 3).map(lot => ({ ...lot, properties: { no: 'again' } }));
    writeFiles(files, {
      'bare.geojson': [...again, feature('Polygon', [square(-68.82, 44.18, 0.001)], { no: 'alone' })],
    });
    await ingest(home, east, files);
    await ingest(home, { ...west, layers: [town!, { ...bare!, coverage: { everywhere: true } }] }, files);
    const release = openRelease(home);
    const cache = createCache(16);
    const layers = new Layers(release, cache);
    const [county] = release.layer('parcel_store', 'main')!.partitions;
    const parts = partsOf(county!);
    const at = async (lng: number, lat: number) => await layers.at('parcel_store', 'main', lng, lat);
    const inside = await at(-68.8995, 44.1005);
    expect(inside.searched.all).toEqual([county]);
    expect(new Set(inside.covering.map(({ place }) => place))).toEqual(new Set(['east']));
    expect(parts.filter(inside.isLeftOut)).toEqual([parts[4]]);
    const beyond = await at(-68.81, 44.19);
    expect(beyond.covering).toEqual([parts[4]]);
    expect(parts.filter(beyond.isLeftOut)).toEqual(parts.slice(0, 4));
    const match = async (lng: number, lat: number) => {
      const environment = { release, catalog, cache, deadline: Date.now() + 20_000, stopped: () => false };
      const found = await matchParcel({ point: { lng, lat }, address: null, geometry: false }, environment);
      return found.status === 'matched' ? found.parcel : found.status;
    };
    expect(await match(-68.8999, 44.1002)).toMatchObject({ apn: 'old-0', source: 'old_lots' });
    expect(await match(-68.8195, 44.1805)).toMatchObject({ apn: 'alone', source: 'bare_lots' });
    expect(await match(-68.81, 44.19)).toBe('no_match');
  });
});

describe('a release of an earlier build, which stored each file of a county by itself', () => {
  it('is refused, and the next ingest of any place joins the files', async () => {
    const [home, other] = [temporary(), temporary()];
    await ingest(home, { ...east, layers: east.layers.slice(0, 1) });
    await ingest(other, { ...west, layers: west.layers.slice(0, 1) });
    cpSync(join(other, 'releases', 'files'), join(home, 'releases', 'files'), { recursive: true });
    // Builds that stored each file by itself drew no tiles and took no quantiles.
    const { tiles: _, shards: __, counts: ___, quantiles: ____, ...mine } = manifestOf(home);
    const version = mine.datasets.parcel_store!.main!;
    const partitions = [...version.partitions, ...countyOf(other)];
    const id = '20250101-0000000a';
    const old = { ...mine, format: 1, id, datasets: { parcel_store: { main: { ...version, partitions } } } };
    writeFileSync(join(home, 'releases', `${id}.json`), JSON.stringify(old));
    writeFileSync(join(home, 'releases', 'current'), `${id}\n`);
    expect(() => openRelease(home)).toThrow(/earlier build.*ME\/23019.*plat ingest run/);
    await expect(runOverlay({ home, threads: 0, memoryMb: 64, progress: SILENT })).rejects.toThrow(/earlier build/);

    const zoning = east.layers.filter(({ dataset }) => dataset === 'local_zoning');
    await ingest(home, { ...east, name: 'elsewhere', county: '23027', layers: zoning });
    expect(openRelease(home).layer('parcel_store', 'main')!.partitions).toHaveLength(1);
    const parcels = await storedParcels(home);
    expect(parcels).toHaveLength(68);
    expect(new Set(parcels.map(({ properties }) => properties.parcel_key)).size).toBe(68);
    expect(countyOf(home)[0]!.parts!.map(({ place, rows }) => [place, rows])).toEqual([
      ['east', 30],
      ['west', 38],
    ]);
  });
});
