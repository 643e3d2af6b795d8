import { OWNER } from '../../parcel/attributes/owner.ts';
import { PARCEL_ATTRIBUTES } from '../../parcel/parcel-attributes.ts';
import type { ColumnExpression, PlaceLayer } from '../../place/place.ts';
import { district } from './provenance.ts';

/** Lots of each year's file. */
const RECORDED: Readonly<Record<string, number>> = {
  2007: 713,
  2008: 739,
  2009: 457,
  2010: 705,
  2011: 609,
  2012: 723,
  2013: 789,
  2014: 585,
  2015: 586,
};
/** Areas that mean unknown. */
const UNKNOWN_AREA = [0, -99_999_998, -99_999_999];
const SQUARE_FEET_PER_ACRE = 43_560;
/** A number that the roll fills with zeros: 0756 BARNES ST NE. */
const LEADING_ZEROS = '^0+(?=[1-9])|(?<=-)0+(?=[1-9])| (?= )';

/** What both kinds of files say of a lot. */
const lot: Record<string, ColumnExpression> = {
  apn: 'SSL',
  apn_no_formatting: { from: 'SSL', strip: '[^A-Za-z0-9]' },
  geoid: { const: '11001' },
  state2: { const: 'DC' },
  county: { const: 'District of Columbia' },
  city: { const: 'Washington' },
  block: 'SQUARE',
  lot: 'LOT',
  plat_book: 'BOOK_NUM',
  plat_page: 'PAGE_NUM',
  recrdareano: { from: 'RECORD_AREA_SF', null: UNKNOWN_AREA },
  deeded_acres: { from: 'RECORD_AREA_SF', null: UNKNOWN_AREA, scale: 1 / SQUARE_FEET_PER_ACRE },
  geometry_source: { const: 'county' },
  source_agency: { const: 'Government of the District of Columbia' },
  source_url: { const: 'https://github.com/benbalter/dc-maps' },
  source_license: { const: 'not stated; US public record' },
};

/** The record of the real property assessment; lots that join none have nulls there. */
const assessed: Record<string, ColumnExpression> = {
  address: { from: 'PREMISEADD', strip: LEADING_ZEROS },
  original_address: 'PREMISEADD',
  saddno: { from: 'LOWNUMBER', strip: '^0+(?=[1-9])' },
  neighborhood_code: 'NBHD',
  usecode: 'USECODE',
  landval: 'NEWLAND',
  improvval: 'NEWIMPR',
  parval: 'NEWTOTAL',
  parvaltype: { const: 'assessed', when: 'NEWTOTAL is not null' },
  prior_parval: 'OLDTOTAL',
  taxamt: 'ANNUALTAX',
  saleprice: { from: 'SALEPRICE', null: [0] },
  saledate: { from: 'SALEDATE', slice: [0, 10], null: ['1901-01-01T00:00:00.000Z'] },
  sale_qualification: 'ACCEPTCODE',
  sourcedate: { from: 'EXTRACTDAT', slice: [0, 10] },
};

function unpublished(columns: Readonly<Record<string, ColumnExpression>>): string[] {
  return Object.entries(PARCEL_ATTRIBUTES)
    .filter(([name, attribute]) => !(name in columns) && !('computed' in attribute))
    .map(([name]) => name);
}

/** Lots recorded or changed in one year. Where they lie is where they are known: most lots of the city are in no file. */
function recorded(year: string, rows: number): PlaceLayer {
  const file = `washington-dc/parcels_recorded_${year}.geojson.gz`;
  const columns = { ...lot, ...assessed, source_dataset: { const: `Land boundary changes of ${year}` } };
  return {
    dataset: 'parcel_store',
    layer: 'main',
    file,
    expectRows: rows,
    columns,
    unpublished: unpublished(columns),
    coverage: { file },
    provenance: district(
      'dc_recorded_lots',
      `Lots recorded or changed in ${year} with their assessment`,
      `recorded ${year}; assessment roll of July 2016`,
      null,
      [{ columns: Object.keys(OWNER), text: 'Owners are left out.' }],
    ),
  };
}

const parcelLotColumns = { ...lot, source_dataset: { const: 'Parcel lots' } };

/** Unplatted lots. Those that stand in a year's file too, with their assessment, are left to that file. */
const parcelLots: PlaceLayer = {
  dataset: 'parcel_store',
  layer: 'main',
  file: 'washington-dc/parcel_lots.geojson.gz',
  expectRows: 1_258,
  join: { file: 'washington-dc/parcels_recorded_2007.geojson.gz', prefix: 'recorded', key: 'SSL', to: 'SSL' },
  where: [
    'recorded.SSL is null and KILL_DT is null',
    // In the files of 2009 to 2011 and later.
    ...[
      'PAR 00770009',
      'PAR 01700016',
      'PAR 02620002',
      'PAR 00780037',
      'PAR 00790049',
      'PAR 02040011',
      'PAR 02530029',
    ].map(ssl => `SSL != '${ssl}'`),
  ].join(' and '),
  columns: parcelLotColumns,
  unpublished: unpublished(parcelLotColumns),
  coverage: { file: 'washington-dc/parcel_lots.geojson.gz' },
  provenance: district('dc_parcel_lots', 'Unplatted parcel lots', 'copy of August 2016', null, [
    { columns: Object.keys(assessed), text: 'No assessment was published with unplatted lots.' },
  ]),
};

/**
 * Lots of the District, year by year. Condominium lots are left out: 207 of them repeat lots of these files, and a
 * parcel number must not stand twice in the store.
 */
export const parcels: readonly PlaceLayer[] = [
  ...Object.entries(RECORDED).map(([year, rows]) => recorded(year, rows)),
  parcelLots,
];
