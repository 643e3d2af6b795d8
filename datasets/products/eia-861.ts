import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';

/**
 * The name of the SAIDI column: the sheet Reliability_States of Form EIA-861 detailed data files
 * (https://www.eia.gov/electricity/data/eia861/) has three header lines. Under "IEEE Standard" and "All Events (With Major
 * Event Days)" the third says "SAIDI (minutes per year)", and says so again for every other group: the first is this one, the
 * fourth that of utilities that follow another standard.
 */
export default defineDataset({
  id: 'eia_861',
  title: 'Form EIA-861 reliability file',
  publisher: 'US Energy Information Administration',
  url: 'https://www.eia.gov/electricity/data/eia861/zip/f861{year}.zip',
  format: 'xlsx',
  licence: 'US public domain',
  cadence: 'annual (October)',
  vintageRule: 'Data year in the workbook name.',
  notes:
    'Sheet Reliability_States, one row a utility and state. IEEE-standard SAIDI is used, else the other-standard value.',
  unconfirmed:
    "That the fourth group of columns is the other standard's with major event days; editions before 2013 have other headers.",
  acquire: {
    files: [
      {
        url: 'https://www.eia.gov/electricity/data/eia861/zip/f861{year}.zip',
        vintage: {
          newest: 'year',
          back: 3,
          archive: 'https://www.eia.gov/electricity/data/eia861/archive/zip/f861{year}.zip',
        },
        form: {
          ending: '.zip',
          options: { member: 'Reliability_*.xlsx', sheet: 'Reliability_States', skipLines: 2 },
        },
        seen: 'public code',
      },
    ],
  },
  layers: {
    reliability: {
      title: 'reliability of utilities',
      kind: 'table',
      key: { column: 'Utility Number', is: 'utility_eia_id' },
      partition: 'national',
      columns: {
        'Utility Number': { type: 'string', description: 'EIA utility id.' },
        State: { type: 'string' },
        'SAIDI With MED': {
          type: 'number',
          unit: 'minutes/year',
          description: 'With major event days; IEEE standard, else the other standard.',
          aliases: ['SAIDI (minutes per year)'],
        },
      },
    },
  },
  fields: {
    electric_utility_saidi_minutes: {
      layer: 'utilities',
      type: 'number',
      unit: 'minutes/year',
      title: 'Electric utility SAIDI',
      description: 'Average outage minutes per customer of the serving utility, including major events.',
      expression: 'area_key_attr(eia_861:reliability, key=utility_eia_id, `SAIDI With MED`)',
      confidence: 'const(medium)',
      ttlSeconds: 31_536_000,
      presets: { utilities: 19, data_center_siting: 28, grid_interconnect: 34 },
      terms: phrases(`
        how often does the power go out, power outages, how reliable is the power, blackouts, minutes without power,
        saidi, apagones, outages, outage, power goes out, power fail, lights go out, lose power, power cuts,
        need a generator, reliable electricity, reliability of the utility, cortes de luz, se va la luz,
        power failures, power stay off, stay without power, in the dark, hours without power,
        how long do outages last, brownouts, lost power, loses power, electricity reliable, reliability
      `),
      hint: 'Above some 300 a year backup power pays for itself sooner; one hurricane can dominate, so compare several years.',
    },
  },
});
