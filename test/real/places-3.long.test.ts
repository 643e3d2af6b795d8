import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { boxOf } from '../../datasets/geometry.ts';
import type { Place } from '../../datasets/place/place.ts';
import type { IngestCount, Manifest } from '../../datasets/release.ts';
import { openSource } from '../../ingest/format.ts';
import { builtInPlace } from '../../pipelines/place/place-schema.ts';
import { type RunReport, run } from '../../pipelines/run.ts';
import { createEngine } from '../../query/engine/engine.ts';
import { currentId, readManifest } from '../../query/release/home/releases.ts';
import { containing } from '../oracle/features.ts';
import { exportedWhole } from '../pipelines/release/exported-whole.ts';
import { SILENT } from '../pipelines/silent.ts';
import { MISSING, present, SOURCES } from './bangor.ts';
import { publishedFeatures } from './published.ts';

if (!present) console.warn(MISSING);

const ingest = (home: string, place: Place): Promise<RunReport> =>
  run({ home, sources: SOURCES, place, threads: 2, progress: SILENT });

/** file → read, written, skipped, rejected, dissolved to. */
const summary = (counts: readonly IngestCount[]) =>
  Object.fromEntries(
    counts.map(c => [`${c.layer} ${c.file.split('/')[1]}`, [c.read, c.written, c.skipped, c.rejected, c.dissolvedTo]]),
  );

describe('Forest City and Washington', { tags: ['published-files'] }, () => {
  let home: string;
  let reports: RunReport[];
  let manifest: Manifest;
  let engine: Awaited<ReturnType<typeof createEngine>>;

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'plat-places-'));
    reports = [await ingest(home, builtInPlace('forest-city-nc')), await ingest(home, builtInPlace('washington-dc'))];
    const releases = join(home, 'releases');
    manifest = readManifest(releases, currentId(releases)!);
    engine = await createEngine({ home, workers: 1, memoryMb: 256, queue: 10 });
  }, 120_000);

  afterAll(async () => {
    await engine?.close();
    if (home) rmSync(home, { recursive: true, force: true });
  });

  const at = async (lng: number, lat: number, ...names: string[]) => {
    const answers = await engine.fetch(names, { lng, lat }, { deadline: Date.now() + 30_000 });
    return Object.fromEntries(names.map(name => [name, answers[name]!]));
  };

  async function properties(dataset: string, layer: string, place: string) {
    const rows: Record<string, unknown>[] = [];
    for (const partition of manifest.datasets[dataset]![layer]!.partitions.filter(p => p.place === place)) {
      const file = partition.files.find(f => f.role === 'features')!;
      const source = await openSource(join(home, 'releases', file.path));
      for await (const batch of source.rows()) rows.push(...batch.map(r => r.properties));
      await source.close();
    }
    return rows;
  }

  it('brings the counts of the published files', () => {
    expect(summary(reports[0]!.counts)).toEqual({
      // Three have no area, one no geometry; two whose rings cross by a slip of the pen are repaired.
      'main parcels.topojson': [7235, 7231, 0, 4, null],
      'main address_points.geojson.gz': [5693, 5693, 0, 0, null],
      'main zoning_stateplane.geojson.gz': [608, 386, 220, 2, null],
      'place municipal_limits.geojson.gz': [3, 3, 0, 0, 1],
    });
    const district = summary(reports[1]!.counts);
    const lots = Object.entries(district).filter(([name]) => name.startsWith('main parcels_recorded_'));
    expect(lots).toHaveLength(9);
    expect(lots.reduce((sum, [, [read]]) => sum + read!, 0)).toBe(5906);
    expect(lots.reduce((sum, [, [, , , rejected]]) => sum + rejected!, 0)).toBe(0);
    expect(district).toMatchObject({
      'main parcel_lots.geojson.gz': [1258, 1169, 89, 0, null],
      // One of 59 m² whose wing of 6 m² is wound the other way.
      'S_FLD_HAZ_AR flood_sfha.geojson.gz': [314, 313, 0, 1, null],
      'main wetlands.geojson.gz': [150, 122, 28, 0, null],
      'public_schools public_schools.geojson.gz': [122, 117, 5, 0, null],
      'tract census_tracts_2010.geojson.gz': [179, 179, 0, 0, null],
      'bg census_block_groups_2010.geojson.gz': [450, 450, 0, 0, null],
      'narn railroads.geojson.gz': [963, 862, 101, 0, null],
      'substation electric_substations.geojson': [19, 19, 0, 0, null],
    });
  });

  it('are exported whole', async () => {
    const { stored, exported } = await exportedWhole(manifest, join(home, 'releases'));
    expect(exported).toEqual(stored);
  });

  it('says why each parcel of Forest City was left out', () => {
    const [report] = reports;
    const parcels = report!.samples.filter(s => s.file.endsWith('parcels.topojson') && s.action === 'rejected');
    expect(parcels.length).toBeGreaterThanOrEqual(2);
    for (const { row, reason } of parcels) {
      expect(row).toBeGreaterThan(0);
      expect(reason).toMatch(/Too few points|Self-intersection|geometry/);
    }
  });

  it('gives parcels of several files one key each', async () => {
    for (const place of ['forest-city-nc', 'washington-dc']) {
      const keys = (await properties('parcel_store', 'main', place)).map(p => p.parcel_key);
      expect(keys).toHaveLength(place === 'forest-city-nc' ? 7231 : 7075);
      expect(new Set(keys).size).toBe(keys.length);
    }
  });

  it('puts state plane feet and quantized arcs on the same ground', async () => {
    const rows = await properties('local_zoning', 'main', 'forest-city-nc');
    expect(new Set(rows.map(r => r.ZONE))).toContain('R-15');
    const found = await at(-81.8652, 35.334, 'parcel_apn', 'parcel_address', 'nearest_address', 'place_name');
    expect(found.parcel_apn).toMatchObject({ status: 'ok', value: '1548586836' });
    expect(found.parcel_address).toMatchObject({ value: '102 W MAIN ST' });
    expect(found.nearest_address).toMatchObject({ status: 'ok', value: '104 W MAIN ST' });
    expect(found.place_name).toMatchObject({ value: 'Forest City town' });
  });

  it('strips what the roll pads addresses with', async () => {
    const rows = await properties('parcel_store', 'main', 'forest-city-nc');
    const texts = rows.map(r => r.address as string | null).filter(text => text !== null);
    expect(texts.filter(text => /^0 | {2}/.test(text))).toEqual([]);
    const points = await properties('usdot_nad', 'main', 'forest-city-nc');
    expect(points.filter(p => p.AddNo_Full === null)).toEqual([]);
    expect(points.filter(p => p.StNam_Full === null)).toHaveLength(1);
  });

  it('does not say whether ground is in the floodplain whose polygon has no attribute', async () => {
    const zones = publishedFeatures('washington-dc/flood_sfha.geojson.gz').map(({ geometry, properties: p }) => ({
      geometry,
      box: boxOf(geometry),
      key: String(p.FLD_ZONE ?? '').trim(),
    }));
    let asked = 0;
    for (const { box } of zones.filter(zone => zone.key === ''))
      for (let i = 1; i < 400; i++) {
        const lng = box[0] + (box[2] - box[0]) * ((i * 0.6180339887) % 1);
        const lat = box[1] + (box[3] - box[1]) * ((i * 0.7548776662) % 1);
        const inside = containing(zones, lng, lat).map(({ key }) => key);
        if (!inside.length || inside.some(key => key !== '')) continue;
        const { within_floodplain_polygon, fema_flood_zone } = await at(
          lng,
          lat,
          'within_floodplain_polygon',
          'fema_flood_zone',
        );
        expect(within_floodplain_polygon).toMatchObject({
          status: 'absent',
          value: null,
          notes: expect.stringContaining('what decides (SFHA_TF) is empty or unknown'),
        });
        expect(fema_flood_zone).toMatchObject({ status: 'absent', value: null });
        if (++asked % 5 === 0) break;
      }
    expect(asked).toBeGreaterThan(5);
  });

  it('answers for a recorded lot of the District, and knows no other', async () => {
    const lot = await at(-77.0447, 38.9067, 'parcel_apn', 'parcel_address', 'parcel_assessed_value_usd', 'tract_geoid');
    expect(lot.parcel_apn).toMatchObject({ status: 'ok', value: '0116    0850' });
    expect(lot.parcel_address).toMatchObject({ value: '1233-1243 20TH ST NW' });
    expect(lot.parcel_assessed_value_usd).toMatchObject({ value: 65_243_760 });
    expect(lot.tract_geoid).toMatchObject({ value: '11001010700' });
    const other = await at(-77.0365, 38.8977, 'parcel_apn', 'nearest_rail_line_distance_m', 'coastal_high_hazard');
    for (const answer of Object.values(other)) expect(answer.status).toBe('absent');
  });

  it('repairs the flood zone whose ring crosses itself, and keeps the ground of the one that is in doubt', async () => {
    const names = ['fema_flood_zone', 'within_floodplain_polygon', 'nearest_sfha_distance_m'];
    const repaired = await at(-77.01143350117087, 38.88285924985, ...names);
    expect(repaired.fema_flood_zone).toMatchObject({ status: 'ok', value: 'AE' });
    expect(repaired.within_floodplain_polygon).toMatchObject({ status: 'ok', value: true });
    const { files } = manifest.datasets.fema_nfhl!.S_FLD_HAZ_AR!.partitions.find(p => p.place === 'washington-dc')!;
    const [row] = readFileSync(join(home, 'releases', files.find(f => f.role === 'rejects')!.path), 'utf8')
      .split('\n')
      .filter(line => line.includes('"rejected"'))
      .map(line => JSON.parse(line));
    expect(row).toMatchObject({
      row: 46,
      readings: { evenOdd: expect.closeTo(58.84, 1), wound: expect.closeTo(52.89, 1) },
    });
    const doubtful = await at(-76.95321019900555, 38.90629073053848, ...names);
    for (const [name, answer] of Object.entries(doubtful))
      expect([name, answer]).toEqual([
        name,
        expect.objectContaining({
          status: 'absent',
          notes: expect.stringMatching(/^One of the flood hazard areas \(dc_crs_sfha\) here was rejected: Self-i/),
        }),
      ]);
  });

  it('refuses developments that lie in the Atlantic and leaves the release as it is', async () => {
    const washington = builtInPlace('washington-dc');
    const zoning = builtInPlace('forest-city-nc').layers.find(l => l.dataset === 'local_zoning')!;
    const { coverage: _, where: __, ...layer } = zoning;
    const puds = {
      ...layer,
      file: 'washington-dc/zoning_puds.geojson.gz',
      expectRows: 249,
      columns: { ZONE: 'PUD_ZONING' },
    };
    await expect(ingest(home, { ...washington, layers: [puds] })).rejects.toThrow(
      /zoning_puds.*do not touch the coverage of washington-dc.*CRS/,
    );
    expect(currentId(join(home, 'releases'))).toBe(manifest.id);
    expect(readdirSync(join(home, 'releases', 'tmp'))).toEqual([]);
  });
});
