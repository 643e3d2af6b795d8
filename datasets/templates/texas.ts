import { date, measure, number, owner, SQ_FT, type StateParcels, situs, situsZip } from '../place/state-template.ts';

/** Parcels of the appraisal districts in the columns of StratMap. Areas by the map are left out: units and numbers disagree. */
const texas: StateParcels = {
  state: 'TX',
  title: 'StratMap land parcels',
  publisher: 'Texas Geographic Information Office and the appraisal districts',
  source: 'tx_stratmap_parcels',
  documentation: [
    'https://geographic.texas.gov/stratmap/land-parcels.html',
    'https://data.tnris.org/collection/?c=d0f7da13-ab09-4994-a16f-d52589e2476e',
  ],
  licence: 'CC0 1.0',
  published: () => ({
    url: 'https://feature.geographic.texas.gov/arcgis/rest/services/Parcels/stratmap_land_parcels_48_most_recent/MapServer/0',
    via: 'arcgis',
  }),
  rows: county => `fips = '${county}'`,
  columns: {
    ...number('prop_id'),
    alt_apn1: 'geo_id',
    geoid: 'fips',
    county: 'county',
    ...owner('owner_name'),
    careof: 'name_care',
    mailadd: 'mail_line1',
    mail_address2: 'mail_line2',
    mail_city: 'mail_city',
    mail_state2: 'mail_stat',
    mail_zip: 'mail_zip',
    ...situs('situs_addr'),
    saddno: 'situs_num',
    saddpref: 'situs_stre',
    saddstr: 'situs_st_1',
    saddsttyp: 'situs_st_2',
    city: 'situs_city',
    ...situsZip('situs_zip'),
    legaldesc: 'legal_desc',
    deeded_acres: { from: 'legal_area', null: [0], when: "lgl_area_unit in ('ACRES', 'ACRE', 'Acres', 'AC', 'A')" },
    recrdareano: {
      from: [
        {
          from: 'legal_area',
          null: [0],
          when: "lgl_area_unit in ('SQFT', 'SQ FT', 'SF', 'Square Feet')",
          type: 'number',
        },
        {
          from: 'legal_area',
          null: [0],
          when: "lgl_area_unit in ('ACRES', 'ACRE', 'Acres', 'AC', 'A')",
          type: 'number',
          scale: SQ_FT,
        },
      ],
      join: '',
    },
    property_class: 'stat_land_use',
    usecode: 'loc_land_use',
    // Districts that publish no values write 0.
    landval: measure('land_value'),
    improvval: 'imp_value',
    parval: measure('mkt_value'),
    marketval: measure('mkt_value'),
    parvaltype: { const: 'market', when: 'mkt_value > 0' },
    taxyear: measure('tax_year'),
    yearbuilt: measure('year_built'),
    source_agency: 'source',
    sourcedate: date('date_acq'),
  },
  unmapped: ['gis_area', 'gis_area_unit', 'situs_stat', 'mail_addr'],
};

export default texas;
