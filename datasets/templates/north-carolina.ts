import { date, measure, number, owner, type StateParcels, situs, situsZip } from '../place/state-template.ts';

/** A reference to a deed: book and page, in whatever way the county separates them. */
const DEED = '(\\d{2,6})\\s*[/\\\\, -]\\s*0*(\\d{1,6})';

/** The columns of the exchange of cadastral data between the counties and the state. */
const northCarolina: StateParcels = {
  state: 'NC',
  title: 'NC OneMap parcels',
  publisher: 'NC OneMap and the counties of North Carolina',
  source: 'nc_onemap_parcels',
  documentation: [
    'https://www.nconemap.gov/pages/parcels',
    'https://www.nconemap.gov/datasets/nconemap::north-carolina-parcels-polygons/about',
  ],
  licence: 'terms of NC OneMap (https://www.nconemap.gov/pages/terms)',
  published: () => ({
    url: 'https://services.nconemap.gov/secure/rest/services/NC1Map_Parcels/FeatureServer/1',
    via: 'arcgis',
  }),
  rows: county => `stcntyfips = '${county}'`,
  columns: {
    ...number('parno'),
    alt_apn1: 'altparno',
    state_apn: 'nparno',
    county: 'cntyname',
    geoid: 'stcntyfips',
    ...situs('siteadd'),
    saddno: 'saddno',
    saddpref: 'saddpref',
    saddstr: 'saddstr',
    saddsttyp: 'saddsttyp',
    saddstsuf: 'saddstsuf',
    sunit: 'sunit',
    city: 'scity',
    ...situsZip('szip'),
    ...owner('ownname'),
    owner2: 'ownname2',
    ownfrst: 'ownfrst',
    ownlast: 'ownlast',
    owntype: 'owntype',
    mailadd: 'mailadd',
    mail_addno: 'maddrno',
    mail_addpref: 'maddpref',
    mail_addstr: 'maddstr',
    mail_addsttyp: 'maddsttyp',
    mail_addstsuf: 'maddstsuf',
    mail_unit: 'munit',
    mail_city: 'mcity',
    mail_state2: 'mstate',
    mail_zip: 'mzip',
    usecode: 'parusecode',
    usedesc: 'parusedesc',
    landval: 'landval',
    improvval: 'improvval',
    parval: 'parval',
    parvaltype: 'parvaltype',
    agval: 'presentval',
    saledate: date('saledate'),
    legaldesc: 'legdecfull',
    subdivision: 'subdivisio',
    plat: 'mapref',
    book: { from: 'sourceref', patterns: [{ match: DEED, value: '$1' }] },
    page: { from: 'sourceref', patterns: [{ match: DEED, value: '$2' }] },
    gisacre: measure('gisacres'),
    // The recorded area, in acres.
    deeded_acres: measure('recareano'),
    struct: {
      from: 'struct',
      patterns: [
        { match: '^[Yy]', value: true },
        { match: '^[Nn]', value: false },
      ],
    },
    structno: measure('structno'),
    yearbuilt: measure('structyear'),
    reviseddate: date('revisedate'),
    sourcedate: date('sourcedate'),
    source_agency: 'sourceagnt',
  },
  unmapped: [
    ...['cntyfips', 'stfips', 'stname', 'gnisid', 'maddstname', 'saddstname', 'sstate', 'multistruc', 'parusecd2'],
    ...['parusedsc2', 'recareatx', 'revdatetx', 'reviseyear', 'saledatetx', 'sourcedatx', 'subowntype', 'subsurfown'],
    'transfdate',
  ],
};

export default northCarolina;
