import { defineDataset } from '../dataset.ts';

/**
 * The question left open by the design, the name of the SAIDI column, is settled by the file layout of the survey (EIA, Form
 * EIA-861 detailed data files, sheet Reliability_States; https://www.eia.gov/electricity/data/eia861/): under the lines
 * "IEEE Standard" and "All Events (With Major Event Days)" stands "SAIDI (minutes per year)", repeated for every group, so
 * that only its place names it. The place file gives the places names; each spelling in `aliases` is taken for it too.
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
    'Sheet Reliability_States, one row a utility and state. IEEE-standard SAIDI is used, else the other-standard value. The header has three lines, so columns are named by their place: five of the utility, then nine of the IEEE standard from SAIDI with major event days on.',
  layers: {
    reliability: {
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
          aliases: ['SAIDI With Major Event Days', 'SAIDI (minutes per year)'],
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
      hint: 'Above some 300 a year backup power pays for itself sooner; one hurricane can dominate, so compare several years.',
    },
  },
});
