import { beforeAll, describe, expect, it } from 'vitest';
import { STATE_FIPS } from '../../../datasets/codes/state-fips.ts';
import { edgeMetres, Survey } from '../../oracle/survey.ts';
import { publishedFeatures, publishedTable } from '../published.ts';
import {
  type Asked,
  aboutVertices,
  expectAbsent,
  expectEdge,
  expectValue,
  type Subject,
  scattered,
} from './subject.ts';

/** What the Census Bureau writes after the name of a county, by the abbreviation of its cartographic files. */
const SUFFIXES: Readonly<Record<string, string>> = {
  County: 'County',
  Parish: 'Parish',
  Borough: 'Borough',
  city: 'city',
  Muno: 'Municipio',
  Muny: 'Municipality',
  CA: 'Census Area',
  'Cty&Bor': 'City and Borough',
};

/** Blocks and what is dissolved from them, opportunity zones, the city, counties and states: polygon_attr, polygon_within. */
export function censusFields(subject: () => Subject): void {
  describe('census areas', () => {
    const LOCAL = [
      'block_geoid',
      'block_group_geoid',
      'tract_geoid',
      'in_opportunity_zone',
      'opportunity_zone_tract_geoid',
      'place_name',
      'within_incorporated_place',
    ];
    const NATIONAL = ['county_fips', 'county_name', 'state_fips', 'state_name'];
    let blocks: Survey<string>;
    let listed: Map<string, boolean>;
    let asked: Asked[];
    beforeAll(async () => {
      blocks = new Survey(
        publishedFeatures('bangor-me/census_blocks_2010.geojson.gz').map(({ geometry, properties: p }) => ({
          geometry,
          value: String(p.GEOID10),
        })),
      );
      listed = new Map(publishedTable('national/opportunity_zone_tracts.csv.gz').map(r => [r.geoid!, r.oz === '1']));
      const points = [...scattered(subject().city, 250, 31), ...aboutVertices(blocks, 100, 0.0005, 32)];
      asked = await subject().ask([...LOCAL, ...NATIONAL], points);
    });

    it('are those of the 2010 blocks', () => {
      expect(blocks.features).toHaveLength(714);
      const tracts = new Set<string>();
      let unlisted = 0;
      for (const a of asked) {
        if (!subject().city.at(a.lng, a.lat).length) {
          for (const name of LOCAL.slice(0, 5)) expectAbsent(a, name, 'outside the coverage of');
          continue;
        }
        const hits = blocks.at(a.lng, a.lat);
        if (hits.length !== 1) continue;
        const [{ value: block }] = hits as [(typeof hits)[0]];
        const tract = block.slice(0, 11);
        tracts.add(tract);
        expectValue(a, 'block_geoid', block);
        expectValue(a, 'block_group_geoid', block.slice(0, 12));
        expectValue(a, 'tract_geoid', tract);
        expect(a.answers.tract_geoid).toMatchObject({ source: 'census_tiger_2010', vintage: '2010' });
        // The list holds no zone in the city; pipelines and operators prove true on the synthetic area.
        expect(listed.get(tract) ?? false).toBe(false);
        if (listed.has(tract)) {
          expectValue(a, 'in_opportunity_zone', false);
          expectValue(a, 'opportunity_zone_tract_geoid', null);
          continue;
        }
        // What the list does not name is not known.
        unlisted++;
        expectAbsent(a, 'in_opportunity_zone', 'outside the coverage of');
        expectAbsent(a, 'opportunity_zone_tract_geoid', 'outside the coverage of');
      }
      expect(tracts.size).toBeGreaterThan(6);
      expect(unlisted).toBeGreaterThan(0);
    });

    it('tell the city from what lies around it', () => {
      for (const a of asked) {
        const [city] = subject().city.at(a.lng, a.lat);
        if (!city) expectAbsent(a, 'place_name', 'outside the coverage of cities and towns (census_tiger:place)');
        else {
          expectValue(a, 'place_name', 'Bangor city');
          expectValue(a, 'within_incorporated_place', true);
          expectEdge(a, 'within_incorporated_place', edgeMetres(city.geometry, a.lng, a.lat), 7.6, true);
        }
      }
    });

    it('are the counties and states of the whole country', async () => {
      const counties = new Survey(
        publishedFeatures('national/counties_20m.geojson.gz').map(({ geometry, properties: p }) => ({
          key: `${p.STATE}${p.COUNTY}`,
          geometry,
          value: [p.NAME, SUFFIXES[String(p.LSAD)]].filter(Boolean).join(' '),
        })),
      );
      const states = new Survey(
        publishedFeatures('national/us_states.geojson.gz').map(({ geometry, properties: p }) => ({
          key: STATE_FIPS[String(p.id)]!,
          geometry,
          value: String(p.name),
        })),
      );
      expect(counties.features).toHaveLength(3221);
      const points = [
        ...aboutVertices(counties, 250, 0.3, 33),
        ...aboutVertices(counties, 60, 0, 34),
        ...aboutVertices(states, 60, 0.1, 35),
      ].filter(([lng, lat]) => lng >= -180 && lng <= -65 && lat >= 18 && lat <= 72);
      const seen = new Set<string>();
      let nowhere = 0;
      for (const a of [...asked.slice(0, 30), ...(await subject().ask(NATIONAL, points))]) {
        const [county] = counties.at(a.lng, a.lat);
        expectValue(a, 'county_fips', county?.key ?? null);
        expectValue(a, 'county_name', county?.value ?? null);
        // The published ring of Alaska crosses itself, so its row is among the rejects.
        const [state] = states.at(a.lng, a.lat).filter(s => s.key !== '02');
        expectValue(a, 'state_fips', state?.key ?? null);
        expectValue(a, 'state_name', state?.value ?? null);
        if (county) seen.add(county.key);
        else nowhere++;
      }
      expect(seen.size).toBeGreaterThan(200);
      expect(nowhere).toBeGreaterThan(3);
    });
  });
}
