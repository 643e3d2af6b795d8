import { beforeAll, describe, expect, it } from 'vitest';
import { edgeMetres, Survey } from '../../oracle/survey.ts';
import { publishedFeatures } from '../published.ts';
import {
  type Asked,
  aboutVertices,
  expectAbsent,
  expectMetres,
  expectValue,
  type LngLat,
  type Subject,
  scattered,
} from './subject.ts';

interface Road {
  readonly name: string | null;
  readonly mtfcc: string | null;
  readonly route: string | null;
}
interface Building {
  readonly area: number | null;
  readonly use: string | null;
}

/** City class → MTFCC and route type. Driveways and private roads are none of the classes that fields ask for. */
const CLASSES: Readonly<Record<string, readonly [string, string | null]>> = {
  INTERSTATE: ['S1100', 'I'],
  'US HWY': ['S1200', 'U'],
  'STATE HWY': ['S1200', 'S'],
  MAJOR: ['S1400', 'M'],
  MINOR: ['S1400', 'M'],
  RAMP: ['S1630', null],
};
const USES: Readonly<Record<string, string>> = {
  Commercial: 'Commercial',
  Industrial: 'Industrial',
  Government: 'Government',
  Education: 'Education',
  Religious: 'Assembly',
};
/** Lines that carry no trains. */
const OUT_OF_SERVICE = ['ABANDONED'];

/** Roads, railroads and buildings: nearest_distance, nearest_attr, polygon_attr and polygon_within. */
export function builtFields(subject: () => Subject): void {
  describe('roads, railroads and buildings', () => {
    const FIELDS = [
      'nearest_road_distance_m',
      'nearest_road_name',
      'nearest_primary_road_distance_m',
      'nearest_interstate_distance_m',
      'nearest_interstate_name',
      'nearest_highway_ramp_distance_m',
      'nearest_rail_line_distance_m',
      'nearest_rail_line_owner',
      'building_at_point',
      'building_footprint_area_m2',
      'building_occupancy_class',
      'building_height_m',
      'nearest_building_distance_m',
      'nearest_residential_building_distance_m',
    ];
    let roads: Survey<Road>;
    let rails: Survey<{ owner: string | null }>;
    let buildings: Survey<Building>;
    let asked: Asked[];
    let inCity: Asked[];
    beforeAll(async () => {
      roads = new Survey(
        publishedFeatures('bangor-me/road_centerlines.geojson.gz').map(({ geometry, properties: p }) => {
          const [mtfcc, route] = CLASSES[String(p.CLASS)] ?? [null, null];
          return { geometry, value: { name: p.NAME as string | null, mtfcc, route } };
        }),
      );
      rails = new Survey(
        publishedFeatures('bangor-me/railroads.geojson')
          .filter(({ properties: p }) => p.Type !== null && !OUT_OF_SERVICE.includes(String(p.Type)))
          .map(({ geometry, properties: p }) => ({
            geometry,
            value: { owner: p.RR_Abrv === 'MM&A' ? 'MMA' : p.RR_Abrv === 'MEC' ? 'MEC' : null },
          })),
      );
      buildings = new Survey(
        publishedFeatures('bangor-me/buildings.shp.zip').map(({ geometry, properties: p }) => ({
          geometry,
          value: {
            area: p.BLDG_AREA === 0 ? null : (p.BLDG_AREA as number | null),
            use: USES[String(p.Type)] ?? null,
          },
        })),
      );
      const points = [
        ...scattered(subject().city, 150, 21),
        ...aboutVertices(roads, 60, 0.0004, 22),
        ...aboutVertices(rails, 30, 0.002, 23),
        ...aboutVertices(buildings, 100, 0.0001, 24),
        // Middles of every 150th building's box, most of them inside.
        ...buildings.features
          .filter((_, i) => i % 150 === 0)
          .map(({ box: [w, s, e, n] }): LngLat => [(w + e) / 2, (s + n) / 2]),
      ];
      asked = await subject().ask(FIELDS, points);
      inCity = asked.filter(a => subject().city.at(a.lng, a.lat).length > 0);
    });

    it('are absent outside the city with that reason', () => {
      const outside = asked.filter(a => !inCity.includes(a));
      expect(outside.length).toBeGreaterThan(20);
      for (const a of outside) for (const name of FIELDS) expectAbsent(a, name, 'outside the coverage of');
    });

    it('measure to the nearest road of each class, and name it', () => {
      const classes = [
        ['nearest_road_distance_m', 'nearest_road_name', roads.where(r => r.mtfcc !== null)],
        ['nearest_primary_road_distance_m', null, roads.where(r => r.mtfcc === 'S1100')],
        ['nearest_interstate_distance_m', 'nearest_interstate_name', roads.where(r => r.route === 'I')],
        ['nearest_highway_ramp_distance_m', null, roads.where(r => r.mtfcc === 'S1630')],
      ] as const;
      for (const [metres, name, part] of classes) {
        expect(part.features.length).toBeGreaterThan(10);
        for (const a of inCity) {
          // Roads meet at junctions: all that are equally near may lend their name.
          const near = part.nearest(a.lng, a.lat, 0.001);
          expectMetres(a, metres, near[0]!.metres);
          if (!name) continue;
          const answered = a.answers[name]!.value as string | null;
          const names = near.map(n => n.feature.value.name);
          const told = names.find(n => n?.toLowerCase() === answered?.toLowerCase());
          expect(names, `${name} at ${a.lng}, ${a.lat}: ${answered}`).toContain(told ?? null);
          if (answered && !/\d/.test(answered)) expect(answered).toMatch(/^\p{Lu}[\p{Ll}'’]*([ .-]|$)/u);
        }
      }
    });

    it('measure to the nearest line in service, and say whose it is', () => {
      for (const a of inCity) {
        const near = rails.nearest(a.lng, a.lat, 0.001);
        expectMetres(a, 'nearest_rail_line_distance_m', near[0]!.metres);
        expect(near.map(n => n.feature.value.owner)).toContain(a.answers.nearest_rail_line_owner!.value);
      }
    });

    it('find the building at the point and the nearest one', () => {
      let inside = 0;
      for (const a of inCity) {
        const hits = buildings.at(a.lng, a.lat);
        const [near] = buildings.nearest(a.lng, a.lat);
        expectMetres(a, 'nearest_building_distance_m', near!.metres);
        expectAbsent(a, 'nearest_residential_building_distance_m', 'this copy (bangor_buildings) lacks');
        // GDAL's projection and Plat's agree to a centimetre, not to the last digit.
        if (Math.min(...[...hits, near!.feature].map(b => edgeMetres(b.geometry, a.lng, a.lat))) < 0.02) continue;
        expectValue(a, 'building_at_point', hits.length > 0);
        if (hits.length) {
          inside++;
          expectValue(a, 'building_footprint_area_m2', hits[0]!.value.area);
          expectValue(a, 'building_occupancy_class', hits[0]!.value.use);
        } else
          expectAbsent(a, 'building_footprint_area_m2', 'none of the buildings (bangor_buildings) contains the point');
        expectAbsent(
          a,
          'building_height_m',
          hits.length ? 'this copy (bangor_buildings) lacks' : 'none of the buildings',
        );
      }
      expect(inside).toBeGreaterThan(100);
    });
  });
}
