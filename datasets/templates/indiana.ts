import { date, firstOf, number, type StateParcels } from '../place/state-template.ts';

/** Boundaries with situs addresses and classes of the Department of Local Government Finance; owners are not in it. */
const indiana: StateParcels = {
  state: 'IN',
  title: 'Parcel boundaries of Indiana, current',
  publisher: 'IndianaMap, Indiana GIS Data Harvest Program and the counties of Indiana',
  source: 'in_parcel_boundaries',
  documentation: [
    'https://www.indianamap.org/datasets/ce78e8017fcb479c81a06a6255cfcfa6_0/explore',
    'https://gisdata.in.gov/server/rest/services/Hosted/Parcel_Boundaries_of_Indiana_Current/FeatureServer/0',
  ],
  licence: 'a citation of the Indiana GIS Data Harvest Program is requested, not required',
  published: () => ({
    url: 'https://gisdata.in.gov/server/rest/services/Hosted/Parcel_Boundaries_of_Indiana_Current/FeatureServer/0',
    via: 'arcgis',
    ground: 0,
  }),
  rows: null,
  columns: {
    ...number('parcel_id'),
    state_apn: 'state_parcel_id',
    alt_apn1: 'local_id',
    address: firstOf('dlgf_prop_address', 'prop_add'),
    original_address: firstOf('prop_add', 'dlgf_prop_address'),
    city: firstOf('dlgf_prop_address_city', 'prop_city'),
    szip: firstOf('dlgf_prop_address_zip', 'prop_zip'),
    szip5: {
      from: [firstOf('dlgf_prop_address_zip', 'prop_zip')],
      patterns: [{ match: '^(\\d{5})(?:\\D|$)', value: '$1' }],
    },
    property_class: 'dlgf_prop_class_code',
    sourcedate: date('loaddate'),
  },
  unmapped: [
    ...['nguid', 'county_fips', 'county_id', 'prop_state', 'dlgf_prop_address_state', 'tax_county', 'tax_township'],
    ...['tax_city', 'tax_school', 'tax_library', 'tax_special', 'latitude', 'longitude', 'source_originator'],
  ],
};

export default indiana;
