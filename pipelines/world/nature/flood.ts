import { type Feature, polygonal, type Ring } from '../format/feature.ts';
import { EXTENT, frameRectangle, toFrame, vertex } from '../frame.ts';
import type { Area, SetOperations } from '../set-operations.ts';
import { COUNTIES, type County } from '../settlement/county.ts';
import type { Lattice } from './lattice.ts';
import type { Pond, Reach } from './stream.ts';

/** A polygon of the flood layer under the column names of the NFHL. */
export interface FloodZone {
  readonly county: County;
  readonly zone: string;
  readonly subtype: string | null;
  readonly sfha: 'T' | 'F';
  /** Static base flood elevation in feet above NAVD 88; -9999 where there is none. */
  readonly bfe: number;
  readonly area: Area;
}

/** Half widths in metres of floodway, 1 percent and 0.2 percent floodplain of a stream of order 1, 2, 3 and more. */
const WIDTHS = [
  [8, 26, 45],
  [14, 48, 80],
  [20, 75, 130],
] as const;

const FEET = 3.280839895;

/**
 * Flood zones that tile both counties: every place lies in exactly one. The stricter zone is laid first and later ones
 * take only what is left. Each county is a study of its own, cut at the state line.
 */
export function mapFloods(
  sets: SetOperations,
  lattice: Lattice,
  reaches: readonly Reach[],
  ponds: readonly Pond[],
): FloodZone[] {
  const widened = (column: 0 | 1 | 2) =>
    [1, 2, 3].reduce<Area>((sum, order) => {
      const lines = reaches
        .filter(r => Math.min(3, r.order) === order)
        .map(r => ({ type: 'LineString', coordinates: r.line }) as const);
      return sets.union(sum, sets.buffer(lines, WIDTHS[order - 1]![column]));
    }, []);
  const coast = { type: 'LineString', coordinates: lattice.eastward(0) } as const;
  const wanted: Omit<FloodZone, 'area' | 'county'>[] = [];
  const areas: Area[] = [];
  const add = (zone: string, subtype: string | null, sfha: 'T' | 'F', bfe: number, area: Area) => {
    wanted.push({ zone, subtype, sfha, bfe });
    areas.push(area);
  };
  add('VE', null, 'T', 14, sets.buffer([coast], 40));
  for (const pond of ponds)
    add(
      'AE',
      null,
      'T',
      Math.round((pond.level + 0.8) * FEET),
      sets.buffer([{ type: 'Point', coordinates: pond.centre }], pond.radius + 30),
    );
  add('AE', 'FLOODWAY', 'T', -9999, widened(0));
  add('AE', null, 'T', -9999, widened(1));
  add('A', null, 'T', -9999, sets.buffer([coast], 90));
  const leveed = COUNTIES.map(county => {
    const [along, inland] = toFrame(lattice.centre(county));
    return sets.buffer([{ type: 'Point', coordinates: vertex(along + 350, inland + 250) }], 220);
  });
  add('X', 'AREA WITH REDUCED FLOOD RISK DUE TO LEVEE', 'F', -9999, leveed.flat());
  add('X', '0.2 PCT ANNUAL CHANCE FLOOD HAZARD', 'F', -9999, widened(2));
  add(
    'OPEN WATER',
    null,
    'F',
    -9999,
    COUNTIES.map(county => [lattice.sea(county)]),
  );
  const zones: FloodZone[] = [];
  for (const county of COUNTIES) {
    let left: Area = [[lattice.county(county)]];
    const side = county.half ? 1 : -1;
    for (const [i, zone] of wanted.entries()) {
      if (areas[i]!.every(([shell]) => shell!.every(p => side * toFrame(p)[0] < 0))) continue;
      const area = sets.intersection(areas[i]!, left);
      left = sets.difference(left, area);
      for (const rings of area) zones.push({ ...zone, county, area: [rings] });
    }
    // The rest is cut along the map panels so that no polygon has hundreds of holes.
    for (const panel of panels(county, 50))
      for (const rings of sets.intersection(left, [[panel.ring]]))
        zones.push({
          county,
          zone: 'X',
          subtype: 'AREA OF MINIMAL FLOOD HAZARD',
          sfha: 'F',
          bfe: -9999,
          area: [rings],
        });
  }
  return zones;
}

/**
 * Panels of a county's flood map: a grid of rectangles.
 * @param overhang metres that the outer ones reach beyond the county, whose rounded edge is not quite straight
 */
export function panels({ half }: Pick<County, 'half'>, overhang = 0): { panel: string; ring: Ring; date: string }[] {
  const { sea, inland, west } = EXTENT;
  const from = half ? 0 : west;
  const beyond = (k: number, last: number) => (k === 0 ? -overhang : k === last ? overhang : 0);
  const x = (i: number) => from + (EXTENT.east * i) / 3 + beyond(i, 3);
  const y = (j: number) => sea + ((inland - sea) * j) / 2 + beyond(j, 2);
  return [0, 1, 2, 3, 4, 5].map(n => {
    const i = n % 3;
    const j = 1 - Math.floor(n / 3);
    return {
      panel: String(25 * (n + 1)).padStart(4, '0'),
      ring: frameRectangle(x(i), y(j), x(i + 1), y(j + 1)),
      date: n < 3 ? '2016-07-20' : '2021-03-02',
    };
  });
}

/** The zones as rows of S_FLD_HAZ_AR. */
export function* floodFeatures(zones: readonly FloodZone[]): Generator<Feature> {
  for (const [i, { county, zone, subtype, sfha, bfe, area }] of zones.entries())
    yield {
      properties: {
        DFIRM_ID: `${county.fips}C`,
        VERSION_ID: '2.3.3.2',
        FLD_AR_ID: `${county.fips}C_${i + 1}`,
        STUDY_TYP: 'NP',
        FLD_ZONE: zone,
        ZONE_SUBTY: subtype,
        SFHA_TF: sfha,
        STATIC_BFE: bfe,
        V_DATUM: bfe === -9999 ? null : 'NAVD88',
        DEPTH: -9999,
        LEN_UNIT: bfe === -9999 ? null : 'Feet',
        SOURCE_CIT: `${county.fips}C_STUDY1`,
      },
      geometry: polygonal(area),
    };
}
