import { beforeAll, describe, expect, it } from 'vitest';
import type { Geometry } from '../../../datasets/geometry.ts';
import { nearestPoints, Survey } from '../../oracle/survey.ts';
import { randomOf } from '../../query/star.ts';
import { publishedTable } from '../published.ts';
import {
  type Asked,
  expectAbsent,
  expectMetres,
  expectValue,
  type LngLat,
  type Subject,
  scattered,
} from './subject.ts';

const point = (lng: string, lat: string): Geometry => ({
  type: 'Point',
  xy: Float64Array.of(Number(lng), Number(lat)),
  ends: Uint32Array.of(1),
  parts: new Uint32Array(),
});

interface Plant {
  readonly name: string;
  readonly capacity: number;
  readonly nuclear: boolean;
}

/** National point files, searched from anywhere in the country: nearest_distance and nearest_attr up to their reach. */
export function siteFields(subject: () => Subject): void {
  describe('power plants and Superfund sites', () => {
    let asked: Asked[];
    beforeAll(async () => {
      const random = randomOf(51);
      const country = Array.from({ length: 200 }, (): LngLat => [-125 + random() * 59, 24.5 + random() * 25]);
      const alaska = Array.from({ length: 40 }, (): LngLat => [-180 + random() * 50, 51 + random() * 21]);
      const aleutians = Array.from({ length: 10 }, (): LngLat => [172 + random() * 7.9, 51 + random() * 3]);
      asked = await subject().ask(
        [
          'nearest_power_plant_distance_m',
          'nearest_power_plant_name',
          'nearest_power_plant_capacity_mw',
          'nearest_nuclear_plant_distance_m',
          'nearest_superfund_site_distance_m',
          'nearest_superfund_site_name',
        ],
        [...scattered(subject().city, 60, 52), ...country, ...alaska, ...aleutians],
      );
    });

    it('are as far as Karney says, and absent beyond the reach of the field', () => {
      const plants = new Survey<Plant>(
        publishedTable('national/power_plants_usa.csv.gz')
          .filter(r => Number(r.capacity_mw) >= 1)
          .map(r => ({
            key: r.gppd_idnr!.replace(/^USA0*/, ''),
            geometry: point(r.longitude!, r.latitude!),
            value: { name: r.name!, capacity: Number(r.capacity_mw), nuclear: r.primary_fuel === 'Nuclear' },
          })),
      );
      expect(plants.features.length).toBeGreaterThan(8000);
      const nuclear = plants.where(p => p.nuclear);
      let beyond = 0;
      for (const a of asked) {
        const near = nearestPoints(plants, a.lng, a.lat, 1e-6).sort((x, y) => (x.feature.key < y.feature.key ? -1 : 1));
        const { metres, feature } = near[0]!;
        if (metres > 300_000) {
          beyond++;
          expectAbsent(
            a,
            'nearest_power_plant_distance_m',
            'no power plants (wri_global_power_plant_database) within 300 km',
          );
          expectAbsent(
            a,
            'nearest_power_plant_name',
            'no power plants (wri_global_power_plant_database) within 300 km',
          );
        } else {
          expectMetres(a, 'nearest_power_plant_distance_m', metres);
          expectValue(a, 'nearest_power_plant_name', feature.value.name);
          expectValue(a, 'nearest_power_plant_capacity_mw', feature.value.capacity);
        }
        const [reactor] = nearestPoints(nuclear, a.lng, a.lat);
        if (reactor!.metres > 1_500_000) expectAbsent(a, 'nearest_nuclear_plant_distance_m', 'within 1500 km');
        else expectMetres(a, 'nearest_nuclear_plant_distance_m', reactor!.metres);
      }
      expect(beyond).toBeGreaterThan(3);
    });

    it('name the nearest site of the National Priorities List', () => {
      const sites = new Survey(
        publishedTable('national/epa_superfund_npl.csv')
          .filter(r => r['EPA ID'] !== '')
          .map(r => ({
            key: r['EPA ID']!,
            geometry: point(r.Longitude!, r.Latitude!),
            value: r['Site Name']!,
          })),
      );
      expect(sites.features).toHaveLength(1340);
      let within = 0;
      for (const a of asked) {
        const near = nearestPoints(sites, a.lng, a.lat, 1e-6).sort((x, y) => (x.feature.key < y.feature.key ? -1 : 1));
        const { metres, feature } = near[0]!;
        if (metres > 200_000)
          expectAbsent(a, 'nearest_superfund_site_distance_m', 'no Superfund sites (epa_npl) within 200 km');
        else {
          within++;
          expectMetres(a, 'nearest_superfund_site_distance_m', metres);
          expectValue(a, 'nearest_superfund_site_name', feature.value);
        }
      }
      expect(within).toBeGreaterThan(100);
      expect(within).toBeLessThan(asked.length);
    });
  });
}
