import { PARCEL_ATTRIBUTES } from '../parcel/parcel-attributes.ts';
import { onGitHub } from '../place/github.ts';
import type { ColumnExpression, Place, PlaceLayer, Provenance } from '../place/place.ts';

/** @param source identifier of the real product, @param note what it stands in for; null when for nothing. */
function town(source: string, title: string, url: string, vintage: string, note: string | null): Provenance {
  const publisher = 'Town of Forest City and Rutherford County, North Carolina';
  return { source, title, publisher, url, licence: 'not stated; US public record', vintage, note };
}

const PARCEL_APP = 'https://github.com/forestcityNC/parcel-app-2';
const ZONING = 'forest-city-nc/zoning_stateplane.geojson.gz';
const COPY = 'town copy of 2019 to 2020';
/** Runs of blanks: the roll pads its columns. */
const PADDING = ' (?= )';

const columns: Record<string, ColumnExpression> = {
  apn: 'PIN',
  apn_no_formatting: { from: 'PIN', strip: '[^A-Za-z0-9]' },
  alt_apn1: 'MBL',
  geoid: { const: '37161' },
  state2: { const: 'NC' },
  county: { const: 'Rutherford' },
  // House number 0 means that there is none.
  address: { from: 'Physical_A', strip: `^0 +|${PADDING}` },
  original_address: 'Physical_A',
  saddno: { from: 'Physical_A', patterns: [{ match: '^([1-9]\\d*) ', value: '$1' }] },
  zoning_description: { from: 'Zoning', null: ['NONE'] },
  zoning_type: {
    from: 'Zoning',
    patterns: [
      // Two lots lie in two districts.
      { match: '^[^,]*RESIDENTIAL[^,]*$', value: 'residential' },
      { match: '^[^,]*COMMERCIAL[^,]*$', value: 'commercial' },
      { match: '^[^,]*MANUFACT[^,]*$', value: 'industrial' },
    ],
  },
  zoning_jurisdiction: { const: 'Town of Forest City', when: "Zoning != 'NONE'" },
  source_agency: { const: 'Town of Forest City, North Carolina' },
  source_dataset: { const: 'parcels' },
  source_url: { const: PARCEL_APP },
  source_license: { const: 'not stated; US public record' },
  geometry_source: { const: 'county' },
};

/** Parcels of the town and its surroundings, quantized to half a metre. */
const parcels: PlaceLayer = {
  dataset: 'parcel_store',
  layer: 'main',
  file: 'forest-city-nc/parcels.topojson',
  // GDAL counts 7,234: it leaves out the one that has no geometry, which is rejected here.
  expectRows: 7_235,
  columns,
  unpublished: Object.entries(PARCEL_ATTRIBUTES)
    .filter(([name, attribute]) => !(name in columns) && !('computed' in attribute))
    .map(([name]) => name),
  coverage: { file: 'forest-city-nc/parcels.topojson' },
  provenance: town('forest_city_parcels', 'Parcels in and around Forest City', PARCEL_APP, COPY, null),
};

/** One point an address, drawn on the building. */
const addresses: PlaceLayer = {
  dataset: 'usdot_nad',
  layer: 'main',
  file: 'forest-city-nc/address_points.geojson.gz',
  expectRows: 5_693,
  columns: {
    Add_Number: { from: 'full_addre', patterns: [{ match: '^ *(\\d+)', value: '$1' }] },
    State: { const: 'NC' },
    AddNo_Full: { from: 'full_addre', patterns: [{ match: '^ *(\\d+\\S*)(?: |$)', value: '$1' }] },
    StNam_Full: { from: 'full_addre', strip: `^ *\\d+\\S*(?: +|$)|${PADDING}` },
  },
  unpublished: ['UUID', 'St_Name', 'Inc_Muni', 'Post_City', 'Zip_Code', 'Placement'],
  provenance: town(
    'forest_city_addresses',
    'Forest City address points',
    PARCEL_APP,
    COPY,
    'Stands in for addresses (usdot_nad:main) with the town’s own points; house number and street are parted at the first blank. Covered within the town limits.',
  ),
};

/** Districts in feet of the state plane; 220 splinters without a district, 96 square metres in all, are skipped. */
const zoning: PlaceLayer = {
  dataset: 'local_zoning',
  layer: 'main',
  file: ZONING,
  expectRows: 608,
  where: 'BASE_DISTR is not null',
  columns: { ZONE: 'BASE_DISTR' },
  // CONDITIONA marks conditional districts without their reference.
  unpublished: ['CONTRACT'],
  coverage: { file: ZONING },
  provenance: town('forest_city_zoning', 'Forest City zoning districts', PARCEL_APP, COPY, null),
};

/** The town and its two exclaves as the census place they are. */
const place: PlaceLayer = {
  dataset: 'census_tiger',
  layer: 'place',
  file: 'forest-city-nc/municipal_limits.geojson.gz',
  expectRows: 3,
  // C1: active incorporated place that does not serve as a county subdivision.
  columns: { GEOID: { const: '3724080' }, NAMELSAD: { const: 'Forest City town' }, CLASSFP: { const: 'C1' } },
  dissolve: 'GEOID',
  provenance: town(
    'forest_city_limits',
    'Forest City municipal limits',
    PARCEL_APP,
    COPY,
    'Stands in for cities and towns (census_tiger:place) with the census name and class of the town; its neighbors are not in the file.',
  ),
};

/** Forest City, North Carolina: the town and the ground around it that it zones. */
const forestCity: Place = {
  name: 'forest-city-nc',
  title: 'Forest City, North Carolina',
  state: 'NC',
  county: '37161',
  coverage: { file: 'forest-city-nc/municipal_limits.geojson.gz' },
  files: onGitHub('forestcityNC/parcel-app-2', 'f3f63553b17e0fc581b0834fd9d990065bf126c8', {
    'forest-city-nc/address_points.geojson.gz': 'data/addresses_temp.geojson',
    'forest-city-nc/municipal_limits.geojson.gz': 'data/muni.geojson',
    'forest-city-nc/parcels.topojson': 'data/parcels.json',
    'forest-city-nc/zoning_stateplane.geojson.gz': 'data/zoning.geojson',
  }),
  layers: [parcels, addresses, zoning, place],
};

export default forestCity;
