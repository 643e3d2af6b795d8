import { date, number, owner, ROLL_ACRES, type StateParcels, situsZip, textNumber } from '../place/state-template.ts';

/** Words that stand for owners who are withheld. */
const WITHHELD = { owner: 'Current Owner', second: 'Current Co-Owner' } as const;

/** Reports of assessors (CAMA) of 169 towns joined to their parcels; the towns write numbers as text. */
const connecticut: StateParcels = {
  state: 'CT',
  title: 'Connecticut CAMA and parcel layer',
  publisher: 'Connecticut Office of Policy and Management and the towns of Connecticut',
  source: 'ct_cama_parcels',
  documentation: [
    'https://services3.arcgis.com/3FL1kr7L4LvwA2Kb/ArcGIS/rest/services/Connecticut_CAMA_and_Parcel_Layer/FeatureServer',
    'https://opendatanetwork.herokuapp.com/dataset/data.ct.gov/ezgm-i4uu',
    'https://portal.ct.gov/datapolicy/gis-office/parcel-and-cama',
  ],
  licence: 'not stated; public record',
  published: () => ({
    url: 'https://services3.arcgis.com/3FL1kr7L4LvwA2Kb/arcgis/rest/services/Connecticut_CAMA_and_Parcel_Layer/FeatureServer/0',
    via: 'arcgis',
    ground: 0,
  }),
  rows: null,
  columns: {
    ...number('Parcel_ID'),
    address: 'Location',
    original_address: 'Full_Address',
    city: 'Property_City',
    ...situsZip('Property_Zip'),
    ...owner('Owner', [WITHHELD.owner]),
    owner2: { from: 'Co_Owner', null: [WITHHELD.second] },
    mailadd: 'Mailing_Address',
    mail_city: 'Mailing_City',
    mail_state2: 'Mailing_State',
    mail_zip: 'Mailing_Zip',
    landval: textNumber('Assessed_Land'),
    improvval: textNumber('Assessed_Building'),
    parval: textNumber('Assessed_Total'),
    parvaltype: { const: 'assessed', when: 'Assessed_Total is not null' },
    prior_parval: textNumber('Pre_Yr_Assessed_Total'),
    marketval: { sum: ['Appraised_Land', 'Appraised_Building', 'Appraised_Outbuilding'] },
    assessment_year: { from: 'Valuation_Year', patterns: [{ match: '^([12]\\d{3})(?:\\.0+)?$', value: '$1' }] },
    deeded_acres: textNumber('Land_Acres'),
    zoning: 'Zone',
    usecode: 'State_Use',
    usedesc: 'State_Use_Description',
    yearbuilt: { from: 'AYB', patterns: [{ match: '^([12]\\d{3})(?:\\.0+)?$', value: '$1' }] },
    yearbuilt_effective: { from: 'EYB', patterns: [{ match: '^([12]\\d{3})(?:\\.0+)?$', value: '$1' }] },
    structstyle: 'Model',
    structure_condition: 'Condition',
    living_area_sqft: textNumber('Living_Area'),
    numrooms: { from: 'Total_Rooms', patterns: [{ match: '^(\\d+)(?:\\.0+)?$', value: '$1' }] },
    numbedrooms: { from: 'Number_of_Bedroom', patterns: [{ match: '^(\\d+)(?:\\.0+)?$', value: '$1' }] },
    // Where there are half baths, their number would have to be halved and added.
    numbathrooms: { ...(textNumber('Number_of_Baths') as object), when: 'Number_of_Half_Baths = 0' },
    saleprice: textNumber('Sale_Price'),
    saledate: date('Sale_Date'),
    saleprice2: textNumber('Prior_Sale_Price'),
    saledate2: date('Prior_Sale_Date'),
  },
  notes: ROLL_ACRES,
  unmapped: [
    ...['Town_Name', 'CAMA_Link', 'Parcel_Type', 'Unit_Type', 'Link', 'Collection_year', 'Editor', 'Editor_Comment'],
    ...['Edit_Date', 'link_1', 'Effective_Area', 'Prior_Book_Page', 'Occupancy', 'FIPS', 'CouncilsOfGovernments'],
  ],
};

export default connecticut;
