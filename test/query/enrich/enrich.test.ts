import { beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { EXCLUDED_FROM_ENRICH, enrichCatalogOf } from '../../../datasets/enrich/enrich.ts';
import { ENRICH_ONLY } from '../../../datasets/enrich/enrich-only.ts';
import { PARCEL_ATTRIBUTES } from '../../../datasets/parcel/parcel-attributes.ts';
import type { Partition } from '../../../datasets/release.ts';
import { enrich } from '../../../query/engine/enrich-task.ts';
import { enrichParcel } from '../../../query/enrich/enrich.ts';
import { evaluate } from '../../../query/evaluate/evaluate.ts';
import { FeatureFile } from '../../../query/format/flatgeobuf.ts';
import { createCache } from '../../../query/release/cache.ts';
import { Layers } from '../../../query/release/layers.ts';
import { openRelease, type Release } from '../../../query/release/open-release.ts';
import { syntheticHome } from '../../synthetic-home.ts';
import { rectangle } from '../release-fixture.ts';
import { writeParcelRelease } from '../search/parcel-release.ts';

const LONG = process.env.PLAT_TEST === 'long';

interface Entry {
  readonly value: unknown;
  readonly unit: string | null;
  readonly status: 'ok' | 'absent' | 'failed';
  readonly notes: string | null;
  readonly confidence: string;
  readonly source: string;
  readonly fetched_at: string;
  readonly interpretation_hints: string;
}

const { fields } = enrichCatalogOf(catalog);
const NAMES = [...fields.keys()];
const ONLY = Object.keys(ENRICH_ONLY);
const SHARED = NAMES.filter(name => fields.get(name)!.kind === 'fetch');
const cache = createCache(256);

const parsed = (text: Uint8Array) => JSON.parse(new TextDecoder().decode(text)) as Record<string, Entry>;

let release: Release;
let partition: Partition;
let parcels: FeatureFile;
beforeAll(async () => {
  release = openRelease((await syntheticHome()).home);
  [partition] = release.layer('parcel_store', 'main')!.partitions.toSorted((a, b) => b.rows - a.rows) as [Partition];
  parcels = new FeatureFile(release.pathOf(partition.files.find(f => f.role === 'features')!));
});

const evaluation = (of = release) => ({ release: of, catalog, cache, deadline: Date.now() + 60_000 });
const known = async (ord: number, names = NAMES, of = release) => {
  const ref = { partition: partition.key, ord };
  const enriched = await enrichParcel({ ...evaluation(of), layers: new Layers(of, cache) }, ref, names);
  return { ...enriched, fields: parsed(enriched.fields) as Record<string, Entry> };
};
const point = (ord: number) => {
  const { centroid_lon, centroid_lat } = parcels.properties(ord);
  return { lng: centroid_lon as number, lat: centroid_lat as number };
};
/** Parcels that no other shares the ground with. */
const alone = (step: number) =>
  Array.from({ length: parcels.count }, (_, ord) => ord)
    .filter(ord => parcels.properties(ord).stack_count === 1)
    .filter((_, i) => i % step === 0);

describe('everything known of a parcel', () => {
  it('has an outline where it is asked for: the first records, as they are, of 64 kB at most', async () => {
    const environment = { ...evaluation(), layers: new Layers(release, cache) };
    const ref = { partition: partition.key, ord: 3 };
    const { fields: all, outline } = await enrichParcel(environment, ref, NAMES, null, true);
    expect(outline!.length).toBeLessThan(80_000);
    const first = Object.entries(parsed(outline!));
    expect(first.length).toBeGreaterThan(60);
    expect(first).toEqual(Object.entries(parsed(all)).slice(0, first.length));
    const two = NAMES.slice(0, 2);
    const short = await enrichParcel(environment, ref, two, null, true);
    expect(parsed(short.outline!)).toEqual(parsed(short.fields));
    expect(await enrichParcel(environment, ref, two)).not.toHaveProperty('outline');
  });

  it('is all fields in the order of the catalog of enrichment, each with exactly the keys of a record', async () => {
    const { fields: map, failures, method, point: at } = await known(3);
    expect(Object.keys(map)).toEqual([...fields.keys()]);
    expect([failures, method, at]).toEqual([[], 'stored_parcel_centroid', point(3)]);
    for (const [name, entry] of Object.entries(map)) {
      expect(Object.keys(entry).sort(), name).toEqual(
        [
          ...['value', 'unit', 'source', 'source_url', 'confidence', 'fetched_at', 'dataset_vintage', 'ttl_seconds'],
          ...['notes', 'status', 'interpretation_hints'],
        ].sort(),
      );
      expect(['ok', 'absent'], name).toContain(entry.status);
      expect(entry.value === null, name).toBe(entry.status === 'absent');
      if (entry.status === 'absent') expect(entry.notes, name).toMatch(/\w/);
      expect(entry.source, name).toMatch(/^synthetic:/);
      expect(entry.fetched_at, name).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      const { unit, hint } = fields.get(name)!;
      expect([entry.unit, entry.interpretation_hints]).toEqual([unit, hint]);
    }
    expect(Object.values(map).filter(entry => entry.status === 'ok').length).toBeGreaterThan(350);
  });

  it('has the stored attributes of the row', async () => {
    const { fields: map } = await known(5);
    const row = parcels.properties(5);
    let compared = 0;
    for (const name of Object.keys(PARCEL_ATTRIBUTES)) {
      const value = row[name] ?? null;
      if (value === null) continue;
      const { type } = PARCEL_ATTRIBUTES[name as keyof typeof PARCEL_ATTRIBUTES];
      if (type === 'timestamp') expect(Date.parse(String(map[name]!.value)), name).toBe(Date.parse(String(value)));
      else expect(map[name]!.value, name).toBe(value);
      compared++;
    }
    expect(compared).toBeGreaterThan(40);
    expect(map.plat_book).toMatchObject({ status: 'absent', notes: expect.stringContaining('plat_book') });
  });

  it('agrees with a fetch at its analysis point in every shared field', async () => {
    expect(SHARED).toHaveLength(catalog.fields.size - EXCLUDED_FROM_ENRICH.size);
    let ok = 0;
    for (const ord of alone(LONG ? 12 : 30)) {
      const { fields: map } = await known(ord, SHARED);
      const asked = await evaluate(SHARED, point(ord), evaluation());
      for (const name of SHARED) {
        const { value, status, notes, confidence, source, vintage } = asked[name]!;
        expect({ ...map[name] }, `${name} of ${ord}`).toMatchObject({
          value: status === 'ok' ? value : null,
          status,
          notes,
          confidence,
          source,
          dataset_vintage: vintage,
        });
        if (status === 'ok') ok++;
      }
    }
    expect(ok).toBeGreaterThan(1000);
  });

  it('is the same whether it was calculated at ingest or is now', async () => {
    const { overlays: _, ...manifest } = release.manifest;
    const plain: Release = { ...release, id: 'plain', manifest };
    for (const ord of [7, 90]) {
      const [then, now] = [await known(ord), await known(ord, NAMES, plain)];
      expect(then.failures).toEqual(now.failures);
      for (const name of [...SHARED, ...ONLY])
        expect({ ...then.fields[name], fetched_at: '' }, name).toEqual({ ...now.fields[name], fetched_at: '' });
      for (const name of ['elevation', ...ONLY])
        expect(Date.parse(then.fields[name]!.fetched_at), name).toBeLessThan(Date.parse(now.fields[name]!.fetched_at));
    }
  });

  it('has constraints, flood share and holdings as they were stored for a parcel, equal to those calculated now', async () => {
    const { overlays: _, ...manifest } = release.manifest;
    const plain: Release = { ...release, id: 'plain', manifest };
    const seen = { zones: 0, share: 0, holdings: 0 };
    for (let ord = 0; ord < parcels.count; ord += LONG ? 1 : 3) {
      const [{ fields: then }, { fields: now }] = [await known(ord, ONLY), await known(ord, ONLY, plain)];
      for (const name of ONLY)
        expect({ ...then[name], fetched_at: '' }, `${name} of ${ord}`).toEqual({ ...now[name], fetched_at: '' });
      // Stored: both were computed in one run, whose time they keep.
      expect(new Set(ONLY.map(name => then[name]!.fetched_at))).toHaveLength(1);
      const [zones, share, holdings] = ONLY.map(name => then[name]!.value) as [
        unknown[],
        number,
        { parcels: unknown[] },
      ];
      if (zones.length > 1) seen.zones++;
      if (share > 0 && share < 1) seen.share++;
      if (holdings.parcels.length > 1) seen.holdings++;
    }
    for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(0);
  });

  it('calculates constraints, flood share and holdings anew for a parcel that was matched by nearness', async () => {
    const ref = { partition: partition.key, ord: 7 };
    const as = { type: 'nearest', metres: 3, input: point(7) } as const;
    const near = await enrichParcel({ ...evaluation(), layers: new Layers(release, cache) }, ref, ONLY, as);
    const [stored, now] = [(await known(7, ONLY)).fields, parsed(near.fields)];
    for (const name of ONLY) {
      expect(now[name]).toMatchObject({ value: stored[name]!.value, status: stored[name]!.status });
      expect([stored[name]!.confidence, now[name]!.confidence]).toEqual(['high', 'medium']);
    }
  });

  it('is of the parcel itself where others share its ground', async () => {
    const geometry = rectangle([-68.8, 44.8, -68.799, 44.801]);
    const unit = (apn: string) => ({ geometry, properties: { apn, owner: `OWNER OF ${apn}` } });
    const stack = { state: 'ME', fips: '23019', place: 'stack', parcels: [unit('1'), unit('2')] };
    const { home, order, remove } = await writeParcelRelease([stack]);
    try {
      const tower = openRelease(home);
      const own = ['apn', 'parcel_apn', 'parcel_owner', 'parcel_match_type', 'stack_count'];
      for (const [ord, apn] of order[0]!.entries()) {
        const ref = { partition: 'ME/23019', ord };
        const of = { ...evaluation(tower), layers: new Layers(tower, cache) };
        const map = parsed((await enrichParcel(of, ref, own)).fields);
        expect(own.map(name => map[name]!.value)).toEqual([apn, apn, `OWNER OF ${apn}`, 'contains', 2]);
      }
      const at = { lng: -68.7995, lat: 44.8005 };
      const answer = await enrich({ point: at, address: null, names: ['apn'] }, evaluation(tower));
      expect(answer).toMatchObject({ status: 'ambiguous', reason: '2 parcels contain the point' });
    } finally {
      remove();
    }
  });
});

describe('a matched place', () => {
  const names = ['apn', 'parcel_apn', 'parcel_match_type', 'parcel_match_distance_m', 'elevation'];
  const ask = async (lng: number, lat: number) => {
    const answer = await enrich({ point: { lng, lat }, address: null, names }, evaluation());
    if (answer.status !== 'matched') return answer;
    return { ...answer, map: parsed(answer.enriched.fields) as Record<string, Entry> };
  };

  it('is enriched at the stored point of its parcel, wherever in the parcel it lies', async () => {
    const [ord] = alone(1) as [number];
    const here = point(ord);
    const shifted = await ask(here.lng + 1e-6, here.lat);
    expect(shifted).toMatchObject({
      status: 'matched',
      enriched: { point: here, method: 'stored_parcel_centroid' },
      parcel: { apn: parcels.properties(ord).apn, matchType: 'contains', metres: 0, ref: { ord } },
    });
  });

  it('tells in its parcel fields that it was matched by nearness, and how far off', async () => {
    const [west, south, east] = partition.box!;
    let near: Awaited<ReturnType<typeof ask>> | null = null;
    // From outside the area towards it, 4 m a step, until one parcel is within 30 m.
    for (let x = west; x < east && !near; x += (east - west) / 40)
      for (let y = south - 0.0004; y < south + 0.002; y += 0.00004) {
        const answer = await ask(x, y);
        if (answer.status === 'matched' && answer.parcel.matchType === 'nearest') near = answer;
        if (answer.status !== 'no_match' && answer.status !== 'unavailable') break;
      }
    if (near?.status !== 'matched' || !('map' in near)) throw new Error('no parcel is near its edge');
    const { metres } = near.parcel;
    expect(metres).toBeGreaterThan(0);
    expect(near.map.parcel_match_type).toMatchObject({ value: 'nearest', confidence: 'medium' });
    expect(near.map.parcel_match_distance_m).toMatchObject({ value: metres, confidence: 'medium' });
    expect(near.map.apn).toMatchObject({ value: near.parcel.apn, confidence: 'medium' });
    expect(near.map.parcel_apn!.value).toBe(near.parcel.apn);
    expect(near.map.elevation!.confidence).toBe('high');
  });

  it('says why there is none', async () => {
    expect(await ask(-150, 61)).toEqual({ status: 'unavailable', reason: 'no parcel data covers the point' });
    const nothing = await enrich({ point: point(0), address: null, names }, { ...evaluation(), release: null });
    expect(nothing).toMatchObject({ status: 'unavailable', reason: expect.stringContaining('no release') });
  });
});

describe('what is not at hand', () => {
  it('is a failed record each, listed in the order of the fields, when the time is up', async () => {
    const { overlays: _, ...manifest } = release.manifest;
    const plain: Release = { ...release, id: 'late', manifest };
    const environment = { ...evaluation(plain), deadline: Date.now() - 1, layers: new Layers(plain, cache) };
    const ref = { partition: partition.key, ord: 3 };
    const names = ['apn', 'elevation', 'owner_assemblage'];
    const { fields: text, failures } = await enrichParcel(environment, ref, names);
    const map = parsed(text) as Record<string, Entry & { error?: string; retryable?: boolean }>;
    expect(map.apn!.status).toBe('ok');
    for (const name of ['elevation', 'owner_assemblage'])
      expect(map[name]).toMatchObject({ status: 'failed', value: null, confidence: 'low', retryable: true });
    expect(failures.map(f => [f.field, f.source, f.retryable])).toEqual([
      ['elevation', map.elevation!.source, true],
      ['owner_assemblage', 'parcel_store', true],
    ]);
  });

  it('lets what is urgent pass before each field that is not stored', async () => {
    const { overlays: _, ...manifest } = release.manifest;
    const plain: Release = { ...release, id: 'paused', manifest };
    let pauses = 0;
    const pause = async () => void pauses++;
    const environment = { ...evaluation(plain), layers: new Layers(plain, cache), pause };
    await enrichParcel(environment, { partition: partition.key, ord: 3 }, ['apn', 'elevation', 'owner_assemblage']);
    expect(pauses).toBe(2);
  });

  it('fails a field whose dataset is not installed, and no other', async () => {
    const { usfws_critical_habitat: _, ...datasets } = release.manifest.datasets;
    const { overlays: __, ...rest } = release.manifest;
    const lacking: Release = {
      ...release,
      id: 'lacking',
      manifest: { ...rest, datasets },
      layer: (dataset, layer) => datasets[dataset]?.[layer] ?? null,
    };
    const names = ['within_critical_habitat', 'elevation', 'parcel_constraint_zones', 'parcel_flood_sfha_fraction'];
    const { fields: map } = await known(3, names, lacking);
    for (const name of ['within_critical_habitat', 'parcel_constraint_zones'])
      expect(map[name], name).toMatchObject({
        status: 'failed',
        retryable: false,
        error: expect.stringContaining('usfws_critical_habitat'),
      });
    expect([map.elevation!.status, map.parcel_flood_sfha_fraction!.status]).toEqual(['ok', 'ok']);
  });
});
