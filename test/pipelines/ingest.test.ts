import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Place, PlaceLayer } from '../../datasets/place/place.ts';
import type { Manifest } from '../../datasets/release.ts';
import { openSource } from '../../ingest/format.ts';
import { plan } from '../../pipelines/place/plan.ts';
import { type RunOptions, run } from '../../pipelines/run.ts';
import { LockedError, takeLock } from '../../query/release/home/lock.ts';
import { currentId, readManifest } from '../../query/release/home/releases.ts';
import { SILENT } from './silent.ts';
import { FILES, feature, folder, provenance, square, village, wetlands, writeFiles, zoning } from './village.ts';

let home: string;
let sources: string;
const releases = () => join(home, 'releases');

beforeEach(() => {
  home = folder();
  sources = folder();
  writeFiles(sources, FILES);
});
afterEach(() => {
  for (const path of [home, sources]) rmSync(path, { recursive: true, force: true });
});

const ingest = (place: Place = village, more: Partial<RunOptions> = {}) =>
  run({ home, sources, place, threads: 0, progress: SILENT, ...more });

const current = (): Manifest => readManifest(releases(), currentId(releases())!);

/** Every file below the store, by path. */
const stored = () =>
  existsSync(join(releases(), 'files'))
    ? readdirSync(join(releases(), 'files'), { recursive: true, encoding: 'utf8' })
        .filter(p => p.includes('.'))
        .sort()
    : [];

async function rowsOf(dataset: string, layer: string, role: string) {
  const rows: Record<string, unknown>[] = [];
  for (const partition of current().datasets[dataset]![layer]!.partitions)
    for (const file of partition.files.filter(f => f.role === role)) {
      const source = await openSource(join(releases(), file.path));
      for await (const batch of source.rows()) rows.push(...batch.map(r => r.properties));
      await source.close();
    }
  return rows;
}

describe('an ingest', () => {
  it('leaves out a single feature whose geometry is of a kind that is not read, and keeps its ground', async () => {
    const members = [
      { type: 'Polygon', coordinates: [square(-68.89, 44.01)] },
      { type: 'LineString', coordinates: square(-68.89, 44.01) },
    ];
    const geometry = { type: 'GeometryCollection', geometries: members };
    const mixed = { type: 'Feature', properties: { code: 'PEM1' }, geometry };
    writeFiles(sources, { 'wetlands.geojson': [...FILES['wetlands.geojson'], mixed] });
    const report = await ingest();
    expect(report.counts[0]).toMatchObject({ read: 7, written: 4, rejected: 3 });
    const left = await rowsOf('usfws_nwi', 'main', 'rejected');
    expect(left.find(({ rejected_row: row }) => row === 7)).toMatchObject({
      rejected_reason: 'a GeometryCollection of lines and polygons is not read; split it by type',
      rejected_located: true,
      ATTRIBUTE: 'PEM1',
    });
  });

  it('publishes counts that add up, and names every row left out or repaired', async () => {
    const report = await ingest();
    const [wet, zones] = report.counts;
    expect(wet).toMatchObject({ read: 6, written: 4, rejected: 2, skipped: 0, repaired: 1, dissolvedTo: null });
    expect(zones).toMatchObject({ read: 3, written: 3, rejected: 0, skipped: 0, repaired: 0 });
    const partition = current().datasets.usfws_nwi!.main!.partitions[0]!;
    const rejects = readFileSync(join(releases(), partition.files.find(f => f.role === 'rejects')!.path), 'utf8')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(rejects.map(r => [r.file, r.row, r.action])).toEqual([
      ['wetlands.geojson', 3, 'rejected'],
      ['wetlands.geojson', 4, 'repaired'],
      ['wetlands.geojson', 5, 'rejected'],
    ]);
    expect(rejects[0].reason).toMatch(/^Self-intersection\[-68\.945 44\.015\]/);
    expect(rejects[1].reason).toContain('unclosed');
    expect(rejects[2].reason).toBe('no geometry');
  });

  it('stores the normal schema under the place, state and county it belongs to', async () => {
    await ingest();
    const manifest = current();
    expect(await rowsOf('local_zoning', 'main', 'features')).toContainEqual({ ZONE: 'URD-1', CONTRACT: null });
    const { partitions, columns } = manifest.datasets.usfws_nwi!.main!;
    expect(columns).toEqual(expect.arrayContaining(['ATTRIBUTE', 'WETLAND_TYPE', 'ACRES']));
    expect(partitions.reduce((sum, p) => sum + p.rows, 0)).toBe(4);
    for (const partition of partitions) {
      expect(partition).toMatchObject({ place: 'village', coverage: 'polygon', unpublished: ['ACRES'] });
      expect(partition.key).toMatch(/^(US|ME(\/.+)?)$/);
      expect(partition.provenance).toMatchObject({ source: 'village_files', synthetic: false });
      expect(partition.files.map(f => f.role)).toContain('coverage');
    }
    for (const { path, sha256 } of partitions.flatMap(p => p.files))
      expect(path).toMatch(new RegExp(`^files/${sha256.slice(0, 2)}/${sha256}\\.(fgb|parquet|ndjson)$`));
  });

  it('run again on the same files changes nothing', async () => {
    const first = await ingest();
    const files = stored();
    const second = await ingest(village, { now: new Date(Date.now() + 86_400_000) });
    expect(first.changed).toBe(true);
    expect(second.changed).toBe(false);
    expect(second.release).toBe(first.release);
    expect(stored()).toEqual(files);
  });

  it('in another home makes the same files', async () => {
    const now = new Date();
    await ingest(village, { now });
    const files = stored();
    rmSync(home, { recursive: true });
    await ingest(village, { now });
    expect(stored()).toEqual(files);
  });

  it('of another place adds to the release; of the same place replaces its own and shares what did not change', async () => {
    await ingest();
    const before = current();
    const hamlet: Place = { ...village, name: 'hamlet', county: '23027', layers: [zoning] };
    const second = await ingest(hamlet);
    expect(second.previous).toBe(before.id);
    const places = (m: Manifest) => m.datasets.local_zoning!.main!.partitions.map(p => p.place).sort();
    expect(places(current())).toEqual(['hamlet', 'village']);
    expect(current().datasets.usfws_nwi).toEqual(before.datasets.usfws_nwi);
    for (const place of [village, hamlet, village]) expect((await ingest(place)).changed).toBe(false);

    writeFiles(sources, { 'zoning.geojson': FILES['zoning.geojson'].slice(0, 2) });
    await ingest();
    const after = current();
    expect(places(after)).toEqual(['hamlet', 'village']);
    expect(after.datasets.local_zoning!.main!.partitions.map(p => p.rows).sort()).toEqual([2, 3]);
    expect(after.datasets.usfws_nwi!.main!.version).toBe(before.datasets.usfws_nwi!.main!.version);
    expect(after.datasets.usfws_nwi!.main!.partitions).toEqual(before.datasets.usfws_nwi!.main!.partitions);
    expect(after.ingests.filter(c => c.place === 'village')).toHaveLength(2);
  });

  it('skips rows by where, joins a second file, dissolves by key', async () => {
    writeFileSync(join(sources, 'kinds.csv'), 'zone,kind\nurd-1,town\nldr,\n');
    const joined: PlaceLayer = {
      ...zoning,
      join: { file: 'kinds.csv', prefix: 'k', key: 'zone', to: 'zone' },
      columns: { ZONE: 'zone', CONTRACT: 'k.kind' },
      unpublished: [],
      dissolve: 'ZONE',
    };
    const report = await ingest({ ...village, layers: [joined, { ...wetlands, where: "code = 'PEM1'" }] });
    expect(report.counts[0]).toMatchObject({ read: 3, written: 3, dissolvedTo: 2 });
    expect(report.counts[1]).toMatchObject({ read: 6, skipped: 2, rejected: 2, written: 2 });
    expect(await rowsOf('local_zoning', 'main', 'features')).toEqual(
      expect.arrayContaining([
        { ZONE: 'urd-1', CONTRACT: 'town' },
        { ZONE: 'ldr', CONTRACT: null },
      ]),
    );
  });

  it('fills one layer from several files, each under its own state and county', async () => {
    cpSync(join(sources, 'zoning.geojson'), join(sources, 'other.geojson'));
    const other: PlaceLayer = { ...zoning, file: 'other.geojson', state: 'NH', county: '33015' };
    const place: Place = { ...village, layers: [zoning, other, wetlands] };
    const report = await ingest(place);
    expect(report.counts.map(c => [c.file, c.written])).toEqual([
      ['zoning.geojson', 3],
      ['other.geojson', 3],
      ['wetlands.geojson', 4],
    ]);
    expect(current().datasets.local_zoning!.main!.partitions.map(p => [p.key, p.rows])).toEqual([
      ['ME/23019', 3],
      ['NH/33015', 3],
    ]);
    expect((await ingest(place)).changed).toBe(false);
  });

  it('keeps an empty layer, so that its coverage can answer no', async () => {
    await ingest({ ...village, layers: [{ ...wetlands, where: "code = 'NONE'" }] });
    const { partitions } = current().datasets.usfws_nwi!.main!;
    expect(partitions).toHaveLength(1);
    expect(partitions[0]).toMatchObject({ rows: 0, coverage: 'polygon' });
  });
});

describe('an ingest that fails publishes nothing and says why', () => {
  const broken = async (place: Place, message: RegExp) => {
    await ingest();
    const before = current();
    const files = stored();
    await expect(ingest(place)).rejects.toThrow(message);
    expect(current()).toEqual(before);
    expect(stored()).toEqual(files);
    expect(readdirSync(join(releases(), 'tmp'))).toEqual([]);
  };

  it('another number of rows than the publisher has', () =>
    broken(
      { ...village, layers: [zoning, { ...wetlands, expectRows: 7 }] },
      /wetlands\.geojson: expected 7 rows, read 6/,
    ));

  it('a missing file', () =>
    broken(
      { ...village, layers: [{ ...wetlands, file: 'gone.geojson' }] },
      /1 of 2 files are not in .*: gone\.geojson/,
    ));

  it('a column that no row has', () =>
    broken(
      { ...village, layers: [{ ...zoning, columns: { ZONE: 'zoen' } }] },
      /zoning\.geojson: no column "zoen" \(nearest: `zone`\); the file has zone/,
    ));

  it('coordinates that lie elsewhere than the coverage', async () => {
    writeFiles(sources, { 'far.geojson': [feature('Polygon', [square(-100, 44)], { code: 'PEM1' })] });
    await broken(
      { ...village, layers: [{ ...wetlands, file: 'far.geojson' }] },
      /do not touch the coverage of village/,
    );
  });

  it('in a worker thread, with the message of the layer at fault', async () => {
    const place = { ...village, layers: [wetlands, { ...zoning, expectRows: 9 }, wetlands] };
    await expect(ingest(place, { threads: 2 })).rejects.toThrow('zoning.geojson: expected 9 rows, read 3');
    expect(currentId(releases())).toBeNull();
    expect(readdirSync(join(releases(), 'tmp'))).toEqual([]);
    expect((await ingest(village, { threads: 2 })).changed).toBe(true);
  });

  it('an order to stop', async () => {
    await expect(ingest(village, { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
    expect(currentId(releases())).toBeNull();
  });

  it('every row rejected', async () => {
    writeFiles(sources, { 'points.geojson': [feature('Point', [-68.9, 44.1], { code: 'PEM1' })] });
    await broken(
      { ...village, layers: [{ ...wetlands, file: 'points.geojson' }] },
      /points\.geojson: all 1 rows were rejected; the first: row 1: Point in a layer of polygons/,
    );
  });

  it('a truncated file', async () => {
    const text = readFileSync(join(sources, 'wetlands.geojson'), 'utf8');
    writeFileSync(join(sources, 'cut.geojson'), text.slice(0, text.length / 2));
    await broken({ ...village, layers: [{ ...wetlands, file: 'cut.geojson' }] }, /cut\.geojson/);
  });
});

describe('the releases folder', () => {
  it('lets one ingest at a time change it', async () => {
    const lock = takeLock(releases(), 'a test');
    await expect(ingest()).rejects.toThrow(LockedError);
    await expect(ingest()).rejects.toThrow(`process ${process.pid} (a test`);
    lock.release();
    expect((await ingest()).changed).toBe(true);
  });

  it('is cleaned of what killed runs left, and of nothing a release names', async () => {
    await ingest();
    const files = stored();
    cpSync(join(releases(), 'files', files[0]!), join(releases(), 'tmp', '99-dead', 'x.fgb'), { recursive: true });
    const orphan = join(releases(), 'files', 'aa', `${'a'.repeat(64)}.fgb`);
    cpSync(join(releases(), 'files', files[0]!), orphan, { recursive: true });
    writeFileSync(join(releases(), 'current.99.partial'), 'half');
    const report = await ingest();
    expect(report.cleaned).toBe(3);
    expect(stored()).toEqual(files);
    expect(readdirSync(releases()).filter(n => n.endsWith('.partial'))).toEqual([]);
  });

  it('heals a stored file that was damaged when the same content comes again', async () => {
    await ingest();
    const [file] = current().datasets.local_zoning!.main!.partitions[0]!.files;
    const path = join(releases(), file!.path);
    const good = readFileSync(path);
    writeFileSync(path, Buffer.alloc(good.length));
    await ingest();
    expect(readFileSync(path)).toEqual(good);
  });
});

describe('a plan', () => {
  it('says what would be read and written, and what is missing', async () => {
    rmSync(join(sources, 'zoning.geojson'));
    const planned = await plan(village, sources);
    expect(planned.missing).toEqual(['zoning.geojson']);
    expect(planned.layers.map(l => [l.dataset, l.writes[0], l.coverage])).toEqual([
      ['usfws_nwi', 'FlatGeobuf', 'polygon'],
      ['local_zoning', 'FlatGeobuf', 'polygon'],
    ]);
    expect(planned.sources.map(s => s.file)).toEqual(['wetlands.geojson', 'zoning.geojson', 'boundary.geojson']);
    expect(existsSync(releases())).toBe(false);
    expect(provenance.source).toBe(planned.layers[0]!.source);
  });
});
