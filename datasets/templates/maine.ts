import { date, number, type StateParcels, situs } from '../place/state-template.ts';

/**
 * Parcels of the organized towns that take part, in the columns of the standard of the GeoLibrary. Owners and values are in tables
 * that only some towns fill.
 */
const maine: StateParcels = {
  state: 'ME',
  title: 'Maine parcels, organized towns',
  publisher: 'Maine GeoLibrary and the towns of Maine',
  source: 'me_geolibrary_parcels',
  documentation: ['https://www.law.cornell.edu/regulations/maine/18-127-C-M-R-ch-158-SS-4'],
  licence: 'not stated; public record',
  published: () => ({
    url: 'https://services1.arcgis.com/RbMX0mRVOFNTdLzd/arcgis/rest/services/Maine_Parcels_Organized_Towns/FeatureServer/10',
    via: 'arcgis',
    ground: 0,
  }),
  rows: null,
  columns: {
    ...number('MAP_BK_LOT'),
    state_apn: 'STATE_ID',
    county: 'COUNTY',
    city: 'TOWN',
    ...situs('PROP_LOC'),
    geometry_updated_date: date('FMUPDAT'),
  },
  unmapped: ['GEOCODE'],
};

export default maine;
