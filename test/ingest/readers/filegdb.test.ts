import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSource } from '../../../ingest/format.ts';
import { convertWithGdal } from '../../../ingest/gdal.ts';
import { conversionArgs, layersOfListing } from '../../../ingest/gdal-job.ts';
import { createFileGdb } from '../../../ingest/writers/filegdb.ts';
import { dice, square } from '../writers/samples.ts';
import { failureOf, readRows } from './scratch.ts';
import { zipOf } from './zip.ts';

const LONG = process.env.PLAT_TEST === 'long';

/** More bytes than GDAL in WASM is trusted with. */
const TOO_LARGE_FOR_WASM = 2 ** 30 + 1;

const folder = mkdtempSync(join(tmpdir(), 'plat-filegdb-'));
// Conversions of other processes come and go in the machine's own folder, so this file has one of its own.
const { TMPDIR } = process.env;
process.env.TMPDIR = folder;
afterAll(() => {
  if (TMPDIR === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = TMPDIR;
  rmSync(folder, { recursive: true });
});
const leftovers = () => readdirSync(tmpdir()).filter(name => name.startsWith('plat-gdal-'));

const lots = {
  type: 'FeatureCollection',
  features: [
    { name: 'Ä', area: 1.5, at: 0 },
    { name: null, area: 2, at: 1 },
  ].map(({ name, area, at }) => ({
    type: 'Feature',
    properties: { name, area },
    geometry: {
      type: 'Polygon',
      coordinates: [
        [
          [at, 44],
          [at + 0.5, 44],
          [at + 0.5, 44.5],
          [at, 44],
        ],
      ],
    },
  })),
};

const gdb = join(folder, 'town.gdb');
const zipped = join(folder, 'town.gdb.zip');

/** The geodatabase folder as zip members below `root`. */
const members = (root: string) =>
  Object.fromEntries(readdirSync(gdb).map(name => [`${root}${name}`, readFileSync(join(gdb, name))]));

describe('file geodatabase', { tags: ['GDAL'] }, () => {
  beforeAll(async () => {
    writeFileSync(join(folder, 'lots.geojson'), JSON.stringify(lots));
    writeFileSync(join(folder, 'codes.csv'), 'code,text\nA,one\nB,two\n');
    const run = (...args: string[]) => execFileSync('ogr2ogr', args, { stdio: 'pipe' });
    run('-f', 'OpenFileGDB', gdb, join(folder, 'lots.geojson'), '-nln', 'lots');
    run('-f', 'OpenFileGDB', '-update', gdb, join(folder, 'codes.csv'), '-nln', 'codes');
    writeFileSync(zipped, await zipOf(members('town.gdb/')));
  });

  it('reads a layer with its identifier, from a folder and from a zip', async () => {
    for (const path of [gdb, zipped]) {
      const source = await openSource(path, { options: { layer: 'lots' } });
      expect([source.crs, source.count, source.columns]).toEqual(['EPSG:4326', 2, ['OBJECTID', 'name', 'area']]);
      await source.close();
      const rows = await readRows(path, { layer: 'lots' });
      expect(rows.map(r => r.properties)).toEqual([
        { OBJECTID: 1, name: 'Ä', area: 1.5 },
        { OBJECTID: 2, name: null, area: 2 },
      ]);
      expect([...rows[1]!.geometry!.xy].map(v => Math.round(v * 1e6) / 1e6).sort()).toEqual(
        [1, 1, 1.5, 1.5, 44, 44, 44, 44.5].sort(),
      );
    }
    expect(leftovers()).toEqual([]);
  });

  it('reads a table without geometry', async () => {
    const source = await openSource(zipped, { options: { layer: 'codes' } });
    expect(source.crs).toBeNull();
    await source.close();
    const rows = await readRows(zipped, { layer: 'codes' });
    expect(rows.map(r => [r.properties.code, r.properties.text, r.geometry])).toEqual([
      ['A', 'one', null],
      ['B', 'two', null],
    ]);
  });

  it('finds the geodatabase inside a zip of any layout', async () => {
    const path = join(folder, 'WBD_National_GDB.zip');
    writeFileSync(path, await zipOf({ ...members('deep/er/WBD.gdb/'), 'readme.txt': 'x' }));
    expect(await readRows(path, { layer: 'lots' }, 'filegdb')).toHaveLength(2);
    const root = join(folder, 'root.gdb.zip');
    writeFileSync(root, await zipOf(members('')));
    expect(await readRows(root, { layer: 'lots' })).toHaveLength(2);
    const two = join(folder, 'two.gdb.zip');
    writeFileSync(two, await zipOf({ ...members('a.gdb/'), ...members('b.gdb/') }));
    expect(await failureOf(two, { layer: 'lots' })).toMatchObject({ code: 'part_missing' });
    expect(await readRows(two, { layer: 'lots', member: 'b.gdb' })).toHaveLength(2);
  });

  it('that also holds a raster is read for the rest, whose tables are no layers', async () => {
    // As geodatabases of ArcGIS list a raster: its outline, and tables of its blocks, bands and statistics.
    const path = join(folder, 'raster.gdb');
    const run = (...args: string[]) => execFileSync('ogr2ogr', ['-f', 'OpenFileGDB', ...args], { stdio: 'pipe' });
    run(path, join(folder, 'lots.geojson'), '-nln', 'dem');
    for (const part of ['ras', 'aux', 'blk', 'bnd'])
      run('-update', path, join(folder, 'codes.csv'), '-nln', `fras_${part}_dem`);
    expect(await failureOf(path)).toMatchObject({
      code: 'part_missing',
      message: expect.stringMatching(/its "dem" is a raster, .*gdal_translate OpenFileGDB:"FILE":dem raster\.tif$/),
    });
    run('-update', path, join(folder, 'lots.geojson'), '-nln', 'lots');
    const rows = await readRows(path);
    expect(rows.map(r => r.properties)).toEqual((await readRows(gdb, { layer: 'lots' })).map(r => r.properties));
    expect(await failureOf(path, { layer: 'dem' })).toMatchObject({ message: expect.stringContaining('is a raster') });
    run('-update', path, join(folder, 'codes.csv'), '-nln', 'codes');
    expect(await failureOf(path)).toMatchObject({
      message: expect.stringMatching(/holds 2 layers \((?:lots, codes|codes, lots)\)/),
    });
  });

  it('asks for a layer where there are several', async () => {
    const choice = { code: 'part_missing', file: gdb, message: expect.stringMatching(/lots, codes/) };
    expect(await failureOf(gdb)).toMatchObject(choice);
    expect(await failureOf(gdb, { layer: 'roads' })).toMatchObject(choice);
    expect(leftovers()).toEqual([]);
  });

  it('reads the same with the GDAL of the machine, as for more than a GiB', async () => {
    const out = join(folder, 'system');
    mkdirSync(out);
    const job = { path: zipped, member: 'town.gdb', driver: 'OpenFileGDB', folder: out, take: { layer: 'lots' } };
    const layers = await convertWithGdal(job, TOO_LARGE_FOR_WASM);
    expect(layers).toEqual([
      { name: 'lots', count: 2, fid: 'OBJECTID', geometry: true },
      { name: 'codes', count: 2, fid: 'OBJECTID', geometry: false },
    ]);
    expect(await readRows(join(out, 'layer.fgb'))).toEqual(await readRows(zipped, { layer: 'lots' }));
  });

  it('refuses more than a GiB without a GDAL', async () => {
    const path = process.env.PATH;
    process.env.PATH = folder;
    try {
      const job = { path: gdb, member: null, driver: 'OpenFileGDB', folder, take: { layer: 'lots' } };
      await expect(convertWithGdal(job, TOO_LARGE_FOR_WASM)).rejects.toMatchObject({
        name: 'ReadError',
        code: 'format_unsupported',
        message: expect.stringMatching(/more than 1 GiB needs ogr2ogr.*install GDAL/),
      });
    } finally {
      process.env.PATH = path;
    }
  });

  it.each([0, 20, 200])('refuses a layer cut off at byte %i', async bytes => {
    const broken = join(folder, `cut${bytes}.gdb`);
    cpSync(gdb, broken, { recursive: true });
    const tables = readdirSync(broken).filter(n => n.endsWith('.gdbtable'));
    // Those after the catalog's own are the layers.
    for (const name of tables.slice(-2)) truncateSync(join(broken, name), bytes);
    const failure = await failureOf(broken, { layer: 'lots' });
    expect(failure).toMatchObject({ name: 'ReadError', file: broken });
    expect(['file_corrupt', 'file_truncated', 'part_missing']).toContain(failure.code);
    expect(leftovers()).toEqual([]);
  });
});

describe('a damaged zip of a geodatabase', () => {
  it('is refused or read as what it was, whichever bit was lost', async () => {
    const path = join(folder, 'squares.gdb.zip');
    const layers = { squares: { columns: { ID: { type: 'integer' } as const }, geometry: 'polygon' as const } };
    const writer = await createFileGdb(path, { folder: 'squares.gdb', crs: 'EPSG:4326', layers, durable: false });
    const random = dice(5);
    for (let i = 0; i < 200; i++) {
      const { properties, geometry } = square(i, random(), random(), random());
      writer.write('squares', { properties: { ID: properties.ID! }, geometry });
    }
    await writer.finish();
    const whole = await readRows(path);
    expect(whole).toHaveLength(200);
    const bytes = readFileSync(path);
    const hurt = join(folder, 'hurt.gdb.zip');
    let refused = 0;
    for (let i = 0; i < (LONG ? 30 : 10); i++) {
      const copy = Buffer.from(bytes);
      copy[Math.floor(random() * copy.length)]! ^= 1 << Math.floor(random() * 8);
      writeFileSync(hurt, copy);
      try {
        expect(await readRows(hurt)).toEqual(whole);
      } catch (error) {
        expect(error).toMatchObject({ name: 'ReadError', file: hurt });
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(LONG ? 20 : 6);
    expect(leftovers()).toEqual([]);
  });
});

describe('what is no geodatabase', () => {
  it('is refused before GDAL is loaded', async () => {
    const empty = join(folder, 'empty.gdb');
    mkdirSync(empty);
    expect(await failureOf(empty)).toMatchObject({ code: 'part_missing', file: empty });
    const other = join(folder, 'other.gdb.zip');
    writeFileSync(other, await zipOf({ 'a.txt': 'x' }));
    expect(await failureOf(other)).toMatchObject({
      code: 'part_missing',
      message: expect.stringMatching(/no file geo/),
    });
    writeFileSync(join(folder, 'text.gdb.zip'), 'text');
    expect(await failureOf(join(folder, 'text.gdb.zip'))).toMatchObject({ code: 'file_corrupt' });
    expect(await failureOf(join(folder, 'none.gdb'))).toMatchObject({ code: 'file_missing' });
    expect(existsSync(join(folder, 'layer.fgb'))).toBe(false);
  });

  it('is refused by GDAL when only its name is right', async () => {
    const garbage = join(folder, 'garbage.gdb');
    mkdirSync(garbage);
    writeFileSync(join(garbage, 'a00000001.gdbtable'), 'garbage');
    expect(await failureOf(garbage)).toMatchObject({
      code: 'file_corrupt',
      message: expect.stringMatching(/GDAL cannot read it/),
    });
  });
});

describe('commands of GDAL', () => {
  it('lists layers from its text', () => {
    const text =
      "INFO: Open of `x.gdb'\n\nLayer name: a b\nGeometry: 3D Multi Polygon\nFeature Count: 12\nFID Column = OBJECTID\n" +
      'Layer name: t\nGeometry: None\nFeature Count: 0\n';
    expect(layersOfListing(text)).toEqual([
      { name: 'a b', count: 12, fid: 'OBJECTID', geometry: true },
      { name: 't', count: 0, fid: null, geometry: false },
    ]);
  });

  it('quotes names', () => {
    const args = conversionArgs({ name: 'a"b', count: 1, fid: null, geometry: false });
    expect(args.at(-1)).toBe('SELECT * FROM "a\\"b"');
    expect(args).toContain('NONE');
  });
});
