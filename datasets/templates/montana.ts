import { measure, number, owner, ROLL_ACRES, type StateParcels, situs } from '../place/state-template.ts';

const CITY_STATE_ZIP = '^(.+?),? +([A-Z]{2})(?: +(\\d{5}(?:-\\d{4})?))?$';

/** The cadastral framework: polygons with the property records of the Department of Revenue. */
const montana: StateParcels = {
  state: 'MT',
  title: 'Montana cadastral framework',
  publisher: 'Montana State Library and Montana Department of Revenue',
  source: 'mt_cadastral',
  documentation: [
    'https://msl.mt.gov/geoinfo/msdi/cadastral/',
    'https://www.arcgis.com/home/item.html?id=f161a98b347b4cf29d371a6d7697912a',
  ],
  licence: 'not stated; public record',
  published: () => ({
    url: 'https://services.arcgis.com/qnjIrwR8z5Izc0ij/arcgis/rest/services/Montana_Cadastral_Framework/FeatureServer/1',
    via: 'arcgis',
    ground: 0,
  }),
  rows: null,
  columns: {
    ...number('PARCELID'),
    tax_id: 'PropertyID',
    account_number: 'AssessmentCode',
    tax_district: 'LevyDistrict',
    county: 'CountyName',
    ...situs('AddressLine1'),
    address2: 'AddressLine2',
    city: { from: 'CityStateZip', patterns: [{ match: CITY_STATE_ZIP, value: '$1' }] },
    szip: { from: 'CityStateZip', patterns: [{ match: ' (\\d{5}(?:-\\d{4})?)$', value: '$1' }] },
    szip5: { from: 'CityStateZip', patterns: [{ match: ' (\\d{5})(?:-\\d{4})?$', value: '$1' }] },
    ...owner('OwnerName'),
    careof: 'CareOfTaxpayer',
    mailadd: 'OwnerAddress1',
    mail_address2: { from: ['OwnerAddress2', 'OwnerAddress3'], join: ', ' },
    mail_city: 'OwnerCity',
    mail_state2: 'OwnerState',
    mail_zip: 'OwnerZipCode',
    usedesc: 'PropType',
    landval: 'TotalLandValue',
    improvval: 'TotalBuildingValue',
    parval: 'TotalValue',
    parvaltype: { const: 'appraised', when: 'TotalValue is not null' },
    taxyear: measure('TaxYear'),
    deeded_acres: measure('TotalAcres'),
    gisacre: measure('GISAcres'),
    legaldesc: 'LegalDescriptionShort',
    subdivision: 'Subdivision',
    plss_township: 'Township',
    plss_range: 'Range',
    plss_section: 'Section',
  },
  notes: ROLL_ACRES,
  unmapped: [
    ...[
      'GlobalID',
      'COUNTYCD',
      'CountyAbbr',
      'CertificateOfSurvey',
      'PropAccess',
      'ContinuousCropAcres',
      'FallowAcres',
    ],
    ...['FarmsiteAcres', 'ForestAcres', 'GrazingAcres', 'WildHayAcres', 'IrrigatedAcres', 'NonQualAcres'],
  ],
};

export default montana;
