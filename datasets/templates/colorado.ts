import {
  date,
  number,
  owner,
  ROLL_ACRES,
  type StateParcels,
  situs,
  situsZip,
  textNumber,
} from '../place/state-template.ts';

/** A composite of the counties that take part; it writes numbers as text. */
const colorado: StateParcels = {
  state: 'CO',
  title: 'Colorado public parcels',
  publisher: "Colorado Governor's Office of Information Technology and the counties of Colorado",
  source: 'co_public_parcels',
  documentation: [
    'https://geodata.colorado.gov/datasets/COOIT::colorado-public-parcels/about',
    'https://gis.colorado.gov/public/rest/services/Address_and_Parcel/Colorado_Public_Parcels/FeatureServer/0',
  ],
  licence: 'public domain by its catalog entry; the service says that resale is strictly forbidden',
  published: () => ({
    url: 'https://gis.colorado.gov/public/rest/services/Address_and_Parcel/Colorado_Public_Parcels/FeatureServer/0',
    via: 'arcgis',
  }),
  // Counties write their three digits with or without zeros.
  rows: county => `countyFips in ('${county.slice(2)}', '${Number(county.slice(2))}')`,
  columns: {
    ...number('parcel_id'),
    account_number: 'account',
    county: 'countyName',
    ...situs('situsAdd'),
    city: 'sitAddCty',
    ...situsZip('sitAddZip'),
    ...owner('owner'),
    owner2: 'owner2',
    mailadd: 'ownerAdd',
    mail_city: 'ownAddCty',
    mail_state2: 'ownAddStt',
    mail_zip: 'ownAddZip',
    legaldesc: 'legalDesc',
    subdivision: 'subName',
    block: 'block',
    lot: 'lot',
    recrdareano: textNumber('landSqft'),
    deeded_acres: textNumber('landAcres'),
    zoning: 'zoningCode',
    zoning_description: 'zoningDesc',
    usecode: 'landUseCde',
    usedesc: 'landUseDsc',
    marketval: textNumber('apprValTot'),
    parval: textNumber('asedValTot'),
    parvaltype: { const: 'assessed', when: 'asedValTot is not null' },
    saledate: date('saleDate'),
    saleprice: textNumber('salePrice'),
    sourcedate: date('dateReceived'),
  },
  notes: ROLL_ACRES,
  unmapped: ['sharing', 'countyFips', 'subCode', 'URL'],
};

export default colorado;
