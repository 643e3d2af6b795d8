import { spawn } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import type { Place } from '../../../datasets/place/place.ts';
import whole from '../../../datasets/places/synthetic.ts';
import type { Manifest, Overlay } from '../../../datasets/release.ts';
import { overlayCatalog } from '../../../pipelines/overlay/attributes.ts';
import { carryOverlays, planOverlays } from '../../../pipelines/overlay/plan.ts';
import { runOverlay } from '../../../pipelines/overlay/run.ts';
import { SILENT } from '../../../pipelines/progress.ts';
import { currentId, identified, readManifest } from '../../../pipelines/release/manifest.ts';
import { publish } from '../../../pipelines/release/publish.ts';
import { verify } from '../../../pipelines/release/verify.ts';
import { run } from '../../../pipelines/run.ts';
import { generateWorld } from '../../../pipelines/world/generate.ts';
import { isOnly, ONLY } from '../../../query/enrich/only.ts';
import { layersOfKey } from '../../../query/evaluate/area-key.ts';
import { evaluate } from '../../../query/evaluate/evaluate.ts';
import { toAnswer } from '../../../query/evaluate/finding.ts';
import { layersRead } from '../../../query/evaluate/version.ts';
import { FeatureFile } from '../../../query/format/flatgeobuf.ts';
import { areaOverlayOf } from '../../../query/parcel/built-columns.ts';
import { Calculated } from '../../../query/parcel/calculated-values.ts';
import { createCache } from '../../../query/release/cache.ts';
import { Layers } from '../../../query/release/layers.ts';
import { openRelease, type Release, releaseOf } from '../../../query/release/opened-release.ts';
import { duckdb } from '../../../query/release/table.ts';
import { PLAT } from '../killing.ts';
import { folder } from '../world/truth.ts';

/** Every operator, both kinds of coverage and tables by area are in these. */
const KEPT = new Set([
  ...['parcel_store', 'census_tiger', 'usfws_nwi', 'usgs_3dep', 'mrlc_nlcd', 'usda_ssurgo', 'fema_nfhl', 'census_acs'],
  ...['census_pep', 'usgs_nhdplus_hr', 'usgs_padus', 'noaa_normals', 'fema_nri', 'usgs_wbd', 'cdfi_opportunity_zones'],
]);
const synthetic: Place = { ...whole, layers: whole.layers.filter(layer => KEPT.has(layer.dataset)) };
/** One moment for all runs, so that equal overlays have equal bytes. */
const now = new Date('2026-11-21T08:00:00.000Z');
const sources = folder();
/** Ingested without overlays, and copied for those that try something. */
const plain = folder();
const home = folder();
const homes = [sources, plain, home];
const overlayOf = (at: string) => runOverlay({ home: at, threads: 0, memoryMb: 256, progress: SILENT, now });
const manifestOf = (at: string): Manifest => {
  const releases = join(at, 'releases');
  return readManifest(releases, currentId(releases)!);
};
const copy = (): string => {
  const to = folder();
  homes.push(to);
  cpSync(plain, to, { recursive: true });
  return to;
};
let release: Release;
let full: NonNullable<Manifest['overlays']>;

beforeAll(async () => {
  await generateWorld({ parcels: 240, seed: 5, out: sources });
  await run({ home: plain, sources, place: synthetic, threads: 0, progress: SILENT, now });
  cpSync(plain, home, { recursive: true });
  await overlayOf(home);
  release = openRelease(home);
  full = release.manifest.overlays!;
});
afterAll(() => {
  for (const path of homes) rmSync(path, { recursive: true, force: true });
});

const parcelsOf = (of: Release) => of.layer('parcel_store', 'main')!.partitions;

/** Whether a stored column rests on a dataset. */
function isFedBy(name: string, dataset: string): boolean {
  const layers = isOnly(name)
    ? [...ONLY[name].layers, ...ONLY[name].optional]
    : overlayCatalog().fields.has(name)
      ? layersRead(overlayCatalog(), name)
      : layersOfKey(name).map(at => `${at.dataset}:${at.layer}`);
  return layers.some(id => id.startsWith(`${dataset}:`));
}

interface Moved {
  readonly key: string;
  box: [number, number, number, number];
  readonly files: { readonly role: string; sha256: string }[];
}

/** All columns of a release's overlays as parcels and name, and which of them the overlays of the first run are not right for. */
function staleness(of: Release): { columns: [string, string][]; stale: string[] } {
  const columns: [string, string][] = [];
  const stale: string[] = [];
  for (const { file, parcels, overlays } of planOverlays(overlayCatalog(), of))
    for (const { dataset, inputs, fields } of overlays)
      for (const name of fields) {
        columns.push([parcels.key, name]);
        if (full[file.sha256]![dataset]!.inputs !== inputs) stale.push(String([parcels.key, name]));
      }
  return { columns, stale };
}

/** What is stored for every parcel, as the facade tells it. */
async function* storedParcels(every: number) {
  const cache = createCache(256);
  for (const partition of parcelsOf(release)) {
    const calculated = new Calculated(new Layers(release, cache), catalog, partition);
    const file = new FeatureFile(release.pathOf(partition.files.find(f => f.role === 'features')!));
    for (let ord = 0; ord < file.count; ord += every)
      yield { partition, calculated, ord, properties: file.properties(ord), cache };
    file.close();
  }
}

describe('the overlay of a release', () => {
  it('stores for each parcel what is answered at its analysis point, and which parcel it is', async () => {
    let compared = 0;
    for await (const { calculated, ord, properties, cache } of storedParcels(9)) {
      const names = [...calculated.fields()].filter(name => catalog.fields.has(name));
      expect(names.length).toBeGreaterThan(100);
      const point = { lng: properties.centroid_lon as number, lat: properties.centroid_lat as number };
      const asked = await evaluate(names, point, { release, catalog, cache, deadline: Date.now() + 60_000 });
      const stored = await calculated.findings(ord, names);
      expect([...stored.keys()].sort()).toEqual([...names].sort());
      expect(stored.get('parcel_apn')).toMatchObject({ status: 'ok', value: properties.apn });
      for (const name of names) {
        // At the point several parcels may lie; the stored calculation is of the parcel itself.
        if (String(asked[name]!.notes).includes('parcels contain the point')) continue;
        const dataset = catalog.datasets.get(catalog.fields.get(name)!.dataset)!;
        expect([name, { ...toAnswer(stored.get(name)!, dataset, ''), fetchedAt: '' }]).toEqual([
          name,
          { ...asked[name], fetchedAt: '' },
        ]);
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(2500);
  });

  it('has the same values and reasons in its Parquet columns', async () => {
    const db = await duckdb();
    for (const partition of parcelsOf(release)) {
      const calculated = new Calculated(new Layers(release, createCache(64)), catalog, partition);
      for (const name of ['elevation', 'nearest_road_distance_m', 'soil_map_unit_name', 'within_floodplain_polygon']) {
        const at = calculated.locate(name)!;
        expect(at.kind).toBe('column');
        const rows = (
          await db.runAndReadAll(`SELECT ord, "${name}", "${name}:code" FROM read_parquet(?) ORDER BY ord`, [
            release.pathOf(at.file),
          ])
        ).getRows();
        expect(rows.map(row => row[0])).toEqual(Array.from({ length: partition.rows }, (_, i) => i));
        const reasons = await calculated.reasons(name);
        for (const [ord, value, code] of rows.filter((_, i) => i % 5 === 0)) {
          const finding = (await calculated.findings(Number(ord), [name])).get(name)!;
          expect([value, reasons[Number(code)]!.status, reasons[Number(code)]!.notes]).toEqual([
            finding.value,
            finding.status,
            finding.notes,
          ]);
        }
        const [[plat]] = (
          await db.runAndReadAll(`SELECT decode(value) FROM parquet_kv_metadata(?) WHERE decode(key) = 'plat'`, [
            release.pathOf(at.file),
          ])
        ).getRows() as [[string]];
        expect(JSON.parse(plat)).toMatchObject({ computedAt: now.toISOString(), fields: { [name]: reasons } });
      }
    }
  });

  it('stores the number of an area for tables, and says what the table has for each', async () => {
    const db = await duckdb();
    for (const partition of parcelsOf(release)) {
      const calculated = new Calculated(new Layers(release, createCache(64)), catalog, partition);
      for (const name of ['tract_population', 'county_population']) {
        const at = calculated.locate(name)!;
        const key = String(catalog.fields.get(name)!.expression.options.key);
        expect([at.kind, at.dataset, at.column]).toEqual(['area_key', areaOverlayOf(key), `${key}:area`]);
        const areas = new Map((await calculated.areas(name)).map(({ area, finding }) => [area, finding]));
        const rows = (
          await db.runAndReadAll(`SELECT ord, "${at.column}" FROM read_parquet(?) ORDER BY ord`, [
            release.pathOf(at.file),
          ])
        ).getRows();
        expect(new Set(rows.map(row => Number(row[1])))).toEqual(new Set(areas.keys()));
        for (const [ord, area] of rows.filter((_, i) => i % 10 === 0)) {
          const { computedAt, ...finding } = (await calculated.findings(Number(ord), [name])).get(name)!;
          expect(finding).toEqual(areas.get(Number(area)));
        }
      }
    }
  });

  it('is sound, complete and nothing to compute again', async () => {
    expect((await verify(join(home, 'releases'), release.manifest)).damage).toEqual([]);
    const again = await overlayOf(home);
    expect(again).toMatchObject({ changed: false, parcels: 0, written: [], release: release.id });
    expect(existsSync(join(home, 'releases/overlay'))).toBe(false);
  });
});

describe('a refresh of one dataset', () => {
  it('computes only what depends on it, and the result is that of a full rebuild', async () => {
    // The wetlands of Maine are published anew: every second one is gone.
    const wetlands = synthetic.layers.find(l => l.dataset === 'usfws_nwi' && l.file.includes('ME_'))!;
    const old = release.layer('usfws_nwi', 'main')!.partitions.find(p => p.key.startsWith('ME'))!;
    const file = new FeatureFile(release.pathOf(old.files.find(f => f.role === 'features')!));
    const features = Array.from({ length: file.count }, (_, i) => file.feature(i)).filter((_, i) => i % 2 === 0);
    file.close();
    const rings = ({ xy, ends, parts }: (typeof features)[number]['geometry']) => {
      const all = Array.from(ends, (end, i) =>
        Array.from({ length: end - (ends[i - 1] ?? 0) }, (_, k) => {
          const v = ((ends[i - 1] ?? 0) + k) * 2;
          return [xy[v], xy[v + 1]];
        }),
      );
      return Array.from(parts, (end, i) => all.slice(parts[i - 1] ?? 0, end));
    };
    writeFileSync(
      join(sources, 'wetlands.geojson'),
      JSON.stringify({
        type: 'FeatureCollection',
        features: features.map(({ geometry, properties }) => ({
          type: 'Feature',
          properties,
          geometry: { type: 'MultiPolygon', coordinates: rings(geometry) },
        })),
      }),
    );
    const columns = { ATTRIBUTE: 'ATTRIBUTE', WETLAND_TYPE: 'WETLAND_TYPE', ACRES: 'ACRES' };
    const next: Place = {
      ...synthetic,
      layers: synthetic.layers.map(l =>
        l === wetlands ? { ...l, file: 'wetlands.geojson', format: 'geojson', options: {}, columns } : l,
      ),
    };
    const refreshed = await run({
      home,
      sources,
      place: next,
      threads: 0,
      progress: SILENT,
      now,
      accept: ['synthetic'],
      overlay: { memoryMb: 256 },
    });
    // The same release once more without overlays, which are then all computed.
    const rebuilt = copy();
    cpSync(join(home, 'releases/files'), join(rebuilt, 'releases/files'), { recursive: true });
    const { overlays: _, ...bare } = manifestOf(home);
    await publish(join(rebuilt, 'releases'), identified(bare));
    await overlayOf(rebuilt);

    // Every stored column that wetlands feed, and no other; for both counties, which are within reach of them.
    const { written, kept } = refreshed.overlay!;
    const after = manifestOf(home);
    const stored = Object.values(full).flatMap(own => Object.values(own).flatMap(overlay => overlay.fields));
    const fed = [...new Set(stored)].filter(name => isFedBy(name, 'usfws_nwi')).sort();
    expect(fed).toContain('wetland_fraction_of_parcel');
    expect(fed).toContain('developable_acres_proxy');
    for (const partition of parcelsOf(release)) {
      const { sha256 } = partition.files.find(f => f.role === 'features')!;
      const own = after.overlays![sha256]!;
      const computed = written.filter(w => w.parcels === partition.key).flatMap(w => own[w.dataset]!.fields);
      expect(computed.sort()).toEqual(fed);
    }
    expect(kept).toBe(Object.values(full).reduce((n, own) => n + Object.keys(own).length, 0) - written.length);
    expect(kept).toBeGreaterThan(20);
    expect(manifestOf(home).overlays).toEqual(manifestOf(rebuilt).overlays);
    const changed = (overlays: Manifest['overlays']) =>
      Object.values(overlays!).map(own => own.usfws_nwi!.files[0]!.sha256);
    expect(changed(manifestOf(home).overlays)).not.toEqual(changed(full));
  });

  it('leaves stale values out of a release whose overlays are not computed with it', () => {
    const before = manifestOf(home);
    const after = carryOverlays(overlayCatalog(), before, release).overlays!;
    for (const [sha256, overlays] of Object.entries(after)) {
      expect(overlays.usfws_nwi).toBeUndefined();
      expect(Object.keys(overlays).length).toBeGreaterThan(8);
      for (const [dataset, overlay] of Object.entries(overlays))
        expect(overlay).toEqual(before.overlays![sha256]![dataset]);
    }
  });

  it('of any dataset makes exactly the columns stale that it feeds', () => {
    const before = staleness(release);
    expect(before.stale).toEqual([]);
    for (const dataset of [
      'usgs_3dep',
      'fema_nfhl',
      'census_tiger',
      'usgs_padus',
      'mrlc_nlcd',
      'usda_ssurgo',
      'usgs_wbd',
    ]) {
      const manifest = structuredClone(release.manifest);
      const layers = Object.values(manifest.datasets[dataset]!).flatMap(version => version.partitions);
      for (const { files } of layers)
        for (const file of files as unknown as { role: string; sha256: string }[])
          if (file.role !== 'coverage') file.sha256 = `${file.sha256.slice(0, -1)}!`;
      const { stale } = staleness(releaseOf(home, manifest));
      const expected = before.columns.filter(([, name]) => isFedBy(name, dataset));
      expect([dataset, new Set(stale)]).toEqual([dataset, new Set(expected.map(String))]);
      expect(stale.length).toBeGreaterThan(0);
      expect(stale.length).toBeLessThan(before.columns.length);
    }
  });

  it('of the parcels beside makes stale who owns what, in the same state within a mile, and nothing else', () => {
    const [one, other] = parcelsOf(release);
    const { sha256 } = one!.files.find(f => f.role === 'features')!;
    /** The other county of parcels anew, in a state, and so many degrees farther north. */
    const changed = (state: string, north: number) => {
      const manifest = structuredClone(release.manifest) as { datasets: Manifest['datasets'] } & Manifest;
      const version = manifest.datasets.parcel_store!.main!;
      const [west, south, east, top] = other!.box!;
      const next = {
        ...other!,
        key: `${state}/99999`,
        box: [west, south + north, east, top + north] as const,
        files: other!.files.map(f => (f.role === 'features' ? { ...f, sha256: `${f.sha256.slice(0, -1)}!` } : f)),
      };
      const main = { ...version, partitions: [one!, next] };
      return releaseOf(home, { ...manifest, datasets: { ...manifest.datasets, parcel_store: { main } } });
    };
    const staleOf = (of: Release) => {
      const plan = planOverlays(overlayCatalog(), of).find(p => p.file.sha256 === sha256)!;
      return plan.overlays.filter(o => full[sha256]![o.dataset]?.inputs !== o.inputs).map(o => o.dataset);
    };
    const [state] = one!.key.split('/') as [string];
    const [beside] = other!.key.split('/') as [string];
    expect(state).not.toBe(beside);
    expect(staleOf(changed(beside, 0))).toEqual([]);
    expect(staleOf(changed(state, 0))).toEqual(['owner_assemblage']);
    expect(staleOf(changed(state, 20))).toEqual([]);
  });

  it('of one state leaves the counties of another alone, once they are far enough apart', () => {
    // As if New Hampshire, its parcels and its wetlands, lay twenty degrees farther north.
    const apart = (changed: string | null): Release => {
      const manifest = structuredClone(release.manifest);
      for (const dataset of ['parcel_store', 'usfws_nwi'])
        for (const p of manifest.datasets[dataset]!.main!.partitions as unknown as Moved[]) {
          if (!p.key.startsWith('NH')) continue;
          const [west, south, east, north] = p.box;
          p.box = [west, south + 20, east, north + 20];
        }
      for (const p of manifest.datasets.usfws_nwi!.main!.partitions as unknown as Moved[])
        for (const file of p.files)
          if (p.key === changed && file.role === 'features') file.sha256 = `${file.sha256.slice(0, -1)}!`;
      return releaseOf(home, manifest);
    };
    const inputsOf = (of: Release) =>
      new Map(
        planOverlays(overlayCatalog(), of).flatMap(({ parcels, overlays }) =>
          overlays.flatMap(({ inputs, fields }) => fields.map(name => [`${parcels.key} ${name}`, inputs] as const)),
        ),
      );
    const before = inputsOf(apart(null));
    const fed = [...new Set([...before.keys()].map(id => id.split(' ')[1]!))].filter(name =>
      isFedBy(name, 'usfws_nwi'),
    );
    for (const state of ['ME', 'NH']) {
      const stale = [...inputsOf(apart(state))].filter(([id, inputs]) => before.get(id) !== inputs).map(([id]) => id);
      const county = parcelsOf(release).find(p => p.key.startsWith(state))!.key;
      expect(stale.sort()).toEqual(fed.map(name => `${county} ${name}`).sort());
    }
  });

  it('touches only parcels within reach of what changed', () => {
    const moved = (km: number, sha256: string): Release => {
      const manifest = structuredClone(release.manifest) as { datasets: Manifest['datasets'] } & Manifest;
      const version = manifest.datasets.usfws_nwi!.main!;
      const partitions = version.partitions.map(p => {
        const [west, south, east, north] = p.box!;
        const by = km / 111;
        const box = [west, south + by, east, north + by] as const;
        return { ...p, box, files: p.files.map(f => (f.role === 'features' ? { ...f, sha256 } : f)) };
      });
      const datasets = { ...manifest.datasets, usfws_nwi: { main: { ...version, partitions } } };
      return releaseOf(home, { ...manifest, datasets } as Manifest);
    };
    const inputsOf = (of: Release) => {
      const found = planOverlays(overlayCatalog(), of).map(plan =>
        Object.fromEntries(plan.overlays.map(({ dataset, inputs }) => [dataset, inputs])),
      );
      return found.map(({ usfws_nwi, usgs_3dep }) => ({ usfws_nwi, usgs_3dep }));
    };
    expect(inputsOf(moved(2000, 'a'))).toEqual(inputsOf(moved(2000, 'b')));
    const [near, nearer] = [inputsOf(moved(0, 'a')), inputsOf(moved(0, 'b'))];
    expect(near.map(i => i.usgs_3dep)).toEqual(nearer.map(i => i.usgs_3dep));
    expect(near.map(i => i.usfws_nwi)).not.toEqual(nearer.map(i => i.usfws_nwi));
  });
});

describe('an overlay that does not come to its end', () => {
  it('killed once a block is done, goes on from there and ends as if it had not been', async () => {
    const at = copy();
    const stages = join(at, 'releases/overlay');
    const before = currentId(join(at, 'releases'));
    const blocks = () =>
      existsSync(stages)
        ? readdirSync(stages).flatMap(name => readdirSync(join(stages, name)).filter(file => file.endsWith('.block')))
        : [];
    const child = spawn(PLAT, ['ingest', 'overlay', '--threads', '0'], {
      env: { ...process.env, PLAT_HOME: at },
      stdio: 'ignore',
    });
    const ended = new Promise<number | null>(resolve => child.on('close', resolve));
    const watch = setInterval(() => {
      if (blocks().length) child.kill('SIGKILL');
    }, 5);
    expect(await ended).toBe(null);
    clearInterval(watch);
    expect(currentId(join(at, 'releases'))).toBe(before);
    expect((await verify(join(at, 'releases'), manifestOf(at))).damage).toEqual([]);
    const report = await overlayOf(at);
    expect(report.resumed).toBeGreaterThan(0);
    expect(report.resumed).toBeLessThan(report.parcels);
    expect(manifestOf(at).overlays).toEqual(full);
    expect(existsSync(stages)).toBe(false);
  });

  it('a source that cannot be read leaves failed values, and is tried again', async () => {
    const at = copy();
    const damaged = openRelease(at);
    const raster = damaged.layer('mrlc_nlcd', 'tree_canopy')!.partitions[0]!.files.find(f => f.role === 'raster')!;
    const path = damaged.pathOf(raster);
    const bytes = readFileSync(path);
    renameSync(path, `${path}.away`);
    const first = await overlayOf(at);
    expect(first.changed).toBe(true);
    const broken = openRelease(at);
    const [partition] = parcelsOf(broken);
    const calculated = new Calculated(new Layers(broken, createCache(64)), catalog, partition!);
    const stored = await calculated.findings(0, ['tree_canopy_percent', 'elevation']);
    expect(stored.get('tree_canopy_percent')).toMatchObject({ status: 'failed', value: null, retryable: true });
    expect(stored.get('elevation')!.status).toBe('ok');
    const retried = (own: Readonly<Record<string, Overlay>>) => Object.keys(own).filter(dataset => own[dataset]!.retry);
    for (const own of Object.values(broken.manifest.overlays!)) expect(retried(own)).toEqual(['mrlc_nlcd']);
    writeFileSync(path, bytes);
    const second = await overlayOf(at);
    expect(new Set(second.written.map(w => w.dataset))).toEqual(new Set(['mrlc_nlcd']));
    expect(manifestOf(at).overlays).toEqual(full);
  });
});
