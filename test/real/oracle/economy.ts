import { beforeAll, describe, expect, it } from 'vitest';
import { Survey } from '../../oracle/survey.ts';
import { publishedFeatures, publishedTable } from '../published.ts';
import { type Asked, aboutVertices, expectAbsent, expectValue, type LngLat, type Subject, where } from './subject.ts';

/** Counties that the tables know under a newer number: Wade Hampton became Kusilvak, Shannon became Oglala Lakota. */
const RENUMBERED: Readonly<Record<string, string>> = { '02270': '02158', '46113': '46102' };

/** County tables: area_key_attr with and without `agg`, and derived. */
export function economyFields(subject: () => Subject): void {
  describe('county tables', () => {
    let counties: Survey<null>;
    let asked: Asked[];
    beforeAll(async () => {
      counties = new Survey(
        publishedFeatures('national/counties_20m.geojson.gz').map(({ geometry, properties: p }) => ({
          key: `${p.STATE}${p.COUNTY}`,
          geometry,
          value: null,
        })),
      );
      const middle = (fips: string): LngLat => {
        const { box } = counties.features.find(f => f.key === fips)!;
        return [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
      };
      const points = [
        ...aboutVertices(counties, 200, 0.2, 41).filter(
          ([lng, lat]) => lng > -179 && lng < -65 && lat > 18 && lat < 72,
        ),
        ...['23019', '46113', '02270', '51515', '72127', '02261'].map(middle),
      ];
      asked = await subject().ask(
        [
          'county_population',
          'county_net_domestic_migration',
          'county_population_growth_1yr_pct',
          'county_median_household_income_usd',
          'county_hpi_yoy_pct',
        ],
        points,
      );
    });

    const keyed = (a: Asked, table: ReadonlyMap<string, unknown>): string | null => {
      const [county] = counties.at(a.lng, a.lat);
      if (!county) return null;
      return table.has(county.key) ? county.key : (RENUMBERED[county.key] ?? county.key);
    };

    it('give population, migration and growth of the estimates', () => {
      const table = new Map(
        publishedTable('national/county_population_estimates_2010_2019.csv.gz')
          .filter(r => r.SUMLEV === '50' || r.SUMLEV === '050')
          .map(r => [r.STATE!.padStart(2, '0') + r.COUNTY!.padStart(3, '0'), r]),
      );
      expect(table.size).toBeGreaterThan(3100);
      let found = 0;
      for (const a of asked) {
        const row = table.get(keyed(a, table) ?? '');
        expectValue(a, 'county_population', row ? Number(row.POPESTIMATE2019) : null);
        expectValue(a, 'county_net_domestic_migration', row ? Number(row.DOMESTICMIG2019) : null);
        const growth = a.answers.county_population_growth_1yr_pct!;
        if (!row) expectAbsent(a, 'county_population_growth_1yr_pct', /./);
        else {
          found++;
          const expected = 100 * (Number(row.POPESTIMATE2019) / Number(row.POPESTIMATE2018) - 1);
          expect(growth.value, where(a, 'growth')).toBe(Math.round(expected * 100) / 100);
          expect(growth).toMatchObject({ source: 'census_pep_2019', vintage: '2019' });
          // The counties are generalised by kilometres: near a border another county's growth may be meant.
          const border =
            /([\d.]+) (k?m) from (?:county \d{5}|ground without county) \(county_fips\), while the source is accurate to 10 km/.exec(
              growth.notes ?? '',
            );
          const near = border?.[2] === 'm' || Number(border?.[1]) <= 10;
          const confidence = border && near ? 'low' : 'medium';
          expect(growth.confidence, where(a, 'growth')).toBe(confidence);
        }
      }
      expect(found).toBeGreaterThan(120);
    });

    it('give the modelled income of the county', () => {
      const table = new Map(
        publishedTable('national/county_unemployment_income_2007_2018.csv.gz', 5)
          .filter(r => r.Rural_urban_continuum_code_2013 !== '')
          .map(r => [r.FIPS!, Number(r.Median_Household_Income_2018!.replace(/[$, ]/g, '')) || null]),
      );
      let found = 0;
      for (const a of asked) {
        const income = table.get(keyed(a, table) ?? '') ?? null;
        expectValue(a, 'county_median_household_income_usd', income);
        if (income) found++;
      }
      expect(found).toBeGreaterThan(120);
    });

    it('give the change of house prices of the latest year, if it has one', () => {
      const latest = new Map<string, { year: number; change: number | null }>();
      for (const r of publishedTable('national/fhfa_hpi_county.csv.gz')) {
        const [year, text] = [Number(r.Year), r['Annual Change (%)']!];
        if (year > (latest.get(r['FIPS code']!)?.year ?? 0))
          latest.set(r['FIPS code']!, { year, change: text === '.' ? null : Number(text) });
      }
      let found = 0;
      for (const a of asked) {
        const change = latest.get(keyed(a, latest) ?? '')?.change ?? null;
        expectValue(a, 'county_hpi_yoy_pct', change);
        if (change !== null) found++;
      }
      expect(found).toBeGreaterThan(80);
      expect(found).toBeLessThan(asked.length);
    });
  });
}
