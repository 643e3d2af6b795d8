import { number, owner, type StateParcels, situs } from '../place/state-template.ts';

/** A mailing address in one line: street, city, state and ZIP code. */
const MAIL = '^(.*), *([^,]+), *([A-Z]{2}) +(\\d{5}(?:-\\d{4})?)$';

/** Numbers of the state for the counties: the order of the alphabet, in which McDowell stands after Mason and not before Marion. */
function countyNumber(county: string): number {
  const number = (Number(county.slice(2)) + 1) / 2;
  if (number === 24) return 27;
  return number > 24 && number <= 27 ? number - 1 : number;
}

/**
 * Parcels of the assessors with owners and descriptions, without values. The service has six more columns than are listed here, which
 * nothing that was within reach names.
 */
const westVirginia: StateParcels = {
  state: 'WV',
  title: 'West Virginia parcels',
  publisher: 'WV GIS Technical Center and the assessors of the counties',
  source: 'wv_parcels',
  documentation: [
    'https://services.wvgis.wvu.edu/arcgis/rest/services/Planning_Cadastre/WV_Parcels/MapServer/0',
    'https://www.mapwv.gov/parcel/',
  ],
  licence: 'not stated; public record',
  published: () => ({
    url: 'https://services.wvgis.wvu.edu/arcgis/rest/services/Planning_Cadastre/WV_Parcels/MapServer/0',
    via: 'arcgis',
  }),
  rows: county => `COUNTY in ('${String(countyNumber(county)).padStart(2, '0')}', '${countyNumber(county)}')`,
  columns: {
    ...number('CleanParcelID'),
    alt_apn1: 'GISPID',
    ...situs('FullPhysicalAddress'),
    ...owner('FullOwnerName'),
    mailadd: { from: 'FullOwnerAddress', patterns: [{ match: MAIL, value: '$1' }] },
    mail_city: { from: 'FullOwnerAddress', patterns: [{ match: MAIL, value: '$2' }] },
    mail_state2: { from: 'FullOwnerAddress', patterns: [{ match: MAIL, value: '$3' }] },
    mail_zip: { from: 'FullOwnerAddress', patterns: [{ match: MAIL, value: '$4' }] },
    legaldesc: 'FullLegalDescription',
    gisacre: 'Acres_C',
  },
  unmapped: ['Label', 'ROOTID', 'CountyID', 'COUNTY', 'Dist', 'Map', 'Parcel'],
};

export default westVirginia;
