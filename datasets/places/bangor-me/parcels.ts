import { PARCEL_ATTRIBUTES } from '../../parcel/parcel-attributes.ts';
import type { ColumnExpression, PlaceLayer } from '../../place/place.ts';
import { city } from './provenance.ts';

/**
 * Assessor columns are null on the 11 lots that join no assessor record: the file's zeros there are padding, not values.
 */
const assessed = (from: string): ColumnExpression => ({ from, when: 'MAP_LOT is not null' });

const columns: Record<string, ColumnExpression> = {
  apn: 'MAPLOTUNIT',
  apn_no_formatting: { from: 'MAPLOTUNIT', strip: '[^A-Za-z0-9]' },
  alt_apn1: 'MAP_LOT',
  geoid: { const: '23019' },
  state2: { const: 'ME' },
  county: { const: 'Penobscot' },
  city: { const: 'Bangor' },
  address: 'PROP_ADDRS',
  original_address: 'PROP_ADDRS',
  saddno: { from: 'PROP_ADDRS', patterns: [{ match: '^(\\d+) ', value: '$1' }] },
  usecode: { from: 'LAND_USE', null: ['0'] },
  usedesc: { from: 'LAND_USE', null: ['0'] },
  // Institutional, Military, Tree Growth and MoHo Park span several harmonised groups and stay null.
  use_group: {
    from: 'LAND_USE',
    lookup: {
      Residential: 'residential',
      Commercial: 'commercial',
      Industrial: 'industrial',
      Agricultural: 'agricultural',
    },
  },
  yearbuilt: { from: 'YR_BUILT', null: [0] },
  numunits: assessed('DWLG_UNITS'),
  // NA, 27 and 4 are no building types.
  structstyle: { from: 'BLDG_TYPE', null: ['NA', '27', '4'] },
  landval: assessed('VALUE_LAND'),
  improvval: assessed('VALUE_BLDG'),
  parval: assessed('VALUE_TOT'),
  parvaltype: { const: 'assessed', when: 'MAP_LOT is not null' },
  exempt_value: assessed('VALUE_EXMT'),
  taxable_value: assessed('VALUE_NET'),
  // The assessor's acreage: two thirds of the rows agree with the polygon within 5 %, so it was not measured from it.
  deeded_acres: { from: 'ACRES', null: [0] },
  recrdareano: { from: 'ACRES', null: [0], scale: 43560 },
  book: { from: 'DEED_REF', patterns: [{ match: '^B(\\d+) ?P\\d+', value: '$1' }] },
  page: { from: 'DEED_REF', patterns: [{ match: '^B\\d+ ?P(\\d+)', value: '$1' }] },
  source_agency: { const: 'City of Bangor, Maine' },
  source_dataset: { const: 'ParcelsWithDatabase' },
  source_url: { const: 'https://github.com/mainehackerclub/bangor' },
  // The date in the DBF header.
  sourcedate: { const: '2013-02-14' },
  source_license: { const: 'MIT (repository); the city disclaims warranty' },
  geometry_source: { const: 'municipality' },
};

/** Tax parcels of the whole city joined to the assessor's table; the publisher removed no owner because it has none. */
export const parcels: PlaceLayer = {
  dataset: 'parcel_store',
  layer: 'main',
  file: 'bangor-me/parcels_with_assessor.shp.zip',
  expectRows: 10_643,
  // Rights of way and the river, which the city numbers by their names.
  ground: [
    {
      kind: 'road',
      where: "MAPLOTUNIT in ('ROAD-LOCAL', 'I-95', 'I-395', 'ME-15', 'ME-221', 'ME-222', 'US-1A', 'US-2', 'US-202')",
    },
    { kind: 'water', where: "MAPLOTUNIT = 'WATER'" },
  ],
  columns,
  unpublished: Object.keys(PARCEL_ATTRIBUTES).filter(
    name => !(name in columns) && !('computed' in PARCEL_ATTRIBUTES[name as keyof typeof PARCEL_ATTRIBUTES]),
  ),
  provenance: city('bangor_parcels', 'Bangor tax parcels with assessor database', '2013-02-14', null, [
    { columns: ['deeded_acres', 'recrdareano'], text: 'The acreage of the assessor.' },
  ]),
};
