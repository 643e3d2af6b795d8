import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Place } from '../../../datasets/place/place.ts';
import type { Manifest } from '../../../datasets/release.ts';
import { overlayCatalog } from '../../../pipelines/overlay/attributes.ts';
import { carryOverlays, planOverlays } from '../../../pipelines/overlay/plan.ts';
import { identified } from '../../../pipelines/release/manifest.ts';
import { run } from '../../../pipelines/run.ts';
import { FeatureFile } from '../../../query/format/flatgeobuf.ts';
import { publish } from '../../../query/release/home/publish.ts';
import { openRelease, type Release, releaseOf } from '../../../query/release/open-release.ts';
import { SILENT } from '../silent.ts';

import {
  copy,
  home,
  ingestAndOverlay,
  isFedBy,
  type Moved,
  manifestOf,
  now,
  overlayOf,
  parcelsOf,
  removeHomes,
  sources,
  staleness,
  synthetic,
} from './overlay-fixture.ts';

let release: Release;
let full: NonNullable<Manifest['overlays']>;
beforeAll(async () => {
  await ingestAndOverlay();
  release = openRelease(home);
  full = release.manifest.overlays!;
});
afterAll(removeHomes);

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
    const { overlays: _, calculations: __, ...bare } = manifestOf(home);
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
    const after = carryOverlays(overlayCatalog(), [before], release).overlays!;
    for (const [sha256, overlays] of Object.entries(after)) {
      expect(overlays.usfws_nwi).toBeUndefined();
      expect(Object.keys(overlays).length).toBeGreaterThan(8);
      for (const [dataset, overlay] of Object.entries(overlays))
        expect(overlay).toEqual(before.overlays![sha256]![dataset]);
    }
  });

  it('of any dataset makes exactly the columns stale that it feeds', () => {
    const before = staleness(release, full);
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
      const { stale } = staleness(releaseOf(home, manifest), full);
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
