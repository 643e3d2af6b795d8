import { date, firstOf, measure, number, owner, ROLL_ACRES, type StateParcels } from '../place/state-template.ts';

/** Polygons of the parcel program joined to the grand list by SPAN; rights of way and water are rows of the file. */
const vermont: StateParcels = {
  state: 'VT',
  title: 'Vermont standardized parcels with the grand list',
  publisher: 'Vermont Center for Geographic Information and the towns of Vermont',
  source: 'vcgi_standardized_parcels',
  documentation: [
    'https://geodata.vermont.gov/datasets/VCGI::vt-data-statewide-standardized-parcel-data-parcel-polygons-1/about',
    'https://vcgi.vermont.gov/data-and-programs/parcel-program',
  ],
  licence:
    'notice of VCGI (https://vcgi.vermont.gov/sites/vcgi/files/warehouse/VCGI_Warranty_Copyright_Notice_2013.pdf)',
  published: () => ({
    url: 'https://services1.arcgis.com/BkFxaEFNwHqX3tAw/arcgis/rest/services/FS_VCGI_OPENDATA_Cadastral_VTPARCELS_poly_standardized_parcels_SP_v1/FeatureServer/0',
    via: 'arcgis',
    ground: 0,
  }),
  rows: null,
  columns: {
    ...number(firstOf('PARCID', 'SPAN')),
    state_apn: 'SPAN',
    tax_id: 'GLIST_SPAN',
    alt_apn1: 'MAPID',
    address: 'E911ADDR',
    original_address: 'LOCAPROP',
    city: 'TOWN',
    ...owner('OWNER1'),
    owner2: 'OWNER2',
    mailadd: 'ADDRGL1',
    mail_address2: 'ADDRGL2',
    mail_city: 'CITYGL',
    mail_state2: 'STGL',
    mail_zip: 'ZIPGL',
    property_class: 'CAT',
    usedesc: 'CAT',
    landval: 'LAND_LV',
    improvval: 'IMPRV_LV',
    parval: 'REAL_FLV',
    parvaltype: { const: 'assessed', when: 'REAL_FLV is not null' },
    exempt_value: { sum: ['EXAMT_HS', 'EXAMT_NR'] },
    exemption_code: 'STATUTE',
    homestead_exemption: 'HSDECL',
    taxyear: measure('GLYEAR'),
    deeded_acres: measure('ACRESGL'),
    geometry_updated_date: date('EDITDATE'),
  },
  ground: [
    { kind: 'road', where: "PROPTYPE = 'ROW_ROAD'" },
    { kind: 'water', where: "PROPTYPE = 'WATER'" },
  ],
  notes: ROLL_ACRES,
  unmapped: [
    ...['YEAR', 'TNAME', 'SOURCENAME', 'SOURCETYPE', 'SOURCEDATE', 'EDITMETHOD', 'EDITOR', 'MATCHSTAT', 'EDITNOTE'],
    ...['DESCPROP', 'RESCODE', 'HSTED_FLV', 'NRES_FLV', 'EQUIPVAL', 'EQUIPCODE', 'INVENVAL', 'HSITEVAL', 'VETEXAMT'],
    ...['EXPDESC', 'ENDDATE', 'UVREDUC_HS', 'UVREDUC_NR', 'GLVAL_HS', 'GLVAL_NR', 'CRHOUSPCT', 'MUNGL1PCT', 'AOEGL_HS'],
    'AOEGL_NR',
  ],
};

export default vermont;
