import { beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { EXCLUDED_FROM_ENRICH } from '../../../datasets/enrich/enrich.ts';
import { ENRICH_ONLY } from '../../../datasets/enrich/enrich-only.ts';
import { PARCEL_OVERLAYS } from '../../../datasets/parcel/parcel-overlays.ts';
import { search } from '../../../query/engine/search-task.ts';
import { overlayLayers } from '../../../query/evaluate/parcel-stand-in.ts';
import { AREA_KEY_NAMES, areaKeyOf, areaOverlayOf } from '../../../query/parcel/built-columns.ts';
import { calculatedNames } from '../../../query/parcel/calculated-names.ts';
import { Calculated } from '../../../query/parcel/calculated-values.ts';
import { createCache } from '../../../query/release/cache.ts';
import { Layers } from '../../../query/release/layers.ts';
import { openRelease, type Release } from '../../../query/release/open-release.ts';
import { judgeName } from '../../../query/search/request/name.ts';
import { syntheticHome } from '../../synthetic-home.ts';
import { textOf } from '../search/page-text.ts';

/** The point and parcel calculations of enrichment and search: all fetch fields but those that both leave out. */
const CALCULATIONS = [...catalog.fields.keys()].filter(name => !EXCLUDED_FROM_ENRICH.has(name));

/** Whether a field is looked up by the key of an area. */
const isLooked = (name: string) => catalog.fields.get(name)!.expression.op === 'area_key_attr';

const cache = createCache(128);
let release: Release;
beforeAll(async () => {
  release = openRelease((await syntheticHome()).home);
});
const counties = () => release.layer('parcel_store', 'main')!.partitions;

describe('the calculations of a release', () => {
  it('are stored as columns, or follow from stored area keys, in every county', () => {
    const looked = CALCULATIONS.filter(isLooked);
    for (const partition of counties()) {
      const calculated = new Calculated(new Layers(release, cache), catalog, partition);
      const by = Object.groupBy(CALCULATIONS, name => calculated.locate(name)?.kind ?? 'neither');
      expect(by.neither).toBeUndefined();
      expect(by.area_key).toEqual(looked);
      expect(by.column).toEqual(CALCULATIONS.filter(name => !isLooked(name)));
    }
  });

  it('stand in overlays with the computed attributes, the keys and the calculations of enrichment alone, and with nothing else', () => {
    const { sha256 } = counties()[0]!.files.find(f => f.role === 'features')!;
    const overlays = Object.entries(release.manifest.overlays![sha256]!);
    const names = overlays.flatMap(([overlay, { fields }]) => (areaKeyOf(overlay) === null ? fields : []));
    const sum = {
      calculations: names.filter(name => CALCULATIONS.includes(name)).length,
      excluded: names.filter(name => EXCLUDED_FROM_ENRICH.has(name)).length,
      attributes: names.filter(name => Object.hasOwn(PARCEL_OVERLAYS, name)).length,
      only: names.filter(name => Object.hasOwn(ENRICH_ONLY, name)).length,
    };
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBe(sum.calculations + sum.excluded + sum.attributes + sum.only);
    const isInstalled = (id: string) => release.layer(...(id.split(':') as [string, string])) !== null;
    const computed = Object.keys(PARCEL_OVERLAYS).filter(name => overlayLayers(name).every(isInstalled));
    const stored = (list: Iterable<string>) => [...list].filter(name => !isLooked(name)).length;
    const excluded = stored(EXCLUDED_FROM_ENRICH);
    const only = Object.keys(ENRICH_ONLY).length;
    expect(sum).toEqual({ calculations: stored(CALCULATIONS), excluded, attributes: computed.length, only });
    for (const key of AREA_KEY_NAMES)
      expect(release.manifest.overlays![sha256]![areaOverlayOf(key)]!.fields).toEqual([key]);
  });

  it('are names that a search may use, but the calculations of enrichment alone, which sets take', () => {
    const names = calculatedNames(release, catalog);
    for (const name of CALCULATIONS) {
      expect(names.has(name), name).toBe(true);
      for (const role of ['filter', 'output'] as const)
        expect(judgeName(catalog, names, name, role), name).toMatchObject({ status: 'usable' });
    }
    for (const name of Object.keys(ENRICH_ONLY)) {
      expect(names.has(name), name).toBe(true);
      expect(judgeName(catalog, names, name, 'filter')).toEqual({ status: 'enrich_only' });
    }
  });

  it('each answer a filter: the parcel that a value is of is found by it, and none by a value that is absent', async () => {
    const found = new Map<string, { readonly ord: number; readonly value: unknown }>();
    const [county] = counties();
    const calculated = new Calculated(new Layers(release, cache), catalog, county!);
    for (let ord = 0; ord < county!.rows; ord += 5)
      for (const [name, { status, value }] of await calculated.findings(ord, CALCULATIONS))
        if (status === 'ok' && !found.has(name)) found.set(name, { ord, value });
    expect(found.size).toBeGreaterThan(300);
    const environment = { release, catalog, cache, deadline: Date.now() + 120_000, stopped: () => false };
    const budget = { batch: 1000, maxCandidates: null, maxEvaluated: null, maxSquareKm: 1e6 };
    for (const name of CALCULATIONS) {
      const { type } = catalog.fields.get(name)!;
      const known = found.get(name);
      const value = (known?.value ?? (type === 'string' ? '' : type === 'boolean' ? true : 0)) as string;
      const operand = type === 'date' || type === 'timestamp' ? Date.parse(value) : value;
      const tests = [{ name, kind: type, op: 'eq' as const, operands: [operand] }];
      const request = {
        filters: { tests, areas: [] },
        outputs: ['centroid_lat', name],
        countyByFips: false,
        limit: 100,
        after: null,
        budget,
      };
      const page = await search(request, environment);
      if ('issues' in page) throw new Error(`${name}: ${JSON.stringify(page.issues)}`);
      expect(['complete', 'limited'], name).toContain(page.status);
      const matches = JSON.parse(new TextDecoder().decode(textOf(page.matches))) as {
        fields: Record<string, unknown>;
      }[];
      if (known) expect(matches.length, name).toBeGreaterThan(0);
      for (const { fields } of matches) expect(fields[name], name).toEqual(value);
    }
  });
});
