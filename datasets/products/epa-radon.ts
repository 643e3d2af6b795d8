import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

export default defineDataset({
  id: 'epa_radon',
  title: 'EPA map of radon zones',
  publisher: 'US EPA',
  url: 'https://www.epa.gov/radon/epa-map-radon-zones',
  format: 'csv',
  licence: 'US public domain',
  cadence: 'static',
  vintageRule: 'The map is static (1993).',
  notes: 'County names keyed to FIPS on load.',
  acquire: {
    files: [
      {
        url: 'https://www.epa.gov/system/files/other-files/2024-06/radon-zones-202406.json',
        note: 'Begins with a byte order mark. Names without FIPS codes; the cities of Virginia are under VA-CITY; rows of no data are skipped.',
        seen: 'public code',
      },
    ],
  },
  layers: {
    main: {
      title: 'radon zones by county',
      kind: 'table',
      key: { column: 'county_fips', is: 'county_fips' },
      partition: 'national',
      columns: {
        county_fips: { type: 'string', description: 'From state and county names, on load.' },
        state: { type: 'string' },
        county: { type: 'string' },
        zone: { type: 'integer', values: [1, 2, 3] },
      },
    },
  },
  fields: {
    radon_zone: {
      layer: 'hazards',
      type: 'integer',
      title: 'Radon zone',
      description: 'EPA radon zone of the county, from 1 (highest) to 3 (lowest).',
      expression: 'area_key_attr(epa_radon, key=county_fips, zone)',
      confidence: 'const(medium)',
      ttlSeconds: 31_536_000,
      presets: { natural_hazard: 27 },
      terms: phrases(`
        radon, radon gas, basement gas, radioactive gas, radon test, radón, radon level, gas seeping into the cellar,
        radon in the basement, radon zone, radon risk, radon mitigation, radon levels, basement radon, test for radon,
        radioactive, lung cancer gas
      `),
      hint: 'Zone 1 counties expect resistant construction; houses vary so much that each needs its own cheap test.',
      verdict: {
        yes: [1],
        matter: 'radon is likely',
        words: {
          yes: 'The county is in radon zone {value}, where homes are built to keep radon out',
          no: 'The county is in radon zone {value}',
        },
        settledBy: 'a radon test of the house',
      },
    },
  },
});
