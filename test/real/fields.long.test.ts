import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../datasets/catalog.ts';
import { boxOf } from '../../datasets/geometry.ts';
import type { Answer } from '../../query/evaluate/answer.ts';
import { evaluate } from '../../query/evaluate/evaluate.ts';
import { createCache } from '../../query/release/cache.ts';
import { openRelease } from '../../query/release/open-release.ts';
import { containing, type Feature, nearest } from '../oracle/features.ts';
import { squareMetres } from '../oracle/geodesic.ts';
import { fromGeoJSON, type Polygonal, toGeoJSON } from '../oracle/geojson.ts';
import { type Bangor, ingestBangor, MISSING, present, SOURCES } from './bangor.ts';

const ogr = spawnSync('ogr2ogr', ['--version']).status === 0;
const ready = present && ogr;
if (!ready) console.warn(present ? 'skipped: ogr2ogr is not there (Debian package gdal-bin)' : MISSING);

/** Reads a published file with GDAL, which projects it with PROJ: nothing of Plat touches it. */
function published(file: string, key: string): Feature[] {
  const text = execFileSync(
    'ogr2ogr',
    [
      '-f',
      'GeoJSON',
      '-t_srs',
      'EPSG:4326',
      '-dim',
      'XY',
      '-lco',
      'COORDINATE_PRECISION=15',
      '/vsistdout/',
      join(SOURCES, file),
    ],
    { encoding: 'utf8', maxBuffer: 1 << 30, stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const { features } = JSON.parse(text) as GeoJSON.FeatureCollection<Polygonal>;
  return features
    .filter(f => f.geometry)
    .map(f => ({ key: String(f.properties?.[key] ?? ''), geometry: fromGeoJSON(f.geometry) }));
}

/** Features whose box comes within some degrees of a point: brute force on 17,690 buildings takes minutes otherwise. */
const around = (features: readonly Feature[], lng: number, lat: number, degrees: number) =>
  features.filter(({ geometry }) => {
    const [west, south, east, north] = boxOf(geometry);
    return west - degrees <= lng && lng <= east + degrees && south - degrees <= lat && lat <= north + degrees;
  });

const covered = (answer: Record<string, Answer>) =>
  answer.building_at_point!.notes !== 'outside the coverage of buildings (fema_usa_structures)';

describe('fields of the real Bangor, against its published files read by GDAL', {
  tags: ['published-files', 'GDAL'],
}, () => {
  let bangor: Bangor;
  const points = Array.from({ length: 40 }, (_, i) => ({
    lng: -68.82 + ((i * 0.6180339887) % 1) * 0.08,
    lat: 44.79 + ((i * 0.7548776662) % 1) * 0.05,
  }));
  const answers: Record<string, Answer>[] = [];
  beforeAll(async () => {
    bangor = await ingestBangor();
    const release = openRelease(bangor.home);
    const cache = createCache(256);
    const names = [
      'building_at_point',
      'nearest_building_distance_m',
      'parcel_apn',
      'parcel_area_m2',
      'parcel_match_type',
      'nearest_wetland_distance_m',
      'state_house_district',
      'urban_area_name',
    ];
    for (const at of points)
      answers.push(await evaluate(names, at, { release, catalog, cache, deadline: Date.now() + 20_000 }));
  });
  afterAll(() => bangor?.remove());

  it('finds the buildings that the city drew', () => {
    const buildings = published('bangor-me/buildings.shp.zip', 'OBJECTID');
    let inside = 0;
    let compared = 0;
    let measured = 0;
    for (const [i, { lng, lat }] of points.entries()) {
      const close = around(buildings, lng, lat, 0);
      const hits = containing(close, lng, lat);
      const { building_at_point, nearest_building_distance_m } = answers[i]!;
      if (!covered(answers[i]!)) {
        // Beyond the city limits nothing is mapped, which is no statement about buildings.
        expect(building_at_point).toMatchObject({ status: 'absent', value: null });
        continue;
      }
      compared++;
      expect(building_at_point!.value).toBe(hits.length > 0);
      // The oracle refines every edge of every building, so it gets a few points and those within 120 m of them.
      const closest = i % 4 === 0 ? nearest(around(buildings, lng, lat, 0.0017), lng, lat, 120) : null;
      if (closest) {
        expect(Math.abs((nearest_building_distance_m!.value as number) - closest.metres)).toBeLessThan(0.15);
        measured++;
      }
      if (hits.length) inside++;
    }
    expect(inside).toBeGreaterThan(0);
    expect(compared).toBeGreaterThan(20);
    expect(measured).toBeGreaterThan(0);
  });

  it('names the house district and the urban area that the city drew', () => {
    const districts = published('bangor-me/legislative_districts.geojson', 'District');
    const urban = published('bangor-me/urbanized_area.geojson', 'SHAPE_area');
    const seen = new Set<unknown>();
    for (const [i, { lng, lat }] of points.entries()) {
      if (!covered(answers[i]!)) continue;
      const [district] = containing(districts, lng, lat);
      const { state_house_district, urban_area_name } = answers[i]!;
      expect(state_house_district!.value).toBe(district ? `State House District ${district.key}` : null);
      expect(urban_area_name!.value).toBe(containing(urban, lng, lat).length ? 'Bangor, ME' : null);
      seen.add(state_house_district!.value);
    }
    expect(seen.size).toBeGreaterThan(2);
  });

  it('matches the parcels that the assessor maps', () => {
    // Roads and water are numbered by their names.
    const parcels = published('bangor-me/parcels_with_assessor.shp.zip', 'MAPLOTUNIT').filter(({ key }) =>
      /^[A-Z]?\d+-/.test(String(key)),
    );
    let compared = 0;
    for (const [i, { lng, lat }] of points.entries()) {
      const hits = containing(around(parcels, lng, lat, 0), lng, lat);
      const { parcel_apn, parcel_area_m2, parcel_match_type } = answers[i]!;
      if (hits.length > 1) expect(parcel_apn!.status).toBe('absent');
      if (hits.length === 0) expect(parcel_match_type!.value ?? null).not.toBe('contains');
      if (hits.length !== 1) continue;
      expect(parcel_match_type!.value).toBe('contains');
      if (hits[0]!.key) expect(parcel_apn!.value).toBe(hits[0]!.key);
      const area = squareMetres(toGeoJSON(hits[0]!.geometry) as Polygonal);
      expect(Math.abs((parcel_area_m2!.value as number) - area)).toBeLessThan(0.08 + area * 1e-6);
      compared++;
    }
    expect(compared).toBeGreaterThan(10);
  });

  it('names the source that answered and what it stands in for', () => {
    for (const answer of answers.filter(covered)) {
      expect(answer.nearest_building_distance_m!.source).toBe('bangor_buildings');
      expect(answer.nearest_wetland_distance_m!.source).toBe('bangor_wetlands');
      expect(answer.nearest_wetland_distance_m!.notes).toContain('Stands in for');
    }
  });
});
