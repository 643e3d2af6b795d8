import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../datasets/catalog.ts';
import { boxOf, type Geometry } from '../../datasets/geometry.ts';
import type { Place } from '../../datasets/place/place.ts';
import type { Partition } from '../../datasets/release.ts';
import { runOverlay } from '../../pipelines/overlay/run.ts';
import { builtInPlace } from '../../pipelines/place/place-schema.ts';
import { run } from '../../pipelines/run.ts';
import type { ConstraintZone } from '../../query/enrich/constraint-zones.ts';
import { enrichParcel } from '../../query/enrich/enrich.ts';
import { FeatureFile } from '../../query/format/flatgeobuf.ts';
import { createCache } from '../../query/release/cache.ts';
import { Layers } from '../../query/release/layers.ts';
import { openRelease, type Release } from '../../query/release/open-release.ts';
import { metresBetweenPolygons, reached } from '../oracle/assemblage.ts';
import { type Polygonal, toGeoJSON } from '../oracle/geojson.ts';
import { area, isValid } from '../oracle/geometry.ts';
import { coveredShare, area as straightArea } from '../oracle/overlap.ts';
import { SILENT } from '../pipelines/silent.ts';
import { randomOf } from '../query/star.ts';
import { MISSING, present, SOURCES } from './bangor.ts';
import { EXTRA, FOOT, HABITAT, LAKE, RESERVE, writeExtra } from './bangor-extra.ts';
import { gdal, NO_GDAL, publishedFeatures } from './published.ts';

const ready = present && gdal;
if (!ready) console.warn(present ? NO_GDAL : MISSING);

/** As in overlap.test.ts: codes of the wetland types that count, and how they are labelled. */
const WETLANDS: readonly (readonly [RegExp, string])[] = [
  [/^PEM/, 'Freshwater Emergent Wetland'],
  [/^P(F[O0]|SS)/, 'Freshwater Forested/Shrub Wetland'],
  [/^P(UB|AB)/, 'Freshwater Pond'],
  [/^Pf/, 'Other'],
  [/^[EM]2/, 'Estuarine and Marine Wetland'],
];
const ACRE = 4046.8564224;
describe('the calculations of enrichment alone on the real Bangor, against GEOS', {
  tags: ['published-files', 'GDAL'],
}, () => {
  const folder = mkdtempSync(join(tmpdir(), 'plat-enrich-'));
  /** Without overlays: everything is calculated when it is asked for. */
  let release: Release;
  let stored: Release;
  let partition: Partition;
  let parcels: FeatureFile;
  let wetlands: { geometry: Geometry; label: string }[];
  /** Wetlands without a type, of which nobody knows what they are. */
  let untyped: Geometry[];
  let flood: Geometry[];
  let districts: { geometry: Geometry; zone: string }[];
  let limits: Geometry[];
  const random = randomOf(77);
  const cache = createCache(256);

  beforeAll(async () => {
    writeExtra(folder);
    for (const name of ['bangor-me', 'national']) symlinkSync(join(SOURCES, name), join(folder, name));
    const bangor = builtInPlace('bangor-me');
    const own = (dataset: string) => bangor.layers.find(l => l.dataset === dataset)!;
    const assessed = own('parcel_store');
    // Nobody publishes Bangor's owners: parcels of one deed have one owner, so the deed stands for the name.
    const columns = { ...assessed.columns, owner: { from: 'DEED_REF', strip: '[^A-Za-z0-9]' } as const };
    const unpublished = assessed.unpublished!.filter(name => name !== 'owner');
    const place: Place = {
      ...bangor,
      layers: [{ ...assessed, columns, unpublished }, ...['usfws_nwi', 'fema_nfhl', 'local_zoning'].map(own), ...EXTRA],
    };
    // One that every city is far from.
    const accept = ['bangor-me/usgs_nhdplus_hr:NHDArea/crs'];
    await run({ home: folder, sources: folder, place, threads: 0, progress: SILENT, accept });
    const published = openRelease(folder);
    const { overlays: _, ...manifest } = published.manifest;
    release = { ...published, id: 'plain', manifest };
    // Stored for every parcel, and nothing beside: the rest of the catalog has tests of its own.
    const fields = new Map([...catalog.fields].filter(([name]) => name === 'wetland_fraction_of_parcel'));
    await runOverlay({ home: folder, catalog: { ...catalog, fields }, threads: 0, memoryMb: 256, progress: SILENT });
    stored = openRelease(folder);
    [partition] = release.layer('parcel_store', 'main')!.partitions as [Partition];
    parcels = new FeatureFile(release.pathOf(partition.files.find(f => f.role === 'features')!));
    const labelled = publishedFeatures(own('usfws_nwi').file).map(({ geometry, properties }) => {
      const label = WETLANDS.find(([code]) => code.test(String(properties.ATTRIBUTE)))?.[1];
      return { geometry, label };
    });
    wetlands = labelled.flatMap(({ geometry, label }) => (label ? [{ geometry, label }] : []));
    untyped = labelled.flatMap(({ geometry, label }) => (label ? [] : [geometry]));
    const zones = publishedFeatures(own('fema_nfhl').file);
    flood = zones.filter(r => r.properties.SFHA === 'IN').map(r => r.geometry);
    districts = publishedFeatures(own('local_zoning').file).map(({ geometry, properties }) => ({
      geometry,
      zone: String(properties.ZONE),
    }));
    limits = publishedFeatures('bangor-me/city_boundary.geojson').map(r => r.geometry);
  }, 180_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  interface Entry<T> {
    readonly value: T;
    readonly status: string;
    readonly notes: string | null;
    readonly error?: string;
    readonly fetched_at: string;
  }
  const askOf = async <T>(of: Release, ord: number, name: string): Promise<Entry<T>> => {
    const environment = { release: of, catalog, cache, deadline: Date.now() + 60_000, layers: new Layers(of, cache) };
    const ref = { partition: partition.key, ord };
    const { fields } = await enrichParcel(environment, ref, [name]);
    return (JSON.parse(new TextDecoder().decode(fields)) as Record<string, Entry<T>>)[name]!;
  };
  /** What is stored, which must be what is calculated now. */
  const ask = async <T>(ord: number, name: string) => {
    const [then, now] = [await askOf<T>(stored, ord, name), await askOf<T>(release, ord, name)];
    expect({ ...then, fetched_at: '' }).toEqual({ ...now, fetched_at: '' });
    expect(then.fetched_at < now.fetched_at).toBe(true);
    return then;
  };
  const near = (parcel: Geometry, others: readonly Geometry[]) => {
    const box = boxOf(parcel);
    return others.filter(other => {
      const [west, south, east, north] = boxOf(other);
      return west <= box[2] && east >= box[0] && south <= box[3] && north >= box[1];
    });
  };
  const share = (parcel: Geometry, others: readonly Geometry[]) =>
    coveredShare(toGeoJSON(parcel) as Polygonal, near(parcel, others));
  const polygon = (ring: number[][]): Geometry => ({
    type: 'Polygon',
    xy: Float64Array.from(ring.flat()),
    ends: Uint32Array.of(ring.length),
    parts: Uint32Array.of(1),
  });
  /** Parcels for which GEOS can judge all that lies about them. */
  const samples = (count: number, wanted: (parcel: Geometry) => boolean = () => true) => {
    const out: number[] = [];
    while (out.length < count) {
      const ord = Math.floor(random() * parcels.count);
      const parcel = parcels.geometry(ord);
      const about = near(parcel, [...wetlands.map(w => w.geometry), ...flood]);
      const isKnown = near(parcel, untyped).length === 0;
      if (isKnown && isValid(parcel) && about.every(isValid) && wanted(parcel)) out.push(ord);
    }
    return out;
  };

  it('parcel_constraint_zones: every kind with its area and share, by area', async () => {
    const seen = new Map<string, number>();
    const wet = (parcel: Geometry) => near(parcel, [...wetlands.map(w => w.geometry), ...flood]).length > 0;
    const box = (ring: number[][]) => (parcel: Geometry) => near(polygon(ring), [parcel]).length > 0;
    for (const ord of [...samples(200, wet), ...samples(12, box(RESERVE)), ...samples(8, box(LAKE))]) {
      const parcel = parcels.geometry(ord);
      const { status, value: zones, notes } = await ask<ConstraintZone[]>(ord, 'parcel_constraint_zones');
      expect(status, notes ?? '').toBe('ok');
      const expected: Record<string, number> = {
        wetland: share(
          parcel,
          wetlands.map(w => w.geometry),
        ),
        sfha: share(parcel, flood),
        water: share(parcel, [polygon(LAKE)]),
        easement: share(parcel, [polygon(LAKE)]),
        protected: share(parcel, [polygon(RESERVE)]),
        critical_habitat: share(parcel, [polygon(HABITAT)]),
      };
      const whole = straightArea(toGeoJSON(parcel) as Polygonal);
      for (const [kind, part] of Object.entries(expected)) {
        const zone = zones.find(z => z.kind === kind);
        const metres = part * whole;
        if (Math.abs(metres - 1) < 0.01) continue;
        expect(zone !== undefined, `${kind} of ${ord}: ${metres} m2`).toBe(metres >= 1);
        if (!zone) continue;
        expect(Math.abs(zone.fraction_of_parcel - part), `${kind} of ${ord}`).toBeLessThan(6e-5);
        expect(Math.abs(zone.area_m2 - metres)).toBeLessThan(0.06 + 1e-6 * whole);
        seen.set(kind, (seen.get(kind) ?? 0) + 1);
      }
      const [west, , east] = boxOf(parcel);
      const slope = zones.find(z => z.kind === 'steep_slope')?.fraction_of_parcel ?? 0;
      if (east < FOOT - 0.001) expect(slope).toBe(0);
      if (west > FOOT + 0.001) expect(slope).toBe(1);
      expect(zones.map(z => z.area_m2)).toEqual(zones.map(z => z.area_m2).toSorted((a, b) => b - a));
      const byType = Object.entries(Object.groupBy(wetlands, w => w.label))
        .map(([label, list]) => ({
          label,
          part: share(
            parcel,
            list!.map(w => w.geometry),
          ),
        }))
        .filter(({ part }) => part > 1e-9)
        .sort((a, b) => b.part - a.part);
      const wetland = zones.find(z => z.kind === 'wetland');
      if (wetland) expect(wetland.labels).toEqual(byType.map(({ label }) => label));
      for (const [kind, labels] of [
        ['protected', ['Reserve']],
        ['easement', ['Lakeside']],
        ['critical_habitat', ['Atlantic salmon']],
        ['water', []],
        ['steep_slope', []],
      ] as const) {
        const zone = zones.find(z => z.kind === kind);
        if (zone) expect(zone.labels).toEqual(labels);
      }
    }
    for (const kind of ['wetland', 'sfha', 'water', 'easement', 'protected', 'critical_habitat'])
      expect(seen.get(kind) ?? 0, kind).toBeGreaterThan(3);
  }, 180_000);

  it('parcel_flood_sfha_fraction: the share, absent where less than 99 percent is mapped', async () => {
    let [partly, absent] = [0, 0];
    // What to look at is told by the answers; whether they are right by GEOS.
    const answers = new Map<number, { status: string; value: number }>();
    for (let ord = 0; ord < parcels.count; ord += 7)
      answers.set(ord, await ask<number>(ord, 'parcel_flood_sfha_fraction'));
    const where = (holds: (answer: { status: string; value: number }) => boolean, count: number) =>
      [...answers]
        .filter(([, answer]) => holds(answer))
        .map(([ord]) => ord)
        .slice(0, count);
    const partial = where(({ status, value }) => status === 'ok' && value > 0 && value < 1, 30);
    const unmapped = where(({ status }) => status === 'absent', 6);
    for (const ord of [...samples(20), ...partial, ...unmapped]) {
      const parcel = parcels.geometry(ord);
      const mapped = share(parcel, limits);
      if (Math.abs(mapped - 0.99) < 1e-4 || !near(parcel, flood).every(isValid) || !isValid(parcel)) continue;
      const { status, value, notes } = await ask<number>(ord, 'parcel_flood_sfha_fraction');
      if (mapped < 0.99) {
        expect([status, value]).toEqual(['absent', null]);
        expect(notes).toMatch(/parcel not fully covered by digital flood mapping|outside the coverage/i);
        absent++;
        continue;
      }
      const part = share(parcel, flood);
      expect(status).toBe('ok');
      expect(Math.abs(value - part), String(ord)).toBeLessThan(6e-5);
      if (part > 0 && part < 1) partly++;
    }
    expect(partly).toBeGreaterThan(15);
    expect(absent).toBeGreaterThan(2);
  }, 180_000);

  it('zoning: the district that covers most of the parcel, where the assessor publishes none', async () => {
    let [zoned, several] = [0, 0];
    for (const ord of samples(60)) {
      const parcel = parcels.geometry(ord);
      const about = districts.filter(({ geometry }) => near(parcel, [geometry]).length);
      if (!about.every(({ geometry }) => isValid(geometry))) continue;
      const shares = Object.entries(Object.groupBy(about, ({ zone }) => zone))
        .map(([zone, list]) => ({
          zone,
          part: share(
            parcel,
            list!.map(({ geometry }) => geometry),
          ),
        }))
        .sort((a, b) => b.part - a.part);
      const [first, second] = shares;
      const { status, value } = await askOf<string>(stored, ord, 'zoning');
      const field = await askOf<string>(release, ord, 'parcel_zoning');
      expect([field.status, field.value], String(ord)).toEqual([status, value]);
      if (!first || first.part < 1e-6 || first.zone === 'null') continue;
      if (second && first.part - second.part < 1e-3) continue;
      expect([status, value], String(ord)).toEqual(['ok', first.zone]);
      expect((await askOf<string>(stored, ord, 'zoning_source_date')).value).toBe('2013-05-10');
      zoned++;
      if (second && second.part > 0.01) several++;
    }
    expect(zoned).toBeGreaterThan(40);
    expect(several).toBeGreaterThan(0);
  }, 60_000);

  it('owner_assemblage, deeds standing in for owners that no file publishes: parcels within a mile and in one block', async () => {
    const owners = Array.from({ length: parcels.count }, (_, ord) => {
      const { owner } = parcels.properties(ord);
      return typeof owner === 'string' ? owner.toUpperCase() : null;
    });
    const groups = [...Map.groupBy(owners.keys(), ord => owners[ord])]
      .filter(([owner, list]) => owner !== null && list.length > 1 && list.length < 8)
      .map(([, list]) => list);
    let [several, apart] = [0, 0];
    for (let tried = 0; tried < 16; tried++) {
      const group = groups[Math.floor(random() * groups.length)]!;
      const ord = group[Math.floor(random() * group.length)]!;
      const parcel = parcels.geometry(ord);
      const others = group.filter(o => o !== ord).map(o => ({ ord: o, geometry: parcels.geometry(o) }));
      if (![parcel, ...others.map(o => o.geometry)].every(isValid)) continue;
      const within = others
        .map(o => ({ ...o, metres: metresBetweenPolygons(parcel, o.geometry) }))
        .filter(o => o.metres <= 1609.344);
      const block = reached([parcel, ...within.map(o => o.geometry)], 30);
      const all = [{ ord, metres: 0 }, ...within];
      const acres = (list: readonly { ord: number }[]) =>
        list.reduce((sum, o) => sum + area(parcels.geometry(o.ord)) / ACRE, 0);
      const { status, value } = await ask<{
        owner_key: string;
        search_radius_m: number;
        parcel_count: number;
        total_acres: number;
        contiguous_parcel_count: number;
        contiguous_acres: number;
        truncated: boolean;
        parcels: { apn: string; acreage: number; distance_m: number; contiguous: boolean }[];
      }>(ord, 'owner_assemblage');
      expect(status).toBe('ok');
      expect([value.search_radius_m, value.truncated]).toEqual([1609.344, false]);
      expect([value.parcel_count, value.contiguous_parcel_count]).toEqual([all.length, block.filter(Boolean).length]);
      expect(value.total_acres).toBeCloseTo(acres(all), 3);
      expect(value.contiguous_acres).toBeCloseTo(acres(all.filter((_, i) => block[i])), 3);
      const expected = all
        .map(({ ord: o, metres }, i) => ({ apn: parcels.properties(o).apn, metres, contiguous: block[i] }))
        .sort((a, b) => a.metres - b.metres);
      for (const { apn, metres, contiguous } of expected)
        expect(
          value.parcels.some(
            p => p.apn === apn && p.contiguous === contiguous && Math.abs(p.distance_m - metres) < 0.11,
          ),
          `${apn} at ${metres} m`,
        ).toBe(true);
      expect(value.parcels.map(p => p.distance_m)).toEqual(
        value.parcels.map(p => p.distance_m).toSorted((a, b) => a - b),
      );
      if (all.length > 1) several++;
      if (block.includes(false)) apart++;
    }
    expect(several).toBeGreaterThan(6);
    expect(apart).toBeGreaterThan(0);
  }, 180_000);
});
