import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../datasets/catalog.ts';
import { boxOf, type Geometry } from '../../datasets/geometry.ts';
import { builtInPlace } from '../../pipelines/place/place-schema.ts';
import { run } from '../../pipelines/run.ts';
import { type Polygonal, toGeoJSON } from '../oracle/geojson.ts';
import { contains, isValid, metresTo } from '../oracle/geometry.ts';
import { coveredShare, disc } from '../oracle/overlap.ts';
import { SILENT } from '../pipelines/silent.ts';
import { bothForms } from '../query/evaluate/operators/forms.ts';
import { randomOf } from '../query/star.ts';
import { MISSING, present, SOURCES } from './bangor.ts';
import { gdal, NO_GDAL, type PublishedRow, publishedFeatures } from './published.ts';

const ready = present && gdal;
if (!ready) console.warn(present ? NO_GDAL : MISSING);

const LAYERS = ['usfws_nwi:main', 'fema_nfhl:S_FLD_HAZ_AR', 'fema_usa_structures:main', 'parcel_store:main'];
/** Codes of the wetland types that the fields count: emergent, forested, scrub, ponds, farmed. */
const WETLAND = /^(PEM|P(F[O0]|SS)|P(UB|AB)|Pf|[EM]2)/;
/** Share beyond which wetlands that may or may not count change the answer, rounded to 1e-4. */
const OPEN = 1e-4;
/** Points at which buildings are compared too. */
const FEW = 3;
const geometries = (rows: readonly PublishedRow[]) => rows.map(r => r.geometry);
const boxesMeet = (a: Geometry, b: Geometry) => {
  const [p, q] = [boxOf(a), boxOf(b)];
  return p[0] <= q[2] && p[2] >= q[0] && p[1] <= q[3] && p[3] >= q[1];
};

describe('counts and overlaps on the real Bangor, against GEOS on its published files', {
  tags: ['published-files', 'GDAL'],
}, () => {
  let home: string;
  let wetlands: Geometry[];
  /** Wetlands of which the city does not say of what kind they are: any may count. */
  let unsaid: Geometry[];
  let flood: Geometry[];
  let buildings: Geometry[];
  let parcels: Geometry[];
  const random = randomOf(2026);
  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'plat-overlap-'));
    const bangor = builtInPlace('bangor-me');
    const layers = bangor.layers.filter(l => LAYERS.includes(`${l.dataset}:${l.layer}`));
    expect(layers).toHaveLength(LAYERS.length);
    await run({ home, sources: SOURCES, place: { ...bangor, layers }, threads: 0, progress: SILENT });
    const published = (dataset: string) => publishedFeatures(layers.find(l => l.dataset === dataset)!.file);
    const said = (row: PublishedRow) => String(row.properties.ATTRIBUTE ?? '').trim();
    wetlands = geometries(published('usfws_nwi').filter(r => WETLAND.test(said(r))));
    unsaid = geometries(published('usfws_nwi').filter(r => said(r) === ''));
    flood = geometries(published('fema_nfhl').filter(r => r.properties.SFHA === 'IN'));
    buildings = geometries(published('fema_usa_structures'));
    parcels = geometries(published('parcel_store'));
  }, 120_000);
  afterAll(() => home && rmSync(home, { recursive: true, force: true }));

  /** Middles of the boxes of some parcels that lie in exactly one published parcel. */
  const samples = (count: number) => {
    const out: { lng: number; lat: number; parcel: Geometry }[] = [];
    while (out.length < count) {
      const [west, south, east, north] = boxOf(parcels[Math.floor(random() * parcels.length)]!);
      const [lng, lat] = [(west + east) / 2, (south + north) / 2];
      const holding = parcels.filter(p => {
        const box = boxOf(p);
        return lng >= box[0] && lng <= box[2] && lat >= box[1] && lat <= box[3] && contains(p, lng, lat);
      });
      if (holding.length === 1 && isValid(holding[0]!)) out.push({ lng, lat, parcel: holding[0]! });
    }
    return out;
  };

  it('within 500 m: wetlands, flood hazard areas, buildings; buildings within 100 m counted', async () => {
    const points = samples(40);
    const names = [
      'wetland_fraction_within_500m',
      'sfha_fraction_within_500m',
      'building_coverage_fraction_500m',
      'building_count_within_100m',
    ];
    const answers = await bothForms({ home, catalog }, names, points);
    let compared = 0;
    let doubted = 0;
    for (const [i, { lng, lat }] of points.entries()) {
      const mask = disc(lng, lat, 500);
      const area = disc(lng, lat, 501, 72);
      for (const [name, layer] of [
        [names[0]!, wetlands],
        [names[1]!, flood],
        [names[2]!, buildings],
      ] as const) {
        const near = layer.filter(g => boxesMeet(g, ringOf(area)));
        // Hundreds of footprints take GEOS seconds a point.
        if (layer === buildings && i >= FEW) continue;
        // What GEOS calls invalid was repaired on the way in: there is no independent answer.
        if (!near.every(isValid)) continue;
        const open = layer === wetlands ? unsaid.filter(g => boxesMeet(g, ringOf(area))) : [];
        if (!open.every(isValid)) continue;
        const { value, status, notes } = answers[i]![name]!;
        const share = coveredShare(mask, near);
        if (open.length && coveredShare(mask, [...near, ...open]) - share > OPEN) {
          expect([status, value], `${name} at ${lng},${lat}`).toEqual(['absent', null]);
          expect(notes).toContain('what decides (WETLAND_TYPE) is empty or unknown');
          doubted++;
          continue;
        }
        expect(Math.abs((value as number) - share), `${name} at ${lng},${lat}`).toBeLessThan(6e-5);
        if ((value as number) > 0) compared++;
      }
      if (i >= FEW) continue;
      const count = buildings.filter(
        g => boxesMeet(g, ringOf(disc(lng, lat, 101, 72))) && metresTo(g, lng, lat) <= 100,
      ).length;
      expect(answers[i]!.building_count_within_100m!.value, `${lng},${lat}`).toBe(count);
    }
    expect(compared).toBeGreaterThan(25);
    expect(doubted).toBeGreaterThan(3);
  }, 120_000);

  it('on the parcel: wetlands, and their acres', async () => {
    const points = samples(400);
    const answers = await bothForms(
      { home, catalog },
      ['wetland_fraction_of_parcel', 'wetland_acres_on_parcel', 'parcel_area_m2'],
      points,
    );
    let wet = 0;
    let doubted = 0;
    for (const [i, { lng, lat, parcel }] of points.entries()) {
      const near = wetlands.filter(g => boxesMeet(g, parcel));
      const open = unsaid.filter(g => boxesMeet(g, parcel));
      if (!near.every(isValid) || !open.every(isValid)) continue;
      const {
        wetland_fraction_of_parcel: fraction,
        wetland_acres_on_parcel: acres,
        parcel_area_m2: area,
      } = answers[i]!;
      const mask = toGeoJSON(parcel) as Polygonal;
      const share = coveredShare(mask, near);
      if (open.length && coveredShare(mask, [...near, ...open]) - share > OPEN) {
        for (const answer of [fraction!, acres!])
          expect([answer.status, answer.value], `${lng},${lat}`).toEqual(['absent', null]);
        doubted++;
        continue;
      }
      expect(Math.abs((fraction!.value as number) - share), `${lng},${lat}`).toBeLessThan(5.1e-5);
      // Rounded to a hundredth of an acre.
      const product = ((fraction!.value as number) * (area!.value as number)) / 4046.8564224;
      expect(Math.abs((acres!.value as number) - product)).toBeLessThanOrEqual(0.005 + 1e-9);
      if (share > 0) wet++;
    }
    expect(wet).toBeGreaterThan(10);
    expect(doubted).toBeGreaterThan(0);
  }, 120_000);
});

/** The ring of a disc as a geometry, for its box. */
function ringOf(shape: Polygonal): Geometry {
  const [ring] = shape.coordinates as number[][][];
  return {
    type: 'Polygon',
    xy: Float64Array.from(ring!.flat()),
    ends: Uint32Array.of(ring!.length),
    parts: Uint32Array.of(1),
  };
}
