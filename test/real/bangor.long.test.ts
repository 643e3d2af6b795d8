import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../datasets/catalog.ts';
import { enrichCatalogOf } from '../../datasets/enrich/enrich.ts';
import { groundTotal } from '../../datasets/place/ground-kind.ts';
import { verify } from '../../pipelines/release/verify.ts';
import type { Reject } from '../../pipelines/steps/rejected/reject.ts';
import { readSettings } from '../../query/engine/settings.ts';
import { enrichParcel } from '../../query/enrich/enrich.ts';
import type { MatchedAs } from '../../query/parcel/bound-parcel.ts';
import { createCache } from '../../query/release/cache.ts';
import { Layers } from '../../query/release/layers.ts';
import { openRelease, openReleaseById } from '../../query/release/open-release.ts';
import { startServer } from '../../server/service.ts';
import { availabilityOf, differences, parcelPoints } from '../agreement/availability.ts';
import { exportedWhole } from '../pipelines/release/exported-whole.ts';
import { type Bangor, ingestBangor, MISSING, present, SOURCES } from './bangor.ts';

if (!present) console.warn(MISSING);

/** Features or rows that SOURCES.md states for each file. */
function published(): Map<string, number> {
  const rows = readFileSync(join(SOURCES, 'SOURCES.md'), 'utf8').matchAll(/^\| (\S+\/\S+) \|(.*)\|$/gm);
  return new Map([...rows].map(([, file, rest]) => [file!, Number(rest!.split('|').at(-3)!.trim())]));
}

/** Rows of the parcel file that are lots: 66 are roads, and one is water. */
const LOTS = 10_643 - 67;

const hasGdal = (() => {
  try {
    execFileSync('ogrinfo', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

describe('the real Bangor', { tags: ['published-files'] }, () => {
  let bangor: Bangor;
  let rejects: Reject[];
  let service: Awaited<ReturnType<typeof startServer>> | undefined;
  let headers: Record<string, string>;
  const ask = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(service!.address + path, { headers, ...init });
    expect(response.status).toBe(200);
    // biome-ignore lint/suspicious/noExplicitAny: what a body is, is what these tests find out
    return (await response.json()) as any;
  };
  const post = (path: string, body: object) => ask(path, { method: 'POST', body: JSON.stringify(body) });
  beforeAll(async () => {
    bangor = await ingestBangor();
    const files = Object.values(bangor.manifest.datasets).flatMap(layers =>
      Object.values(layers).flatMap(l => l.partitions.flatMap(p => p.files)),
    );
    rejects = files
      .filter(f => f.role === 'rejects')
      .flatMap(f => readFileSync(join(bangor.releases, f.path), 'utf8').trim().split('\n'))
      .map(line => JSON.parse(line) as Reject);
    const environment = { PLAT_HOME: bangor.home, PORT: '0', PLAT_WORKERS: '1', PLAT_RATE_LIMIT: 'off' };
    service = await startServer(readSettings({ ...environment, PLAT_LOG: 'silent' }), catalog);
    const token = await service.tokens.issue(await service.state.openAccount('someone@example.org', 'market'));
    headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  });
  afterAll(async () => {
    await service?.drain(1_000);
    bangor?.remove();
  });

  it('reads every row that SOURCES.md states, and every one is written, skipped or rejected', () => {
    const stated = published();
    const { counts } = bangor.report;
    expect(counts.length).toBeGreaterThan(20);
    // These have header or preamble lines that SOURCES.md counts as rows.
    const PREAMBLE: Record<string, number> = {
      'national/epa_superfund_npl.csv': 1,
      'national/county_unemployment_income_2007_2018.csv.gz': 4,
    };
    for (const c of counts) {
      expect([c.file, c.read]).toEqual([c.file, stated.get(c.file)! - (PREAMBLE[c.file] ?? 0)]);
      expect([c.file, c.read]).toEqual([c.file, c.written + c.skipped + c.rejected + groundTotal(c.ground)]);
    }
  });

  it('keeps every local feature but those the rejects files name', () => {
    const { counts } = bangor.report;
    expect(counts.reduce((sum, c) => sum + c.rejected, 0)).toBe(rejects.filter(r => r.action === 'rejected').length);
    expect(counts.reduce((sum, c) => sum + c.repaired, 0)).toBe(rejects.filter(r => r.action === 'repaired').length);
    for (const r of rejects) expect(r.reason.length).toBeGreaterThan(5);
    const count = (dataset: string, layer: string) => counts.find(c => c.dataset === dataset && c.layer === layer)!;
    // SOURCES.md: 4 invalid parcels, 3 of them roads, 1 invalid zone, 3 wetlands, 2 streams; all rings that touch themselves.
    expect(count('parcel_store', 'main')).toMatchObject({ read: 10_643, written: LOTS, repaired: 1 });
    expect(count('local_zoning', 'main')).toMatchObject({ read: 1_297, written: 1_297, repaired: 1 });
    expect(count('usfws_nwi', 'main')).toMatchObject({ read: 452, written: 452, repaired: 3 });
    expect(count('usgs_nhdplus_hr', 'NHDFlowline')).toMatchObject({ read: 108, written: 108, repaired: 2 });
    expect(count('fema_usa_structures', 'main')).toMatchObject({ read: 17_690, written: 17_690, repaired: 0 });
    expect(count('fema_nfhl', 'S_FLD_HAZ_AR')).toMatchObject({ read: 81, written: 81, rejected: 0 });
    expect(count('census_tiger', 'tract')).toMatchObject({ read: 714, dissolvedTo: 13 });
  });

  it('is exported whole', async () => {
    const { stored, exported } = await exportedWhole(bangor.manifest, bangor.releases);
    expect(exported).toEqual(stored);
  });

  it('answers at parcels what it is said to answer, and nothing else', { timeout: 300_000 }, async () => {
    const release = openReleaseById(bangor.home, bangor.manifest.id);
    const { found, lacking } = await differences(release, await parcelPoints(release, 30));
    expect(found).toEqual([]);
    expect(lacking).toBeGreaterThan(200);
    const availability = availabilityOf(release);
    expect(availability.lackOf('within_floodplain_polygon')).toBeNull();
    expect(availability.lackOf('parcel_owner')).toMatch(/owner/);
    expect(availability.lackOf('nearest_airport_distance_m')).toMatch(/SITE_TYPE_CODE/);
    expect(availability.sourcesOf('tract_geoid')).toMatchObject([{ vintage: '2010' }]);
    expect(availability.sourcesOf('county_median_household_income_usd')).toMatchObject([
      { source: 'census_saipe_2018', vintage: '2018' },
    ]);
  });

  it('is sound, file by file', async () => {
    expect((await verify(bangor.releases, bangor.manifest)).damage).toEqual([]);
  });

  it('is read by GDAL: as many valid features as the manifest says', { tags: ['GDAL'] }, () => {
    const { partitions } = bangor.manifest.datasets.parcel_store!.main!;
    const file = partitions[0]!.files.find(f => f.role === 'features')!;
    const path = join(bangor.releases, file.path);
    const sql = (text: string) =>
      execFileSync('ogrinfo', ['-q', '-dialect', 'SQLite', '-sql', text, path], { encoding: 'utf8' });
    const name = /^1: (.*?)(?: \(|$)/m.exec(execFileSync('ogrinfo', ['-q', path], { encoding: 'utf8' }))![1];
    const valid = sql(
      `SELECT COUNT(*) AS n, SUM(ST_IsValid(geometry)) AS ok, COUNT(DISTINCT parcel_key) AS k, SUM(acreage) AS a FROM "${name}"`,
    );
    expect(valid).toMatch(new RegExp(`n \\(Integer\\) = ${LOTS}`));
    expect(valid).toMatch(new RegExp(`ok \\(Integer\\) = ${LOTS}`));
    expect(valid).toMatch(new RegExp(`k \\(Integer\\) = ${LOTS}`));
  });

  it.skipIf(!hasGdal)('holds no row that the city numbers as a road or as water, and all others', () => {
    const published = `/vsizip/${join(SOURCES, 'bangor-me/parcels_with_assessor.shp.zip')}`;
    const csv = (path: string, ...more: string[]) =>
      execFileSync('ogr2ogr', ['-f', 'CSV', '/vsistdout/', path, ...more], { encoding: 'utf8', maxBuffer: 1 << 28 })
        .trim()
        .split('\n')
        .slice(1)
        .map(line => line.replaceAll('"', '').split(',')[0]!);
    const numbers = csv(published, '-select', 'MAPLOTUNIT');
    // A lot is numbered by map and lot: 048-063, R14-006-D, 044-UNK.
    const isLot = (number: string) => /^[A-Z]?\d+-/.test(number);
    expect(numbers).toHaveLength(10_643);
    const [partition] = bangor.manifest.datasets.parcel_store!.main!.partitions;
    const stored = (role: string) => join(bangor.releases, partition!.files.find(file => file.role === role)!.path);
    expect(csv(stored('features'), '-select', 'apn').sort()).toEqual(numbers.filter(isLot).sort());
    const ground = csv(stored('ground'), '-select', 'number');
    expect(ground.sort()).toEqual(numbers.filter(number => !isLot(number)).sort());
    const count = bangor.report.counts.find(({ dataset }) => dataset === 'parcel_store');
    expect(count!.ground).toEqual({ road: 66, water: 1 });
    expect(ground.filter(number => number === 'WATER')).toHaveLength(1);
  });

  it('matches no parcel on a road, and says that it is one', async () => {
    const point = { lat: 44.8016, lng: -68.7712 };
    const { parcel_match, fields, analysis_point } = await post('/v1/enrich', point);
    const reason = 'the point lies on a road of the parcel file (US-2); the nearest parcel, 041-069, is 12.3 m away';
    expect(parcel_match).toEqual({ status: 'no_match', parcel: null, candidates: [], reason });
    expect([fields, analysis_point]).toEqual([{}, null]);
    const asked = { ...point, fields: ['parcel_apn', 'parcel_area_m2', 'fema_flood_zone'] };
    const { fields: fetched } = await post('/v1/fetch', asked);
    for (const name of ['parcel_apn', 'parcel_area_m2'])
      expect(fetched[name]).toMatchObject({
        value: null,
        status: 'absent',
        notes: expect.stringContaining(reason.slice(1)),
      });
    expect(fetched.fema_flood_zone).toMatchObject({ value: 'AE', status: 'ok' });
    const { parcel, ...resolved } = await post('/v1/lookup', { input: '44.8016, -68.7712' });
    expect(parcel).toBeUndefined();
    expect(resolved).toMatchObject({ parcel_unavailable: false, parcel_unavailable_reason: reason });
    const river = await post('/v1/enrich', { lat: 44.79855, lng: -68.76884 });
    expect(river.parcel_match.reason).toMatch(
      /^the point lies on water of the parcel file \(WATER\); the nearest parcel, 050-016, is/,
    );
  });

  it('leaves open whether a public airport is near, which its copy of the airports does not tell', async () => {
    const candidates = [{ lat: 44.8016, lng: -68.7712 }];
    const near = { candidates, rules: [{ to: '@airports', within_km: 50 }] };
    const { results } = await post('/v1/proximity/screen', near);
    const reason = expect.stringContaining('this copy (vega_airports) lacks it (SITE_TYPE_CODE)');
    expect(results[0]).toMatchObject({ passed: null, rules: [{ passed: null, count: null, nearest: null, reason }] });
    const none = { candidates, rules: [{ to: '@airports', within_km: 1 }] };
    expect((await post('/v1/proximity/screen', none)).results[0].rules[0]).toMatchObject({ passed: false, count: 0 });
  });

  it('finds no road among the largest lots', async () => {
    const filters = [
      { field: 'state', op: 'eq', value: 'ME' },
      { field: 'acreage', op: 'gte', value: 60 },
    ];
    const { matches, status } = await post('/v1/search', { filters, fields: ['apn', 'acreage'], limit: 100 });
    expect([matches.length > 20, status]).toEqual([true, 'complete']);
    for (const { apn } of matches) expect(apn).toMatch(/^[A-Z]?\d+-/);
    for (const number of ['US-2', 'ROAD-LOCAL', 'WATER', 'I-95']) {
      const named = [filters[0], { field: 'apn', op: 'eq', value: number }];
      expect(await post('/v1/search', { filters: named })).toMatchObject({ matches: [], status: 'complete' });
    }
    const { counties } = await ask('/v1/meta/coverage?dataset=parcel_store');
    expect(counties[0].layers[0]).toMatchObject({ layer: 'main', rows: LOTS, ground: 67 });
  });

  it('answers the addresses of its parcels with their own parcels, and no others', async () => {
    const filters = [{ field: 'state', op: 'eq', value: 'ME' }];
    const { matches } = await post('/v1/search', { filters, limit: 100 });
    const addressed = matches.filter((match: { address: string | null }) => /^\d/.test(match.address ?? ''));
    let own = 0;
    for (const { address } of addressed) {
      const found = await post('/v1/lookup', { input: `${address}, bangor maine` });
      if (found.disposition !== 'resolved') continue;
      expect(found.resolved_address).toMatch(/, BANGOR, ME/);
      // The blocks of this release are those of 2010.
      expect(found).toMatchObject({ county_fips: '23019', state: 'ME', tract_geoid: null, block_geoid: null });
      if (!found.parcel) continue;
      expect(found.parcel.address).toBe(address);
      own++;
    }
    expect(addressed.length).toBeGreaterThan(80);
    expect(own).toBeGreaterThan(addressed.length / 3);
    expect(await post('/v1/lookup', { input: 'Bangor, ME' })).toMatchObject({ reason: 'address_too_coarse' });
  });

  it('says in notes what each is for, and of which point values are', async () => {
    const release = openRelease(bangor.home);
    const cache = createCache(256);
    const { names } = enrichCatalogOf(catalog);
    const layers = new Layers(release, cache);
    const [county] = release.layer('parcel_store', 'main')!.partitions;
    const environment = { release, catalog, cache, deadline: Date.now() + 60_000, layers };
    const recordsOf = async (ord: number, fields: readonly string[], as: MatchedAs | null = null) => {
      const { fields: text, point } = await enrichParcel(environment, { partition: county!.key, ord }, fields, as);
      return {
        point,
        records: JSON.parse(new TextDecoder().decode(text)) as Record<string, { readonly notes: string | null }>,
      };
    };
    const { records, point } = await recordsOf(3_000, names);
    const about = Object.entries(records).filter(([, { notes }]) => /acreage of the assessor/i.test(notes ?? ''));
    expect(about.map(([name]) => name).sort()).toEqual(['deeded_acres', 'recrdareano']);
    expect(records.owner!.notes).toBe('this copy (bangor_parcels) lacks it (owner)');
    expect(records.soil_map_unit_name!.notes).toMatch(/^this copy \(usda_ssurgo\) lacks it \(muname\): The tables/);
    expect(records.within_floodplain_polygon).toMatchObject({ value: false });
    expect(records.fema_flood_zone).toMatchObject({ status: 'absent' });
    expect(records.fema_flood_zone!.notes).toMatch(
      /^None of the flood hazard areas \(fema_q3\) contains the point\. Outside the zones of this copy zone X, zone D/,
    );
    for (const [name, { notes }] of Object.entries(records))
      expect((notes ?? '').replaceAll(/\([^()]*\)/g, ''), `${name}: ${notes}`).not.toMatch(/[a-z]_[a-z]|\w:\w/i);
    const away = { lng: point.lng, lat: point.lat + 96 / 111_100 };
    const some = [
      'building_at_point',
      'nearest_interstate_distance_m',
      'county_population',
      'wetland_fraction_of_parcel',
    ];
    const asked = (await recordsOf(3_000, some, { type: 'contains', metres: 0, input: away })).records;
    const told = some.filter(name => /9\d m from the point asked for/.test(asked[name]!.notes ?? ''));
    expect(told).toEqual(some.slice(0, 2));
  });
});
if (!hasGdal) console.warn('ogrinfo is not installed: GDAL does not check the release');
