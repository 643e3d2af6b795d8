import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PlaceLayer } from '../../../datasets/place/place.ts';
import type { Manifest } from '../../../datasets/release.ts';
import { releaseExportCommand } from '../../../pipelines/commands/release/export.ts';
import { exportRelease } from '../../../pipelines/release/export/export-release.ts';
import { writeStac } from '../../../pipelines/release/export/write-stac.ts';
import { run } from '../../../pipelines/run.ts';
import type { Terminal } from '../../../query/engine/command.ts';
import { openRelease } from '../../../query/release/open-release.ts';
import { syntheticHome } from '../../synthetic-home.ts';
import { SILENT } from '../silent.ts';
import { FILES, folder, provenance, village, writeFiles, zoning } from '../village.ts';
import { exportedWhole } from './exported-whole.ts';
import { stacCheck } from './stac-schemas.ts';

const work = folder();
const all = join(work, 'all');
const before = process.env.PLAT_HOME;
let manifest: Manifest;
let releases: string;

const printed: string[] = [];
const terminal: Terminal = { json: true, interactive: false, out: line => printed.push(line), err: () => {} };
const exported = async (options: Readonly<Record<string, string>>) => {
  printed.length = 0;
  expect(await releaseExportCommand.run([], options, terminal)).toBe(0);
  return JSON.parse(printed[0]!);
};

beforeAll(async () => {
  const { home } = await syntheticHome();
  process.env.PLAT_HOME = home;
  releases = join(home, 'releases');
  ({ manifest } = openRelease(home));
  expect(await exported({ out: all })).toMatchObject({ release: manifest.id, folder: all });
}, 300_000);
afterAll(() => {
  if (before === undefined) delete process.env.PLAT_HOME;
  else process.env.PLAT_HOME = before;
  rmSync(work, { recursive: true, force: true });
});

/** Rows of a layer's files of one role by state and county. */
const rowsOf = (dataset: string, layer: string, role: string) =>
  manifest.datasets[dataset]![layer]!.partitions.flatMap(({ key, files }) =>
    files.filter(file => file.role === role).map(({ rows }) => [...key.split('/'), rows] as const),
  );
const documents = (folder = all) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(path => /(?:catalog|collection)\.json$/.test(path))
    .map(path => [path, JSON.parse(readFileSync(join(folder, path), 'utf8'))] as const);

describe('plat release export', () => {
  it('gives DuckDB the rows of parcels and of what was calculated of them, by state and county', async () => {
    const db = await (await DuckDBInstance.create()).connect();
    const read = async (sql: string) => (await db.runAndReadAll(sql)).getRowsJS();
    const glob = (path: string) =>
      `read_parquet('${join(all, path)}/**/*.parquet', hive_partitioning = true, hive_types_autocast = false)`;
    const counties = await read(
      `SELECT state, county, count(*)::INTEGER FROM ${glob('parcel_store/main')} GROUP BY ALL ORDER BY ALL`,
    );
    expect(counties.length).toBeGreaterThan(0);
    expect(counties).toEqual(rowsOf('parcel_store', 'main', 'rows').sort());
    const [flood] = readdirSync(join(all, 'calculations')).filter(name => name.startsWith('fema_nfhl'));
    const joined = await read(
      `SELECT count(*)::INTEGER FROM ${glob('parcel_store/main')} JOIN ${glob(`calculations/${flood}`)} USING (state, county, ord)`,
    );
    expect(joined).toEqual([[counties.reduce((sum, [, , rows]) => sum + Number(rows), 0)]]);
    db.closeSync();
  });

  it('gives GDAL every feature', { tags: ['GDAL'] }, () => {
    const counted = documents().flatMap(([path, { assets }]) =>
      Object.entries<{ 'plat:rows': number }>(assets ?? {})
        .filter(([name]) => name.endsWith('.fgb'))
        .map(([name, asset]) => [join(all, path, '..', name), asset['plat:rows']] as const),
    );
    expect(counted.length).toBeGreaterThan(10);
    for (const [path, rows] of counted.filter(([, n]) => n > 0).slice(0, 12))
      expect([
        path,
        Number(
          /Feature Count: (\d+)/.exec(execFileSync('ogrinfo', ['-ro', '-so', '-al', path], { encoding: 'utf8' }))?.[1],
        ),
      ]).toEqual([path, rows]);
  });

  it('has a STAC catalog and a collection a layer, valid by the published schemas', () => {
    const check = stacCheck();
    const found = documents();
    for (const [path, document] of found) expect([path, check(document)]).toEqual([path, []]);
    const root = found.find(([path]) => path === 'catalog.json')![1];
    const children = root.links.filter(({ rel }: { rel: string }) => rel === 'child');
    expect(children).toHaveLength(found.length - 1);
    for (const { href } of children) expect(existsSync(join(all, href))).toBe(true);
    for (const [path, { assets }] of found)
      for (const { href } of Object.values<{ href: string }>(assets ?? {}))
        expect(existsSync(join(all, path, '..', href))).toBe(true);
    const { license: _, ...lacking } = found.find(([, { type }]) => type === 'Collection')![1];
    expect(check(lacking)).toMatchObject([{ message: expect.stringContaining("'license'") }]);
  });

  it('copies one state with what is of the country', async () => {
    const out = join(work, 'state');
    const { files } = await exported({ out, state: 'ME' });
    expect(files).toBeGreaterThan(0);
    const states = readdirSync(out, { recursive: true, encoding: 'utf8' }).flatMap(
      p => /state=(\w\w)/.exec(p)?.[1] ?? [],
    );
    expect([...new Set(states)].sort()).toEqual(['ME', 'US']);
    const tilesIn = (folder: string) =>
      readdirSync(join(folder, 'map', 'tiles'), { recursive: true, encoding: 'utf8' })
        .filter(path => path.endsWith('.pmtiles'))
        .sort();
    const keys = Object.keys(manifest.tiles!).map(key => `${key}.pmtiles`);
    expect(tilesIn(all)).toEqual(keys.sort());
    expect(tilesIn(out)).toEqual(keys.filter(key => /^\w+\/(?:ME|US)\b/.test(key)));
  });

  it('leaves what came into its folder meanwhile, and takes an empty one', async () => {
    const out = join(work, 'shared');
    const nation = { releases, out, state: 'XX' };
    mkdirSync(out);
    const late = () => writeFileSync(join(out, 'mine.txt'), 'mine');
    await expect(exportRelease(manifest, { ...nation, progress: late })).rejects.toThrow('that stays empty meanwhile');
    expect(readdirSync(out)).toEqual(['mine.txt']);
    rmSync(join(out, 'mine.txt'));
    await exportRelease(manifest, nation);
    expect(readdirSync(out)).toContain('catalog.json');
    expect(readdirSync(work).filter(name => name.startsWith('shared'))).toEqual(['shared']);
  });

  it('refuses a folder with something in it, and passes no damaged file on', async () => {
    const out = join(work, 'taken');
    mkdirSync(out);
    writeFileSync(join(out, 'mine.txt'), 'mine');
    await expect(releaseExportCommand.run([], { out }, terminal)).rejects.toThrow('that is empty or not there yet');
    expect(readdirSync(out)).toEqual(['mine.txt']);
    const other = folder();
    const damaged = { releases: other, out: join(work, 'damaged'), state: undefined };
    const [path] = Object.values(manifest.datasets)
      .flatMap(layers => Object.values(layers))
      .flatMap(({ partitions }) => partitions.flatMap(p => p.files.filter(f => f.role === 'features')))
      .map(file => file.path);
    const one: Manifest = {
      ...manifest,
      datasets: {
        it: { main: { version: 'x', columns: [], partitions: [partitionWith(path!)] } },
      },
    };
    mkdirSync(join(other, path!, '..'), { recursive: true });
    writeFileSync(join(other, path!), 'not these bytes');
    // What bears the name of a folder that is being made stays its owner's.
    mkdirSync(join(work, 'damaged.partial'));
    await expect(exportRelease(one, damaged)).rejects.toThrow(`${path} is damaged`);
    expect(readdirSync(work).filter(name => name.startsWith('damaged'))).toEqual(['damaged.partial']);
    rmSync(other, { recursive: true });
    expect(existsSync(join(releases, path!))).toBe(true);
  });
});

describe('an export', () => {
  it('has every feature, row and cell of the release', async () => {
    const { stored, exported } = await exportedWhole(manifest, releases);
    expect(Object.keys(stored).length).toBeGreaterThan(20);
    expect(exported).toEqual(stored);
  });

  it('has a file for each of those that fill a layer of a place', async () => {
    const [home, sources, out] = [folder(), folder(), join(work, 'several')];
    const { 'zoning.geojson': zones, 'boundary.geojson': boundary } = FILES;
    writeFiles(sources, { 'boundary.geojson': boundary, 'zoning.geojson': zones, 'more.geojson': zones.slice(0, 2) });
    const dem = (name: string, west: number, columns: number): PlaceLayer => {
      const cells = Array(columns).fill('7').join(' ');
      const grid = `ncols ${columns}\nnrows 1\nxllcorner ${west}\nyllcorner 44\ncellsize 0.1\n${cells}\n`;
      writeFileSync(join(sources, name), grid);
      const [options, coverage] = [{ crs: 'EPSG:4269' }, { extent: true } as const];
      return { dataset: 'usgs_3dep', layer: 'main', file: name, columns: {}, options, coverage, provenance };
    };
    const layers = [
      zoning,
      { ...zoning, file: 'more.geojson' },
      dem('west.asc', -69, 2),
      dem('middle.asc', -68.9, 3),
      dem('east.asc', -68.8, 4),
    ];
    await run({ home, sources, place: { ...village, layers }, threads: 0, progress: SILENT });
    const release = openRelease(home);
    const whole = await exportedWhole(release.manifest, join(home, 'releases'));
    expect(whole.exported).toEqual({ 'local_zoning/main.fgb': 5, 'usgs_3dep/main.tif': 9 });
    expect(whole.stored).toEqual(whole.exported);
    await exportRelease(release.manifest, { releases: join(home, 'releases'), out, state: undefined });
    const files = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter(p =>
      /usgs.*tif$|zoning.*fgb$/.test(p),
    );
    expect(files.map(path => path.split('/').at(-1)).sort()).toEqual(
      ['village.2.fgb', 'village.2.tif', 'village.3.tif', 'village.fgb', 'village.tif'].sort(),
    );
    for (const path of [home, sources]) rmSync(path, { recursive: true });
  });
});

describe('plat release stac', () => {
  it('has the same documents over the files where they are stored, valid too, and the same when written again', async () => {
    const store = folder();
    symlinkSync(join(releases, 'files'), join(store, 'files'));
    const { catalog, collections } = await writeStac(store, manifest);
    expect(await writeStac(store, manifest)).toEqual({ catalog, collections });
    const at = join(catalog, '..');
    const found = documents(at);
    expect(found.map(([path]) => path).sort()).toEqual(
      documents()
        .map(([path]) => path)
        .sort(),
    );
    const check = stacCheck();
    let assets = 0;
    for (const [path, document] of found) {
      expect([path, check(document)]).toEqual([path, []]);
      for (const { href } of Object.values<{ href: string }>(document.assets ?? {})) {
        expect(existsSync(join(at, path, '..', href))).toBe(true);
        assets++;
      }
    }
    expect([assets > 100, found.length]).toEqual([true, collections + 1]);
    expect(readdirSync(join(store, 'stac'))).toEqual([manifest.id]);
    rmSync(store, { recursive: true });
  });
});

/** The partition of the release that has a file. */
const partitionWith = (path: string) =>
  Object.values(manifest.datasets)
    .flatMap(layers => Object.values(layers))
    .flatMap(({ partitions }) => partitions)
    .find(({ files }) => files.some(file => file.path === path))!;
