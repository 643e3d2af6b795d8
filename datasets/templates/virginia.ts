import { date, number, type StateParcels } from '../place/state-template.ts';

/** Boundaries and numbers alone: the localities keep the rest in tables of their own. */
const virginia: StateParcels = {
  state: 'VA',
  title: 'Virginia parcels',
  publisher: 'Virginia Geographic Information Network and the localities of Virginia',
  source: 'va_vgin_parcels',
  documentation: ['https://vgin.vdem.virginia.gov/datasets/virginia-parcels/about'],
  licence: 'public domain',
  published: () => ({
    url: 'https://gismaps.vdem.virginia.gov/arcgis/rest/services/VA_Base_Layers/VA_Parcels/FeatureServer/0',
    via: 'arcgis',
    ground: 0,
  }),
  rows: null,
  columns: {
    ...number('PARCELID'),
    alt_apn1: 'PTM_ID',
    state_apn: 'VGIN_QPID',
    // The county or independent city.
    county: 'LOCALITY',
    geometry_updated_date: date('LASTUPDATE'),
  },
  unmapped: ['FIPS'],
};

export default virginia;
