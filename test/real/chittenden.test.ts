import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { boxOf } from '../../datasets/geometry.ts';
import type { Manifest } from '../../datasets/release.ts';
import { builtInPlace } from '../../pipelines/place/place-schema.ts';
import { type RunReport, run } from '../../pipelines/run.ts';
import { createEngine } from '../../query/engine/engine.ts';
import { currentId, readManifest } from '../../query/release/home/releases.ts';
import { duckdb } from '../../query/release/table.ts';
import { containing } from '../oracle/features.ts';
import { fromGeoJSON, type Polygonal } from '../oracle/geojson.ts';
import { exportedWhole } from '../pipelines/release/exported-whole.ts';
import { SILENT } from '../pipelines/silent.ts';
import { MISSING, present, SOURCES } from './bangor.ts';

if (!present) console.warn(MISSING);

/** A published GeoJSON file, parsed by nothing of Plat. */
function published(file: string, key: string) {
  const { features } = JSON.parse(
    gunzipSync(readFileSync(join(SOURCES, file))).toString('utf8'),
  ) as GeoJSON.FeatureCollection<Polygonal>;
  return features.flatMap(f => {
    if (!f.geometry) return [];
    const geometry = fromGeoJSON(f.geometry);
    return [{ key: String(f.properties?.[key]), geometry, box: boxOf(geometry) }];
  });
}

describe('the real Chittenden County', { tags: ['published-files'] }, () => {
  let home: string;
  let report: RunReport;
  let manifest: Manifest;
  let engine: Awaited<ReturnType<typeof createEngine>>;

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'plat-chittenden-'));
    report = await run({ home, sources: SOURCES, place: builtInPlace('chittenden-vt'), threads: 2, progress: SILENT });
    const releases = join(home, 'releases');
    manifest = readManifest(releases, currentId(releases)!);
    engine = await createEngine({ home, workers: 1, memoryMb: 256, queue: 10 });
  }, 120_000);
  afterAll(async () => {
    await engine?.close();
    if (home) rmSync(home, { recursive: true, force: true });
  });

  it('is exported whole', async () => {
    const { stored, exported } = await exportedWhole(manifest, join(home, 'releases'));
    expect(exported).toEqual(stored);
  });

  it('reads every published row', () => {
    const counts = Object.fromEntries(
      report.counts.map(c => [`${c.dataset}:${c.layer}`, [c.read, c.written, c.skipped, c.rejected]]),
    );
    expect(counts).toMatchObject({
      'census_tiger:county': [1, 1, 0, 0],
      // The ring of Williston crosses itself, which is repaired: 544 m² of 80 km² are wound the other way.
      'census_tiger:cousub': [18, 18, 0, 0],
      'usgs_wbd:WBDHU12': [22, 22, 0, 0],
      'fema_nri:county': [3142, 3142, 0, 0],
      'tz_boundaries:main': [13, 8, 5, 0],
    });
    const [read, written, skipped, rejected] = counts['usfws_nwi:main']!;
    expect([read, skipped]).toEqual([2676, 0]);
    expect(written! + rejected!).toBe(2676);
  });

  it('names subwatershed, town and wetland as the published polygons do', async () => {
    const basins = published('chittenden-vt/huc12_subwatersheds.geojson.gz', 'HUC_12');
    const towns = published('chittenden-vt/towns.geojson.gz', 'TOWNNAMEMC');
    const wetlands = published('chittenden-vt/wetlands_vswi.geojson.gz', 'name');
    const names = ['huc_12', 'county_subdivision_name', 'within_nwi_wetland', 'nwi_wetland_code', 'timezone'];
    let compared = 0;
    let wet = 0;
    for (let i = 0; i < 80; i++) {
      // Every third point in the middle of a wetland's box.
      const [west, south, east, north] = wetlands[(i * 31) % wetlands.length]!.box;
      const lng = i % 3 ? -73.25 + ((i * 0.6180339887) % 1) * 0.4 : (west + east) / 2;
      const lat = i % 3 ? 44.25 + ((i * 0.7548776662) % 1) * 0.4 : (south + north) / 2;
      const answers = await engine.fetch(names, { lng, lat }, { deadline: Date.now() + 30_000 });
      if (answers.huc_12!.notes?.startsWith('outside the coverage')) continue;
      const at = (rows: ReturnType<typeof published>) => {
        const near = rows.filter(({ box: b }) => b[0] <= lng && lng <= b[2] && b[1] <= lat && lat <= b[3]);
        return containing(near, lng, lat).map(f => f.key);
      };
      compared++;
      expect(answers.huc_12!.value).toBe(at(basins)[0] ?? null);
      expect(answers.huc_12!.source).toBe('usgs_wbd');
      expect(answers.county_subdivision_name!.value).toBe(at(towns)[0] ?? null);
      // The inventory publishes no codes, by which wetland is told from deep water: absent with that reason, no guess.
      const inside = at(wetlands).length > 0;
      for (const name of ['nwi_wetland_code', 'within_nwi_wetland'])
        expect(answers[name], name).toMatchObject({ status: 'absent', value: null });
      if (inside)
        expect(answers.nwi_wetland_code!.notes).toMatch(/\(ATTRIBUTE\).*Stands in for wetlands \(usfws_nwi\)/);
      expect(answers.timezone!.value).toBe('America/New_York');
      if (inside) wet++;
    }
    expect(compared).toBeGreaterThan(40);
    expect(wet).toBeGreaterThan(5);
  });

  it('is not sure of a time zone that generalised boundaries give: Phoenix keeps its own', async () => {
    const phoenix = { lng: -112.074, lat: 33.448 };
    const { timezone } = await engine.fetch(['timezone'], phoenix, { deadline: Date.now() + 30_000 });
    expect(timezone).toMatchObject({ status: 'ok', source: 'natural_earth_time_zones', confidence: 'medium' });
  });

  it('keys the county risk index by five digits', async () => {
    const [partition] = manifest.datasets.fema_nri!.county!.partitions;
    const file = partition!.files.find(f => f.role === 'rows')!;
    const db = await duckdb();
    const stored = await db.runAndReadAll('SELECT * FROM read_parquet(?)', [join(home, 'releases', file.path)]);
    const rows = new Map(stored.getRowObjects().map(row => [row.STCOFIPS, row]));
    const text = gunzipSync(readFileSync(join(SOURCES, 'national/fema_nri_counties.csv.gz'))).toString('utf8');
    const [header, ...lines] = text
      .replace(/^\uFEFF/, '')
      .trim()
      .split(/\r?\n/)
      .map(line => line.split(','));
    const of = (line: string[], name: string) => line[header!.indexOf(name)]!;
    expect(rows.size).toBe(lines.length);
    for (const line of lines.filter((l, i) => i % 50 === 0 || of(l, 'STCOFIPS') === '50007')) {
      const row = rows.get(of(line, 'STCOFIPS').padStart(5, '0'))!;
      expect(row.RISK_SCORE).toBe(Number(of(line, 'RISK_SCORE')));
      expect(row.RISK_RATNG).toBe(of(line, 'RISK_RATNG'));
      expect(row.EAL_VALT).toBe(Number(of(line, 'EAL_VALT')));
    }
    expect(rows.get('50007')!.RISK_RATNG).toBe('Very Low');
  });
});
