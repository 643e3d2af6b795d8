import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { overlayCatalog } from '../../../pipelines/overlay/attributes.ts';
import { computeBlock } from '../../../pipelines/overlay/block.ts';
import { type ParcelPlan, planOverlays } from '../../../pipelines/overlay/plan.ts';
import { verify } from '../../../pipelines/release/verify.ts';
import { evaluate } from '../../../query/evaluate/evaluate.ts';
import { toAnswer } from '../../../query/evaluate/finding.ts';
import { areaOverlayOf } from '../../../query/parcel/built-columns.ts';
import { Calculated } from '../../../query/parcel/calculated-values.ts';
import { createCache } from '../../../query/release/cache.ts';
import { Layers } from '../../../query/release/layers.ts';
import { openRelease, type Release } from '../../../query/release/open-release.ts';
import { duckdb } from '../../../query/release/table.ts';
import { syntheticHome } from '../../synthetic-home.ts';
import { folder } from '../world/truth.ts';
import { overlayOf, parcelsOf, removeHomes, storedParcels } from './overlay-fixture.ts';

const LONG = process.env.PLAT_TEST === 'long';

let home: string;
let release: Release;
beforeAll(async () => {
  home = folder();
  cpSync((await syntheticHome()).home, home, { recursive: true });
  release = openRelease(home);
});
afterAll(() => {
  rmSync(home, { recursive: true, force: true });
  removeHomes();
});

describe('the overlay of a release', () => {
  it('stores for each parcel what is answered at its analysis point, and which parcel it is', async () => {
    let compared = 0;
    for await (const { calculated, ord, properties, cache } of storedParcels(release, LONG ? 9 : 30)) {
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
        expect(JSON.parse(plat)).toMatchObject({ computedAt: release.manifest.createdAt, fields: { [name]: reasons } });
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

  it('lets go of what is held weakly after some parcels, also while it awaits no file', async () => {
    const [{ parcels, overlays }] = planOverlays(overlayCatalog(), release) as [ParcelPlan];
    const some = overlays.filter(({ dataset }) => dataset === 'usfws_nwi');
    expect(some).toHaveLength(1);
    const work = { parcels, overlays: some, tables: new Map(), first: 0, count: parcels.rows };
    const environment = { catalog: overlayCatalog(), release, cache: createCache(256), stopped: () => false };
    await computeBlock(work, environment);
    let turns = 0;
    const look = () => {
      turns++;
      next = setImmediate(look);
    };
    let next = setImmediate(look);
    await computeBlock(work, environment);
    clearImmediate(next);
    // A turn for each 256 of them.
    expect(turns).toBeGreaterThanOrEqual(Math.ceil(parcels.rows / 256));
  });

  it('is sound, complete and nothing to compute again', async () => {
    expect((await verify(join(home, 'releases'), release.manifest)).damage).toEqual([]);
    const again = await overlayOf(home);
    expect(again).toMatchObject({ changed: false, parcels: 0, written: [], release: release.id });
    expect(existsSync(join(home, 'releases/overlay'))).toBe(false);
  });
});
