import { measure, number, ROLL_ACRES, type StateParcels } from '../place/state-template.ts';

/** What stands where a column of text has no value. */
const text = (from: string) => ({ from, null: ['N/A'] });

/** Parcels of the county assessors, once a year; names of columns are cut to ten letters. */
const wyoming: StateParcels = {
  state: 'WY',
  title: 'Wyoming parcels for 2026',
  publisher: 'Wyoming Enterprise Technology Services and the assessors of the counties',
  source: 'wy_parcels',
  documentation: [
    'https://services3.arcgis.com/r0iJ85SKZ4zAzz3P/arcgis/rest/services/Wyoming_Parcels_for_2026/FeatureServer/0',
    'https://www.arcgis.com/apps/webappviewer/index.html?id=4bb9a66f7287402b8f650aa9f21d3fa5',
  ],
  licence: 'not stated; public record',
  published: () => ({
    url: 'https://services3.arcgis.com/r0iJ85SKZ4zAzz3P/arcgis/rest/services/Wyoming_Parcels_for_2026/FeatureServer/0',
    via: 'arcgis',
    ground: 0,
  }),
  rows: null,
  columns: {
    ...number('parcelnb'),
    account_number: 'accountno',
    county: 'jurisdicti',
    taxyear: measure('taxyear'),
    address: text('locationad'),
    original_address: text('locationad'),
    owner: text('ownername1'),
    unmodified_owner: text('ownername1'),
    owner2: text('ownername2'),
    mailadd: text('mailaddres'),
    mail_city: text('mailcity'),
    mail_state2: text('mailstate'),
    mail_zip: text('mailzipcod'),
    legaldesc: text('legal'),
    deeded_acres: measure('landgrossa'),
    marketval: 'actualvalu',
    parval: 'assessedva',
    parvaltype: { const: 'assessed', when: 'assessedva is not null' },
  },
  notes: ROLL_ACRES,
  unmapped: ['DEFAULTTAX'],
};

export default wyoming;
