import { date, number, owner, SQ_FT, type StateParcels, situs, situsZip } from '../place/state-template.ts';

/** The attribute schema of the yearly versions (V2 of 2016 and later). Classes of property may be several, parted by commas. */
const wisconsin: StateParcels = {
  state: 'WI',
  title: 'Wisconsin statewide parcels',
  publisher: "Wisconsin Land Information Program and State Cartographer's Office",
  source: 'wi_statewide_parcels',
  documentation: [
    'https://www.sco.wisc.edu/parcels/data/',
    'https://pdfslide.net/documents/version-6-statewide-parcel-map-databaseproject-the-data-acquired-through-this-request.html',
  ],
  licence: 'no restrictions',
  published: () => ({
    url: 'https://services3.arcgis.com/n6uYoouQZW75n5WI/arcgis/rest/services/Wisconsin_Statewide_Parcels/FeatureServer/0',
    via: 'arcgis',
    ground: 0,
  }),
  rows: null,
  columns: {
    ...number('PARCELID'),
    tax_id: 'TAXPARCELID',
    state_apn: 'STATEID',
    county: 'CONAME',
    taxyear: 'TAXROLLYEAR',
    ...owner('OWNERNME1'),
    owner2: 'OWNERNME2',
    // The whole mailing address in one line.
    mailadd: 'PSTLADRESS',
    ...situs('SITEADRESS'),
    saddno: { from: ['ADDNUMPREFIX', 'ADDNUM', 'ADDNUMSUFFIX'], join: '' },
    saddpref: 'PREFIX',
    saddstr: 'STREETNAME',
    saddsttyp: 'STREETTYPE',
    saddstsuf: 'SUFFIX',
    location_name: 'LANDMARKNAME',
    sunit: 'UNITID',
    city: 'PLACENAME',
    ...situsZip('ZIPCODE', 'ZIP4'),
    parval: 'CNTASSDVALUE',
    parvaltype: { const: 'assessed', when: 'CNTASSDVALUE is not null' },
    landval: 'LNDVALUE',
    improvval: 'IMPVALUE',
    // Land under the managed forest law.
    agval: 'MFLVALUE',
    marketval: 'ESTFMKVALUE',
    taxamt: 'NETPRPTA',
    property_class: 'PROPCLASS',
    use_group: {
      from: 'PROPCLASS',
      lookup: {
        '1': 'residential',
        '2': 'commercial',
        '3': 'industrial',
        '4': 'agricultural',
        '5': 'other',
        '5M': 'other',
        '6': 'other',
        '7': 'other',
      },
    },
    exemption_code: 'AUXCLASS',
    deeded_acres: 'DEEDACRES',
    gisacre: 'GISACRES',
    // The assessed acres.
    recrdareano: { from: 'ASSDACRES', scale: SQ_FT },
    geometry_updated_date: date('PARCELDATE'),
    sourcedate: date('LOADDATE'),
    source_agency: 'PARCELSRC',
  },
  unmapped: [...['UNITTYPE', 'STATE', 'SCHOOLDIST', 'SCHOOLDISTNO', 'GRSPRPTA', 'PARCELFIPS', 'LONGITUDE', 'LATITUDE']],
};

export default wisconsin;
