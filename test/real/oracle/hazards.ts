import { beforeAll, describe, expect, it } from 'vitest';
import { edgeMetres, Survey } from '../../oracle/survey.ts';
import { publishedFeatures } from '../published.ts';
import {
  type Asked,
  aboutVertices,
  expectAbsent,
  expectEdge,
  expectMetres,
  expectValue,
  outskirts,
  type Subject,
  scattered,
} from './subject.ts';

interface Zone {
  readonly zone: string;
  readonly subtype: string | null;
  readonly special: boolean;
}

const FIELDS = [
  'fema_flood_zone',
  'fema_flood_zone_subtype',
  'within_floodplain_polygon',
  'within_500yr_floodplain',
  'coastal_high_hazard',
  'within_regulatory_floodway',
  'base_flood_elevation_m',
  'nearest_sfha_distance_m',
];

/** Flood zones: polygon_attr, polygon_within and nearest_distance. */
export function floodFields(subject: () => Subject): void {
  describe('flood zones', () => {
    let zones: Survey<Zone>;
    let asked: Asked[];
    beforeAll(async () => {
      zones = new Survey(
        publishedFeatures('bangor-me/flood_zones.geojson.gz').map(({ properties: p, geometry }) => ({
          geometry,
          value: {
            zone: p.ZONE === 'X500' ? 'X' : String(p.ZONE),
            subtype: p.ZONE === 'X500' ? '0.2 PCT ANNUAL CHANCE FLOOD HAZARD' : null,
            special: p.SFHA === 'IN',
          },
        })),
      );
      const points = [
        ...scattered(subject().city, 200, 1),
        ...aboutVertices(zones, 60, 0, 2),
        ...aboutVertices(zones, 150, 0.0006, 3),
      ];
      asked = await subject().ask(FIELDS, points);
    });

    it('are those of the published polygons, boundary included', () => {
      expect(zones.features).toHaveLength(81);
      const seen = { outside: 0, none: 0, inside: 0, several: 0 };
      const special = zones.where(z => z.special);
      const shaded = zones.where(z => z.subtype !== null);
      for (const a of asked) {
        const { lng, lat } = a;
        if (!subject().city.at(lng, lat).length) {
          seen.outside++;
          for (const name of FIELDS.filter(f => !/floodway|base_flood/.test(f)))
            expectAbsent(a, name, 'outside the coverage of flood hazard areas (fema_nfhl:S_FLD_HAZ_AR)');
          for (const name of FIELDS.slice(0, 4)) expectEdge(a, name, 0, null, true);
          continue;
        }
        const hits = zones.at(lng, lat);
        seen[hits.length === 0 ? 'none' : hits.length === 1 ? 'inside' : 'several']++;
        const edge = hits.length
          ? edgeMetres(hits[0]!.geometry, lng, lat)
          : Math.min(zones.nearest(lng, lat)[0]!.metres, outskirts(subject(), a));
        expectValue(a, 'fema_flood_zone', hits[0]?.value.zone ?? null);
        expectValue(a, 'fema_flood_zone_subtype', hits[0]?.value.subtype ?? null);
        expectEdge(a, 'fema_flood_zone', edge, 12, false);
        expectEdge(a, 'fema_flood_zone_subtype', edge, 12, false);
        for (const [name, part] of [
          ['within_floodplain_polygon', special],
          ['within_500yr_floodplain', shaded],
        ] as const) {
          const within = part.at(lng, lat);
          expectValue(a, name, within.length > 0);
          const edges = within.map(f => edgeMetres(f.geometry, lng, lat));
          expectEdge(
            a,
            name,
            within.length ? Math.max(...edges) : Math.min(part.nearest(lng, lat)[0]!.metres, outskirts(subject(), a)),
            12,
            !within.length,
          );
        }
        expectValue(a, 'coastal_high_hazard', false);
      }
      for (const count of Object.values(seen)) expect(count).toBeGreaterThan(5);
    });

    it('lie as far as Karney says', () => {
      const special = zones.where(z => z.special);
      for (const a of asked)
        if (subject().city.at(a.lng, a.lat).length)
          expectMetres(a, 'nearest_sfha_distance_m', special.nearest(a.lng, a.lat)[0]!.metres);
    });

    it('say nothing that the Q3 product does not publish', () => {
      for (const a of asked) {
        const outside = !subject().city.at(a.lng, a.lat).length;
        expectAbsent(a, 'within_regulatory_floodway', outside ? 'outside the coverage' : 'this copy (fema_q3) lacks');
        expectAbsent(a, 'base_flood_elevation_m', outside ? 'outside the coverage' : 'this copy (fema_q3) lacks');
        if (!outside) expect(a.answers.fema_flood_zone).toMatchObject({ source: 'fema_q3' });
      }
    });
  });
}
