import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtInPlace } from '../../pipelines/place/place-schema.ts';
import { type RunReport, run } from '../../pipelines/run.ts';
import { createEngine } from '../../query/engine/engine.ts';
import { openRelease } from '../../query/release/open-release.ts';
import { fromGeoJSON, type Polygonal } from '../oracle/geojson.ts';
import { nearestPoints, Survey } from '../oracle/survey.ts';
import { exportedWhole } from '../pipelines/release/exported-whole.ts';
import { SILENT } from '../pipelines/silent.ts';
import { MISSING, present, SOURCES } from './bangor.ts';

if (!present) console.warn(MISSING);

interface Collection {
  readonly features: readonly { readonly properties: Record<string, string | number>; readonly geometry: Polygonal }[];
}

const readJson = (file: string): Collection => {
  const bytes = readFileSync(join(SOURCES, file));
  return JSON.parse((file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString());
};

describe('Mecklenburg and the metropolitan areas', { tags: ['published-files'] }, () => {
  let home: string;
  let report: RunReport;
  let engine: Awaited<ReturnType<typeof createEngine>>;
  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'plat-mecklenburg-'));
    report = await run({ home, sources: SOURCES, place: builtInPlace('mecklenburg-nc'), threads: 0, progress: SILENT });
    engine = await createEngine({ home, workers: 1, memoryMb: 128, queue: 10 });
  }, 120_000);
  afterAll(async () => {
    await engine?.close();
    if (home) rmSync(home, { recursive: true, force: true });
  });

  const at = async (lng: number, lat: number, ...names: string[]) =>
    engine.fetch(names, { lng, lat }, { deadline: Date.now() + 30_000 });

  it('reads every row: counties without a metropolitan area are left out, the others united by it', () => {
    const rows = parse(readFileSync(join(SOURCES, 'national/cbsa_county_crosswalk.csv')), { columns: true }) as Record<
      string,
      string
    >[];
    const cbsa = report.counts.find(count => count.layer === 'cbsa')!;
    const codes = new Set(rows.map(row => row.cbsacode).filter(Boolean));
    expect(cbsa.read).toBe(3_221);
    expect(cbsa.rejected).toBe(0);
    expect(cbsa.written).toBeGreaterThan(1_800);
    expect(cbsa.written + cbsa.skipped).toBe(3_221);
    // Areas of counties that the borders of 2010 do not have are missing.
    expect(cbsa.dissolvedTo).toBeGreaterThan(codes.size - 5);
    expect(cbsa.dissolvedTo).toBeLessThanOrEqual(codes.size);
  });

  it('is exported whole', async () => {
    const { stored, exported } = await exportedWhole(openRelease(home).manifest, join(home, 'releases'));
    expect(exported).toEqual(stored);
  });

  it('answers the metropolitan area that the crosswalk gives for the county of a place', async () => {
    const places = [
      ['37119', -80.843, 35.227],
      ['06037', -118.25, 34.05],
      ['17031', -87.7, 41.85],
      ['23019', -68.77, 44.8],
      // Piscataquis County, Maine, is in none.
      ['23021', -69.3, 45.8],
    ] as const;
    const rows = parse(readFileSync(join(SOURCES, 'national/cbsa_county_crosswalk.csv')), { columns: true }) as Record<
      string,
      string
    >[];
    for (const [fips, lng, lat] of places) {
      const row = rows.find(one => `${one.fipsstatecode_2}${one.fipscountycode_3}` === fips);
      const { cbsa_code, cbsa_name } = await at(lng, lat, 'cbsa_code', 'cbsa_name');
      expect(cbsa_code!.value, fips).toBe(row?.cbsacode ?? null);
      expect(cbsa_name!.value, fips).toBe(row?.cbsatitle ?? null);
      expect(cbsa_code!.source).toBe('omb_cbsa_delineation_2020');
    }
  });

  it('answers the district and the nearest school of its files', async () => {
    const districts = new Survey(
      readJson('mecklenburg-nc/congressional_districts.geojson.gz').features.map(f => ({
        geometry: fromGeoJSON(f.geometry),
        value: Number(f.properties.district),
      })),
    );
    const schools = new Survey(
      readJson('mecklenburg-nc/schools.geojson').features.map(f => ({
        geometry: fromGeoJSON(f.geometry as never),
        value: String(f.properties.name),
      })),
    );
    const seen = new Set<unknown>();
    for (let i = 0; i < 40; i++) {
      const [lng, lat] = [-81 + ((i * 0.618) % 1) * 0.38, 35.05 + ((i * 0.755) % 1) * 0.42];
      const answers = await at(
        lng,
        lat,
        'congressional_district',
        'nearest_public_school_distance_m',
        'nearest_public_school_name',
      );
      const [district] = districts.at(lng, lat);
      const expected = district ? `37${String(district.value).padStart(2, '0')}` : null;
      expect(answers.congressional_district!.value).toBe(expected);
      seen.add(expected);
      if (!district) continue;
      const [nearest, second] = nearestPoints(schools, lng, lat, 50);
      expect(Math.abs((answers.nearest_public_school_distance_m!.value as number) - nearest!.metres)).toBeLessThan(
        0.11,
      );
      if (!second) expect(answers.nearest_public_school_name!.value).toBe(nearest!.feature.value);
    }
    // Two of the districts and places beyond the county; the third has a corner of it.
    expect(seen.size).toBeGreaterThanOrEqual(3);
  });
});
