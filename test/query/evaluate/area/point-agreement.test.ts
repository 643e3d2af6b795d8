import { beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../../datasets/catalog.ts';
import type { Geometry } from '../../../../datasets/geometry.ts';
import { type Area, type AreaFinding, areaOf } from '../../../../query/evaluate/area/area.ts';
import { evaluateBatch } from '../../../../query/evaluate/batch-evaluate.ts';
import { openArea } from '../../../../query/evaluate/evaluate-area.ts';
import type { Finding } from '../../../../query/evaluate/finding.ts';
import { AREA_FORMS } from '../../../../query/evaluate/operators/area-forms.ts';
import { contains } from '../../../../query/geometry/point-in-polygon.ts';
import { type ParcelsOn, parcelsOn } from '../../../../query/parcel/parcels-on.ts';
import { createCache } from '../../../../query/release/cache.ts';
import { Layers } from '../../../../query/release/layers.ts';
import { openRelease } from '../../../../query/release/open-release.ts';
import { type Polygonal, toGeoJSON } from '../../../oracle/geojson.ts';
import { isValid } from '../../../oracle/geometry.ts';
import { coveredShare } from '../../../oracle/overlap.ts';
import { syntheticHome } from '../../../synthetic-home.ts';
import { starOf } from '../../star.ts';

/** Sample points along each side of the area's box. */
const GRID = 38;
/** What a share may be off by that so many samples tell. */
const OFF = 0.05;

let home: string;
let area: Area;
let points: { lng: number; lat: number }[];
const findings = new Map<string, AreaFinding | null>();
let sampled: ReadonlyMap<string, readonly Finding[]>;
let parcels: ParcelsOn;
/** Boundaries of the area's parcels. */
const boundaries: Geometry[] = [];

beforeAll(async () => {
  ({ home } = await syntheticHome());
  const release = openRelease(home);
  const cache = createCache(256);
  const layers = new Layers(release, cache);
  const partitions = release.layer('parcel_store', 'main')!.partitions;
  const boxes = partitions.flatMap(({ box }) => (box ? [box] : []));
  const [west, south, east, north] = [0, 1, 2, 3].map(i => (i < 2 ? Math.min : Math.max)(...boxes.map(b => b[i]!)));
  for (const partition of partitions) {
    const { file } = await layers.features(partition);
    for (let i = 0; i < file.count; i++) boundaries.push(file.feature(i).geometry);
  }
  const size = 0.45 * Math.min(east! - west!, north! - south!);
  for (let seed = 1; ; seed++) {
    const { geometry } = starOf(seed, 18, (west! + east!) / 2, (south! + north!) / 2, size);
    if (!isValid(geometry)) continue;
    area = await areaOf(geometry);
    break;
  }
  const asking = openArea(area, { release, catalog, cache, deadline: Date.now() + 60_000 }, layers);
  for (const field of catalog.fields.values()) findings.set(field.name, await asking.answer(field));
  parcels = await parcelsOn(asking.ctx);
  points = [];
  const [x0, y0, x1, y1] = area.box;
  for (let i = 0; i < GRID; i++)
    for (let j = 0; j < GRID; j++) {
      const [lng, lat] = [x0 + ((i + 0.5) / GRID) * (x1 - x0), y0 + ((j + 0.5) / GRID) * (y1 - y0)];
      if (contains(area.geometry, lng, lat)) points.push({ lng, lat });
    }
  // A statistic over a disc is another question than the same over the area.
  const names = [...findings.keys()].filter(name => {
    const { op, options } = catalog.fields.get(name)!.expression;
    const atPoints = ['polygon_attr', 'polygon_within', 'raster_sample', 'raster_terrain'].includes(op);
    return atPoints && options.over === undefined;
  });
  sampled = await evaluateBatch(names, points, { release, catalog, cache });
});

/** Share of the samples at which the point form says so. */
const shareOf = (name: string, holds: (finding: Finding) => boolean) =>
  sampled.get(name)!.filter(holds).length / points.length;

describe('over the synthetic area, area forms and point forms', () => {
  it('every field of an operator with an area form is answered, or its dataset fails at points too', () => {
    let ok = 0;
    for (const [name, finding] of findings) {
      const { op } = catalog.fields.get(name)!.expression;
      if (!AREA_FORMS.has(op)) expect(finding, name).toBeNull();
      if (finding?.status === 'failed') expect(finding.error, name).toMatch(/not installed|no column/);
      if (finding?.status === 'ok') ok++;
    }
    expect(ok).toBeGreaterThan(120);
  });

  it.each([
    ['flood zones', 'fema_flood_zone', 'shares'],
    ['wetlands', 'within_nwi_wetland', 'covered'],
    ['protected land', 'within_protected_area', 'covered'],
    ['slope, with its classes', 'slope_degrees', 'range'],
    ['land cover', 'land_cover_class', 'shares'],
    ['soils', 'soil_map_unit_name', 'shares'],
    ['elevation', 'elevation', 'range'],
    ['buildings on it', 'building_count_within_1km', 'count'],
    ['the way to a hospital', 'nearest_hospital_distance_m', 'distance'],
  ])('say of a site: %s', (_, name, kind) => {
    const statistics = findings.get(name)?.value;
    expect(statistics).toMatchObject({ kind });
    if (statistics?.kind === 'shares') expect(statistics.shares.length).toBeGreaterThan(0);
    if (name !== 'slope_degrees' || statistics?.kind !== 'range') return;
    expect(statistics.classes!.length).toBeGreaterThan(1);
    expect(statistics.classes!.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1 - statistics.without_value, 2);
  });

  it('say of as much ground the same: values, none, and nothing', () => {
    let [compared, several] = [0, 0];
    for (const [name, finding] of findings) {
      const statistics = finding?.value;
      const of = sampled.get(name);
      if (!of || (statistics?.kind !== 'shares' && statistics?.kind !== 'covered')) continue;
      compared++;
      const absent = shareOf(name, one => one.status === 'absent');
      const { uncovered, without_value, unknown, unmapped } = statistics;
      if (statistics.kind === 'covered') {
        expect(Math.abs(statistics.share - shareOf(name, one => one.value === true)), name).toBeLessThan(OFF);
        expect(Math.abs(uncovered - shareOf(name, one => one.value === false)), name).toBeLessThan(OFF);
        expect(Math.abs(unknown + unmapped - absent), name).toBeLessThan(OFF);
        if (statistics.share > OFF && uncovered > OFF) several++;
        continue;
      }
      for (const { value, share } of statistics.shares)
        expect(Math.abs(share - shareOf(name, one => one.value === value)), `${name} ${value}`).toBeLessThan(OFF);
      expect(Math.abs(uncovered + without_value + unknown + unmapped - absent), name).toBeLessThan(OFF);
      if (statistics.shares.length > 1) several++;
    }
    expect(compared).toBeGreaterThan(40);
    expect(several).toBeGreaterThan(10);
  });

  it('ranges hold what the point form answers, and the mean is about its mean', () => {
    let compared = 0;
    for (const [name, finding] of findings) {
      const statistics = finding?.value;
      const of = sampled.get(name);
      if (!of || statistics?.kind !== 'range' || statistics.cells < 200) continue;
      const values = of.flatMap(({ value }) => (typeof value === 'number' ? [value] : []));
      if (values.length < points.length / 4) continue;
      const { min, max, mean } = statistics;
      // Bilinear samples lie between cells, and both are rounded.
      const slack = 0.02 * (max - min) + 1e-3;
      compared++;
      for (const value of values) {
        expect(value, name).toBeGreaterThanOrEqual(min - slack);
        expect(value, name).toBeLessThanOrEqual(max + slack);
      }
      const average = values.reduce((sum, value) => sum + value, 0) / values.length;
      expect(Math.abs(average - mean), name).toBeLessThan(0.06 * (max - min) + 1e-3);
    }
    expect(compared).toBeGreaterThan(5);
  });

  it('the parcels cover what GEOS finds that they cover', () => {
    const share = coveredShare(toGeoJSON(area.geometry) as Polygonal, boundaries);
    expect(parcels.status).toBe('ok');
    expect(Math.abs((parcels.acres_on_site! * 4046.8564224) / area.squareMetres - share)).toBeLessThan(1e-4);
    const on = boundaries.filter(boundary => coveredShare(toGeoJSON(boundary) as Polygonal, [area.geometry]) > 1e-4);
    expect(Math.abs(parcels.count! - on.length)).toBeLessThanOrEqual(2);
    const grounds = parcels.parcels.map(parcel => parcel.acres_on_site);
    expect(grounds).toEqual([...grounds].sort((a, b) => b - a));
    expect(parcels.parcels.some(parcel => parcel.address !== null)).toBe(true);
    for (const parcel of parcels.parcels) expect(parcel.acres_on_site).toBeLessThanOrEqual(parcel.acres);
  });
});
