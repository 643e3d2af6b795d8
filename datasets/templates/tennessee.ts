import { measure, number, owner, ROLL_ACRES, type StateParcels, situs } from '../place/state-template.ts';

/** Property boundaries of the counties whose assessors use the state's system. Values stand in pages that a column links to. */
const tennessee: StateParcels = {
  state: 'TN',
  title: 'Tennessee property boundaries, public use',
  publisher: 'Tennessee Comptroller of the Treasury and STS-GIS Services',
  source: 'tn_property_boundaries',
  documentation: [
    'https://www.arcgis.com/home/item.html?id=e356f1a241844d6f9025f2fa4e977df3',
    'https://comptroller.tn.gov/office-functions/pa/gisredistricting/redistricting-and-land-use-maps/parcel-data.html',
  ],
  licence: 'not stated; public record',
  published: () => ({
    url: 'https://services1.arcgis.com/YuVBSS7Y1of2Qud1/arcgis/rest/services/Tennessee_Property_Boundaries_Public_Use/FeatureServer/0',
    via: 'arcgis',
    ground: 0,
  }),
  rows: null,
  // Chester, Davidson, Hamilton, Hickman, Knox, Montgomery, Rutherford, Shelby and Williamson have systems of their own.
  without: ['47023', '47037', '47065', '47081', '47093', '47125', '47149', '47157', '47187'],
  columns: {
    ...number('PARCELID'),
    state_apn: 'GISLINK',
    county: 'COUNTY_NAME',
    ...situs('ADDRESS'),
    ...owner('OWNER'),
    owner2: 'OWNER2',
    subdivision: 'SUBDIV',
    lot: 'LOT',
    deeded_acres: measure('DEEDAC'),
  },
  notes: ROLL_ACRES,
  unmapped: ['COUNTY_ID', 'PARCEL_TYPE', 'PARCEL', 'LINK_TPAD', 'LINK_TPV'],
};

export default tennessee;
