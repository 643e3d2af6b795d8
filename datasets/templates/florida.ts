import { measure, number, owner, type StateParcels, situs } from '../place/state-template.ts';

/** Numbers of the Department for the counties: from 11 in the order of the alphabet, in which Dade kept its place. */
const countyNumber = (county: string): number => (county === '12086' ? 23 : 11 + (Number(county.slice(2)) - 1) / 2);

/** ZIP codes are numbers here. */
const zip = (from: string) => ({
  from,
  null: [0],
  patterns: [{ match: '^(\\d{3,5})(?:\\.0+)?$', value: '$1' }],
  pad: 5,
});

/** Zeros of a slot of a sale are padding where it has no year. */
const sale = (from: string, slot: 1 | 2) => ({ from, when: `SALE_YR${slot} > 0` });

/**
 * The roll of the Department (NAL) joined to the polygons, with names cut to ten letters. Sales have a month and no day, so that
 * they have no date here.
 */
const florida: StateParcels = {
  state: 'FL',
  title: 'Florida statewide cadastral',
  publisher: 'Florida Department of Revenue and the property appraisers of the counties',
  source: 'fl_dor_cadastral',
  documentation: [
    'https://geodata.floridagio.gov/datasets/FGIO::florida-statewide-parcels/about',
    'https://www.readkong.com/page/2020-production-guide-and-data-record-layout-for-the-comma-2030464',
    'https://fdocuments.in/document/2011-nal-sdf-nap-userguide-wo-toc.html',
  ],
  licence: 'not stated; public record',
  published: () => ({
    url: 'https://services9.arcgis.com/Gh9awoU677aKree0/arcgis/rest/services/Florida_Statewide_Cadastral/FeatureServer/0',
    via: 'arcgis',
  }),
  rows: county => `CO_NO = ${countyNumber(county)}`,
  columns: {
    ...number('PARCEL_ID'),
    alt_apn1: 'ALT_KEY',
    state_apn: 'STATE_PAR_',
    tax_district: 'TAX_AUTH_C',
    taxyear: measure('ASMNT_YR'),
    ...situs('PHY_ADDR1'),
    address2: 'PHY_ADDR2',
    city: 'PHY_CITY',
    szip: zip('PHY_ZIPCD'),
    szip5: zip('PHY_ZIPCD'),
    ...owner('OWN_NAME'),
    careof: 'FIDU_NAME',
    mailadd: 'OWN_ADDR1',
    mail_address2: 'OWN_ADDR2',
    mail_city: 'OWN_CITY',
    mail_state2: { from: 'OWN_STATE', patterns: [{ match: '^([A-Za-z]{2})$', value: '$1' }], case: 'upper' },
    mail_zip: zip('OWN_ZIPCD'),
    usecode: 'PA_UC',
    property_class: 'DOR_UC',
    // Use codes of the Department: 00, 10, 40 and 70 are vacant, the tens are categories.
    use_group: {
      from: 'DOR_UC',
      patterns: [
        { match: '^0?(?:00|10|40|70)$', value: 'vacant' },
        { match: '^0?0\\d$', value: 'residential' },
        { match: '^0?[123]\\d$', value: 'commercial' },
        { match: '^0?4\\d$', value: 'industrial' },
        { match: '^0?[56]\\d$', value: 'agricultural' },
        { match: '^0?[789]\\d$', value: 'other' },
      ],
    },
    vacant: {
      from: 'DOR_UC',
      patterns: [
        { match: '^0?(?:00|10|40|70)$', value: true },
        { match: '^0?[0-8]\\d$', value: false },
      ],
    },
    landval: 'LND_VAL',
    marketval: 'JV',
    // What counties assess and tax; schools have values of their own.
    parval: 'AV_NSD',
    parvaltype: { const: 'assessed', when: 'AV_NSD is not null' },
    taxable_value: 'TV_NSD',
    agval: measure('AV_CLASS_U'),
    recrdareano: measure('LND_SQFOOT'),
    yearbuilt: measure('ACT_YR_BLT'),
    yearbuilt_effective: measure('EFF_YR_BLT'),
    living_area_sqft: measure('TOT_LVG_AR'),
    structno: measure('NO_BULDNG'),
    numunits: measure('NO_RES_UNT'),
    structure_quality: measure('IMP_QUAL'),
    construction_type: measure('CONST_CLAS'),
    saleprice: sale('SALE_PRC1', 1),
    sale_qualification: 'QUAL_CD1',
    sale_document_number: 'CLERK_NO1',
    book: 'OR_BOOK1',
    page: 'OR_PAGE1',
    saleprice2: sale('SALE_PRC2', 2),
    legaldesc: 'S_LEGAL',
    neighborhood_code: 'NBRHD_CD',
    plss_township: 'TWN',
    plss_range: 'RNG',
    plss_section: 'SEC',
  },
  unmapped: [
    ...['PARCELNO', 'CO_NO', 'FILE_T', 'BAS_STRT', 'ATV_STRT', 'GRP_NO', 'SPASS_CD', 'JV_CHNG', 'JV_CHNG_CD', 'AV_SD'],
    ...['TV_SD', 'JV_HMSTD', 'AV_HMSTD', 'JV_NON_HMS', 'AV_NON_HMS', 'JV_RESD_NO', 'AV_RESD_NO', 'JV_CLASS_U'],
    ...['JV_H2O_REC', 'AV_H2O_REC', 'JV_CONSRV_', 'AV_CONSRV_', 'JV_HIST_CO', 'AV_HIST_CO', 'JV_HIST_SI', 'AV_HIST_SI'],
    ...['JV_WRKNG_W', 'AV_WRKNG_W', 'NCONST_VAL', 'DEL_VAL', 'PAR_SPLT', 'DISTR_CD', 'DISTR_YR', 'LND_UNTS_C'],
    ...['NO_LND_UNT', 'DT_LAST_IN', 'SPEC_FEAT_', 'M_PAR_SAL1', 'VI_CD1', 'SALE_MO1', 'S_CHNG_CD1', 'M_PAR_SAL2'],
    ...['QUAL_CD2', 'VI_CD2', 'SALE_MO2', 'OR_BOOK2', 'OR_PAGE2', 'CLERK_NO2', 'S_CHNG_CD2', 'OWN_STATE_'],
    ...['FIDU_ADDR1', 'FIDU_ADDR2', 'FIDU_CITY', 'FIDU_STATE', 'FIDU_ZIPCD', 'FIDU_CD', 'APP_STAT', 'CO_APP_STA'],
    ...['MKT_AR', 'PUBLIC_LND', 'CENSUS_BK', 'ASS_TRNSFR', 'PREV_HMSTD', 'ASS_DIF_TR', 'CONO_PRV_H', 'PARCEL_ID_'],
    ...['YR_VAL_TRN', 'SEQ_NO', 'RS_ID', 'MP_ID', 'SPC_CIR_CD', 'SPC_CIR_YR', 'SPC_CIR_TX'],
  ],
};

export default florida;
