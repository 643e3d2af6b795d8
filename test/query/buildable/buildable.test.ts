import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize } from 'flatgeobuf/lib/mjs/geojson.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { parseCondition } from '../../../datasets/grammar/condition.ts';
import { buildableGround } from '../../../query/buildable/buildable.ts';
import type { Buildable, BuildableRequest, Exclusion } from '../../../query/buildable/request.ts';
import { parcelId } from '../../../query/format/parcel-id.ts';
import { createCache } from '../../../query/release/cache.ts';
import { currentId, openReleaseById, type Release } from '../../../query/release/open-release.ts';
import { toGeoJson } from '../../../query/search/page/geojson.ts';
import { syntheticHome } from '../../synthetic-home.ts';
import { BUDGET } from '../search/agreement.ts';
import { publishedRows } from '../sets/published-rows.ts';

type Position = readonly [number, number];
interface Shape {
  readonly type: string;
  readonly coordinates: never;
}
interface Feature {
  readonly geometry: Shape;
  readonly properties: Record<string, unknown>;
}

let home: string;
let release: Release;
let ids: string[];
const cache = createCache(256);
beforeAll(async () => {
  ({ home } = await syntheticHome());
  release = openReleaseById(home, currentId(home)!);
  ids = (await publishedRows(home)).map(row => parcelId(String(row.parcel_key)));
}, 120_000);

const EXCLUSIONS: readonly Exclusion[] = [
  exclusion('fema_nfhl', 'S_FLD_HAZ_AR', 20, "SFHA_TF = 'T'"),
  exclusion('usfws_nwi', 'main', 30),
  exclusion('census_tiger', 'roads', 15),
  exclusion('fema_usa_structures', 'main', 25),
  exclusion('eia_atlas', 'transmission_lines', 40),
];

function exclusion(dataset: string, layer: string, setback: number, where?: string): Exclusion {
  const condition = where === undefined ? null : parseCondition(where);
  return { name: `${dataset}:${layer}`, dataset, layer, setback, where: condition };
}

async function ask(request: Partial<BuildableRequest> & Pick<BuildableRequest, 'ground'>): Promise<Buildable> {
  const whole: BuildableRequest = {
    ...{ filters: [], outputs: [], countyByFips: false, budget: BUDGET },
    ...{ exclusions: [], boundarySetback: 0, minWidth: 0, minPiece: 0, shapes: false },
    ...request,
  };
  const environment = { release, catalog, cache, deadline: Date.now() + 60_000, stopped: () => false };
  const answer = await buildableGround(whole, environment);
  if (!('gross' in answer)) throw new Error(JSON.stringify(answer));
  return answer;
}

/** The features of a layer, read by the FlatGeobuf library and not by Plat. */
async function featuresOf(dataset: string, layer: string): Promise<Feature[]> {
  const all: Feature[] = [];
  for (const { files } of release.layer(dataset, layer)!.partitions) {
    const { path } = files.find(({ role }) => role === 'features')!;
    const bytes = new Uint8Array(readFileSync(join(home, 'releases', path)));
    for await (const feature of deserialize(bytes)) all.push(feature as unknown as Feature);
  }
  return all;
}

/** Rings of a polygon, or lines, as positions. */
function pathsOf({ type, coordinates }: Shape): Position[][] {
  const depth = { Point: 0, LineString: 1, MultiLineString: 2, Polygon: 2, MultiPolygon: 3 }[type]!;
  if (depth === 0) return [[coordinates as Position]];
  return ([coordinates] as unknown[]).flat(depth - 1) as Position[][];
}

const isInside = (shape: Shape, [x, y]: Position): boolean => {
  let inside = false;
  for (const ring of pathsOf(shape))
    for (let i = 1; i < ring.length; i++) {
      const [[x0, y0], [x1, y1]] = [ring[i - 1]!, ring[i]!];
      if (y0 > y !== y1 > y && x < x0 + ((y - y0) / (y1 - y0)) * (x1 - x0)) inside = !inside;
    }
  return inside;
};

/** Metres of a degree of latitude and longitude on WGS84 (Bugayevskiy and Snyder, Map Projections, 1995). */
function metresOfDegree(lat: number): Position {
  const phi = (lat * Math.PI) / 180;
  const north = 111_132.954 - 559.822 * Math.cos(2 * phi) + 1.175 * Math.cos(4 * phi);
  const east = 111_412.84 * Math.cos(phi) - 93.5 * Math.cos(3 * phi) + 0.118 * Math.cos(5 * phi);
  return [east, north];
}

/** Metres between a place and the nearest edge. */
function edgeDistance(shape: Shape, [lng, lat]: Position): number {
  const [mx, my] = metresOfDegree(lat);
  let least = Number.POSITIVE_INFINITY;
  for (const path of pathsOf(shape)) {
    const flat = path.map(([x, y]) => [(x - lng) * mx, (y - lat) * my] as const);
    for (let i = Math.min(1, flat.length - 1); i < flat.length; i++) {
      const [[x0, y0], [x1, y1]] = [flat[Math.max(0, i - 1)]!, flat[i]!];
      const [dx, dy] = [x1 - x0, y1 - y0];
      const t = Math.max(0, Math.min(1, -(x0 * dx + y0 * dy) / (dx * dx + dy * dy || 1)));
      least = Math.min(least, Math.hypot(x0 + t * dx, y0 + t * dy));
    }
  }
  return least;
}

/** Metres into (below 0) or from what a feature covers. */
const distanceTo = (shape: Shape, place: Position): number => {
  const metres = edgeDistance(shape, place);
  return shape.type.endsWith('Polygon') && isInside(shape, place) ? -metres : metres;
};

/** Halton's sequence: places all over a box. */
const halton = (index: number, base: number): number => {
  let [value, step] = [0, 1];
  for (let i = index; i > 0; i = Math.floor(i / base)) {
    step /= base;
    value += step * (i % base);
  }
  return value;
};

it('leaves what is farther than each setback from every excluded feature, and from the boundary', async () => {
  const layers: { readonly setback: number; readonly shapes: readonly Shape[] }[] = [];
  for (const { dataset, layer, setback, where } of EXCLUSIONS) {
    const counting = (await featuresOf(dataset, layer)).filter(({ properties: p }) => !where || p.SFHA_TF === 'T');
    layers.push({ setback, shapes: counting.map(({ geometry }) => geometry) });
  }
  let [compared, kept, taken] = [0, 0, 0];
  for (const id of ids.filter((_, i) => i % 20 === 3)) {
    const whole = await ask({ ground: { parcelId: id } });
    const parcel = toGeoJson(whole.geometry!) as unknown as Shape;
    const { geometry, exclusions } = await ask({
      ground: { parcelId: id },
      exclusions: EXCLUSIONS,
      boundarySetback: 10,
    });
    expect(exclusions.map(({ status }) => status)).toEqual(Array(6).fill('ok'));
    const left = geometry && (toGeoJson(geometry) as unknown as Shape);
    const all = pathsOf(parcel).flat();
    const [xs, ys] = [all.map(([x]) => x), all.map(([, y]) => y)];
    const within = (values: number[], share: number) => Math.min(...values) * (1 - share) + Math.max(...values) * share;
    for (let i = 1; i <= 60; i++) {
      const place: Position = [within(xs, halton(i, 2)), within(ys, halton(i, 3))];
      if (!isInside(parcel, place)) continue;
      const margins = [
        edgeDistance(parcel, place) - 10,
        ...layers.flatMap(({ setback, shapes }) => shapes.map(shape => distanceTo(shape, place) - setback)),
      ];
      const margin = Math.min(...margins);
      // Arcs are drawn by chords: a tenth of a per cent of the distance.
      if (Math.abs(margin) < 0.2) continue;
      compared++;
      if (margin > 0) kept++;
      else taken++;
      expect(left !== null && isInside(left, place), `${id} ${place} ${margin}`).toBe(margin > 0);
    }
  }
  expect([compared > 200, kept > 50, taken > 50]).toEqual([true, true, true]);
});

it('says of each exclusion what it takes alone and last', async () => {
  for (const id of ids.filter((_, i) => i % 40 === 3)) {
    const ground = { parcelId: id };
    const all = await ask({ ground, exclusions: EXCLUSIONS, shapes: true });
    for (const [i, { alone, last }] of all.exclusions.entries()) {
      const [only] = [EXCLUSIONS[i]!];
      const one = await ask({ ground, exclusions: [only] });
      expect(alone).toBeCloseTo(one.gross - one.area!, 1);
      const others = await ask({ ground, exclusions: EXCLUSIONS.filter(each => each !== only) });
      expect(last).toBeCloseTo(others.area! - all.area!, 1);
    }
    expect(all.area! <= all.gross && all.largestPiece! <= all.area!).toBe(true);
  }
});

/** Two squares of 100 m beside each other with a strip of 6 m between them. */
function dumbbell(): BuildableRequest['ground'] {
  const [lng, lat] = [-70.72, 43.12];
  const [mx, my] = metresOfDegree(lat);
  const corners: Position[] = [
    ...([
      [0, 0],
      [100, 0],
      [100, 47],
      [200, 47],
      [200, 0],
      [300, 0],
      [300, 100],
      [200, 100],
    ] as Position[]),
    ...([
      [200, 53],
      [100, 53],
      [100, 100],
      [0, 100],
      [0, 0],
    ] as Position[]),
  ];
  const xy = Float64Array.from(corners.flatMap(([x, y]) => [lng + x / mx, lat + y / my]));
  const geometry = { type: 'Polygon', xy, ends: Uint32Array.of(xy.length / 2), parts: Uint32Array.of(1) } as const;
  return { geometry, path: 'geometry' };
}

describe('what is left', () => {
  it('has no strip that is narrower than asked for, and keeps its corners', async () => {
    const all = await ask({ ground: dumbbell() });
    expect(all.area).toBeCloseTo(20_600, -1);
    const wide = await ask({ ground: dumbbell(), minWidth: 7 });
    expect(wide.area).toBeCloseTo(20_000, -1);
    expect(wide.geometry!.parts.length).toBe(2);
    expect(wide.largestPiece).toBeCloseTo(10_000, -1);
    expect((await ask({ ground: dumbbell(), minWidth: 5 })).area).toBeCloseTo(20_600, -1);
  });

  it('has no piece that is smaller than asked for', async () => {
    const small = await ask({ ground: dumbbell(), minWidth: 7, minPiece: 10_100 });
    expect([small.area, small.geometry, small.largestPiece]).toEqual([0, null, 0]);
  });

  it('is not known where a layer is not, and the others still say what they take', async () => {
    const without = { ...exclusion('usgs_karst', 'main', 0), dataset: 'usgs_topo' };
    const { area, geometry, undecidable, exclusions } = await ask({
      ground: { parcelId: ids[3]! },
      exclusions: [EXCLUSIONS[2]!, without],
    });
    expect([area, geometry, undecidable]).toEqual([null, null, null]);
    expect(exclusions[0]).toMatchObject({ status: 'ok', last: null });
    expect(exclusions[0]!.alone).toBeGreaterThanOrEqual(0);
    expect(exclusions[1]).toMatchObject({ status: 'failed', alone: null });
  });

  it('is not known where a layer does not map the ground', async () => {
    const far = {
      type: 'Polygon',
      xy: Float64Array.of(-80, 40, -79.999, 40, -79.999, 40.001, -80, 40),
      ends: Uint32Array.of(4),
      parts: Uint32Array.of(1),
    } as const;
    const answer = await ask({ ground: { geometry: far, path: 'geometry' }, exclusions: [EXCLUSIONS[1]!] });
    expect(answer).toMatchObject({ area: null, exclusions: [{ status: 'absent' }] });
  });

  it('leaves out what is steeper than asked for, cell by cell', async () => {
    const steep = (percent: number): Exclusion => ({
      ...{ name: 'slope', dataset: 'usgs_3dep', layer: 'slope_percent', setback: 0 },
      where: { kind: 'compare', column: 'value', op: '>', value: percent },
    });
    let [flat, all] = [0, 0];
    for (const id of ids.filter((_, i) => i % 40 === 3)) {
      const [none, some, much] = [
        await ask({ ground: { parcelId: id }, exclusions: [steep(1_000)] }),
        await ask({ ground: { parcelId: id }, exclusions: [steep(2)] }),
        await ask({ ground: { parcelId: id }, exclusions: [steep(-1)] }),
      ];
      expect(none.area).toBeCloseTo(none.gross, 3);
      expect(much.area).toBeLessThan(1);
      flat += some.area!;
      all += some.gross;
    }
    expect(flat).toBeGreaterThan(0);
    expect(flat).toBeLessThan(all);
  });
});
