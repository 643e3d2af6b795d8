import type { PlaceLayer } from '../../place/place.ts';
import { city } from './provenance.ts';

/** Wetlands in the manner of the National Wetlands Inventory; 107 of the polygons carry no code. */
const wetlands: PlaceLayer = {
  dataset: 'usfws_nwi',
  layer: 'main',
  file: 'bangor-me/wetlands.geojson.gz',
  expectRows: 452,
  columns: {
    ATTRIBUTE: 'ATTRIBUTE',
    // The legend of the NWI mapper (https://www.fws.gov/wetlands/Data/Mapper-Wetlands-Legend.html) by the code's first
    // class. Eight codes write forested (FO) with a zero.
    WETLAND_TYPE: {
      from: 'ATTRIBUTE',
      patterns: [
        { match: '^PEM', value: 'Freshwater Emergent Wetland' },
        { match: '^P(F[O0]|SS)', value: 'Freshwater Forested/Shrub Wetland' },
        { match: '^P(UB|AB)', value: 'Freshwater Pond' },
        { match: '^Pf', value: 'Other' },
        { match: '^R', value: 'Riverine' },
        { match: '^L', value: 'Lake' },
        { match: '^[EM]1', value: 'Estuarine and Marine Deepwater' },
        { match: '^[EM]2', value: 'Estuarine and Marine Wetland' },
      ],
    },
  },
  unpublished: ['ACRES'],
  provenance: city(
    'bangor_wetlands',
    'Bangor wetlands (National Wetlands Inventory codes)',
    'city copy of 2013; photo year not stated',
    'Stands in for wetlands (usfws_nwi).',
    [{ columns: ['WETLAND_TYPE'], text: 'The type is derived from the code; polygons without a code have no type.' }],
  ),
};

/** Zoning districts with contract zones. */
const zoning: PlaceLayer = {
  dataset: 'local_zoning',
  layer: 'main',
  file: 'bangor-me/zoning.shp.zip',
  expectRows: 1_297,
  columns: { ZONE: 'ZONE', CONTRACT: 'CONTRACT' },
  provenance: city('bangor_zoning', 'Bangor zoning districts', '2013-05-10', null),
};

/** One layer of SSURGO from the map unit polygons: the file has their keys and none of the attribute tables. */
function soil(layer: string, columns: PlaceLayer['columns'], unpublished: readonly string[]): PlaceLayer {
  return {
    dataset: 'usda_ssurgo',
    layer,
    file: 'bangor-me/soils.geojson.gz',
    expectRows: 1_787,
    columns: { mukey: 'MUKEY', ...columns },
    unpublished,
    provenance: {
      source: 'usda_ssurgo',
      title: 'SSURGO map units of survey area ME614, cut to the City of Bangor',
      publisher: 'USDA NRCS',
      url: 'https://github.com/mainehackerclub/bangor',
      licence: 'US public domain; redistributed under MIT',
      vintage: 'spatial version 6 of ME614; city copy of 2013',
      note: null,
      notes: [{ columns: unpublished, text: 'The tables of attributes were not published with the polygons.' }],
    },
  };
}

const soils: readonly PlaceLayer[] = [
  soil('mapunit', { musym: 'MUSYM' }, ['muname', 'farmlndcl']),
  soil('muaggatt', {}, ['hydgrpdcd', 'drclassdcd', 'brockdepmin', 'wtdepannmin', 'flodfreqdcd', 'engstafdcd']),
  soil('component', {}, ['cokey', 'comppct_r', 'corsteel', 'corcon']),
  soil('chorizon', {}, ['cokey', 'lep_r']),
];

/** Streams drawn as polygons between their banks, all natural watercourses. */
const streams: PlaceLayer = {
  dataset: 'usgs_nhdplus_hr',
  layer: 'NHDFlowline',
  file: 'bangor-me/streams.geojson.gz',
  expectRows: 108,
  geometry: 'polygon',
  columns: { GNIS_Name: { from: 'Name', case: 'title' }, FType: { const: 460 } },
  unpublished: ['NHDPlusID', 'FCode', 'LengthKM', 'StreamOrde', 'MinElevSmo', 'QEMA'],
  provenance: city(
    'bangor_streams',
    'Bangor streams',
    'city copy of 2013',
    'Stands in for streams (usgs_nhdplus_hr:NHDFlowline). Polygons between the banks, so distances are to the bank and zero in the stream; the Penobscot River is not among them.',
  ),
};

const ponds: PlaceLayer = {
  dataset: 'usgs_nhdplus_hr',
  layer: 'NHDWaterbody',
  file: 'bangor-me/ponds.geojson.gz',
  expectRows: 173,
  // The name column is empty in every row.
  columns: { FType: { const: 390 } },
  unpublished: ['NHDPlusID', 'GNIS_Name'],
  provenance: city(
    'bangor_ponds',
    'Bangor ponds',
    'city copy of 2013',
    'Stands in for lakes and ponds (usgs_nhdplus_hr:NHDWaterbody). Lakes and ponds only: no swamps, playas or estuaries.',
  ),
};

/** Parks and preserves; the school grounds and cemeteries of the same file are no protected areas and are skipped. */
const parks: PlaceLayer = {
  dataset: 'usgs_padus',
  layer: 'main',
  file: 'bangor-me/parks.geojson',
  expectRows: 60,
  where: "Type in ('Park', 'Preserve')",
  columns: {
    Unit_Nm: 'Name',
    FeatClass: { const: 'Fee' },
    Category: { const: 'Fee' },
    // Codes of the PAD-US owner type domain; the university's land is left without one.
    Own_Type: {
      from: 'Owner',
      lookup: {
        City: 'LOC',
        State: 'STAT',
        Private: 'PVT',
        'Bangor Land Trust': 'NGO',
        BLT: 'NGO',
        'Maine Audubon': 'NGO',
      },
    },
  },
  unpublished: [
    'Mang_Type',
    'Mang_Name',
    'Des_Tp',
    'Pub_Access',
    'GAP_Sts',
    "FeatClass = 'Easement'",
    "Own_Type = 'FED'",
  ],
  provenance: city(
    'bangor_parks',
    'Bangor parks and open space',
    'city copy of 2013',
    'Stands in for protected areas (usgs_padus) with parks and preserves by owner; federal land and easements are not in the file.',
  ),
};

/** What the ground is: wetlands, soils, water, parks and zoning. */
export const land: readonly PlaceLayer[] = [wetlands, zoning, ...soils, streams, ponds, parks];
