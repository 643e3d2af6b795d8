import { COUNTY, squareMetres, stateRing } from './census.ts';
import { MAINE_EAST_PRJ, NAD83_PRJ, toMaineEast } from './crs.ts';
import { type DbfColumn, date, number, text } from './dbf.ts';
import { type Feature, polygonal, type Ring } from './feature.ts';
import type { WorldFile } from './file.ts';
import { floodFeatures, panels } from './flood.ts';
import { mosaic } from './mosaic.ts';
import { parcelFeatures } from './parcel.ts';
import { roadFeatures } from './road.ts';
import type { ShapefileOptions } from './shapefile.ts';
import { soilFeatures } from './soil.ts';
import type { Table } from './statistic.ts';
import { pondRing, wetlandFeatures } from './wetland.ts';
import type { World } from './world.ts';

const shapefile = (
  path: string,
  geometry: ShapefileOptions['geometry'],
  columns: readonly DbfColumn[],
  rows: () => Iterable<Feature>,
): WorldFile => ({ kind: 'shapefile', path: `${path}.shp.zip`, options: { geometry, columns, prj: NAD83_PRJ }, rows });

const geojson = (path: string, rows: () => Iterable<Feature>): WorldFile => ({ kind: 'geojson', path, rows });

const csv = (path: string, { columns, rows }: Table): WorldFile => ({ kind: 'csv', path, columns, rows: () => rows });

const area = (properties: Feature['properties'], ring: Ring): Feature => ({
  properties,
  geometry: polygonal([[ring]]),
});

const areaColumns = (suffix: string, name: DbfColumn): DbfColumn[] => [
  text(`STATEFP${suffix}`, 2),
  text(`COUNTYFP${suffix}`, 3),
  text(`TRACTCE${suffix}`, 6),
  text(`GEOID${suffix}`, 15),
  name,
  text(`MTFCC${suffix}`, 5),
  number(`ALAND${suffix}`, 14),
  number(`AWATER${suffix}`, 14),
  text(`INTPTLAT${suffix}`, 11),
  text(`INTPTLON${suffix}`, 12),
  ...(suffix ? [number('POP20', 9)] : []),
];

/** Census geography, named and laid out as TIGER/Line 2025. */
function tiger(world: World): WorldFile[] {
  const { census, lattice } = world;
  const file = (layer: string) => `census/tl_2025_${layer.startsWith('us_') ? layer : `23999_${layer}`}`;
  const place = [text('STATEFP', 2), text('GEOID', 7), text('NAMELSAD', 60), text('CLASSFP', 2)];
  return [
    shapefile(
      file('us_state'),
      'polygon',
      [text('GEOID', 2), text('STATEFP', 2), text('STUSPS', 2), text('NAME', 60)],
      () => [area({ GEOID: '23', STATEFP: '23', STUSPS: 'ME', NAME: 'Maine' }, stateRing())],
    ),
    shapefile(
      file('us_county'),
      'polygon',
      [text('GEOID', 5), text('STATEFP', 2), text('COUNTYFP', 3), text('NAME', 60), text('NAMELSAD', 60)],
      () => [
        area(
          { GEOID: COUNTY.fips, STATEFP: '23', COUNTYFP: '999', NAME: COUNTY.name, NAMELSAD: COUNTY.title },
          lattice.county(),
        ),
      ],
    ),
    shapefile(file('tract'), 'polygon', areaColumns('', text('NAMELSAD', 40)), () =>
      census.features(census.tracts(), '', id => `Census Tract ${Number(id.slice(5)) / 100}`),
    ),
    shapefile(file('bg'), 'polygon', areaColumns('', text('NAMELSAD', 40)), () =>
      census.features(census.blockGroups(), '', id => `Block Group ${id.slice(11)}`),
    ),
    shapefile(file('tabblock20'), 'polygon', areaColumns('20', text('NAME20', 10)), () =>
      census.features(census.blocks(), '20', id => `Block ${id.slice(11)}`),
    ),
    shapefile(file('place'), 'polygon', place, () => [
      area(
        { STATEFP: '23', GEOID: '2399901', NAMELSAD: 'Synthetic Harbor city', CLASSFP: 'C5' },
        lattice.ring(census.span(0.25, 0, 0.75, 0.75)),
      ),
      area(
        { STATEFP: '23', GEOID: '2399902', NAMELSAD: 'Ledge CDP', CLASSFP: 'U1' },
        lattice.ring(census.span(0, 0.75, 0.5, 1)),
      ),
    ]),
    shapefile(file('us_zcta520'), 'polygon', [text('ZCTA5CE20', 5)], () => [
      area({ ZCTA5CE20: '04991' }, lattice.ring(census.span(0, 0, 1, 0.5))),
      area({ ZCTA5CE20: '04992' }, lattice.ring(census.span(0, 0.5, 1, 1))),
    ]),
    shapefile(file('us_coastline'), 'line', [text('NAME', 60), text('MTFCC', 5)], () => [
      {
        properties: { NAME: 'Atlantic', MTFCC: 'L4150' },
        geometry: { type: 'LineString', coordinates: lattice.eastward(0) },
      },
    ]),
    shapefile(
      file('roads'),
      'line',
      [text('LINEARID', 22), text('FULLNAME', 60), text('RTTYP', 1), text('MTFCC', 5)],
      () => roadFeatures(world.roads),
    ),
    geojson('cdfi/opportunity_zones.geojson', () => {
      const tract = census.tracts()[1]!;
      return [area({ GEOID10: tract.geoid, STATE: 'Maine', COUNTY: COUNTY.name }, tract.ring)];
    }),
  ];
}

/** Parcels, buildings, and what people built. */
function built(world: World): WorldFile[] {
  const { sites } = world;
  const roll = [
    number('OBJECTID', 10),
    text('MAP_BK_LOT', 20),
    text('STATE_ID', 16),
    text('ACCT_NO', 10),
    text('PROP_LOC', 40),
    text('LOC_NUM', 8),
    text('LOC_ST', 24),
    text('LOC_TYPE', 4),
    text('LOC_UNIT', 6),
    text('LOC_CITY', 24),
    text('LOC_ZIP', 10),
    text('USE_CODE', 4),
    text('USE_DESC', 24),
    text('ZONE', 6),
    text('ZONE_DESC', 40),
    text('OWNER1', 40),
    text('MAIL_ADDR', 40),
    text('MAIL_CITY', 24),
    text('MAIL_ST', 2),
    text('MAIL_ZIP', 10),
    ...['ACRES', 'TAX_AMT'].map(name => number(name, 14, 2)),
    ...['LAND_VAL', 'BLDG_VAL', 'TOT_VAL', 'EXMT_VAL', 'NET_VAL', 'SALE_PRICE', 'PREV_PRICE'].map(n => number(n, 12)),
    ...['TAX_YEAR', 'YR_BUILT', 'UNITS', 'BEDROOMS', 'SALES'].map(name => number(name, 4)),
    ...['STORIES', 'BATHS'].map(name => number(name, 5, 1)),
    ...['BLDG_SQFT', 'LOT_SQFT'].map(name => number(name, 12)),
    text('STYLE', 16),
    text('HEAT', 16),
    date('SALE_DATE'),
    date('PREV_DATE'),
    text('DEED_BOOK', 6),
    text('DEED_PAGE', 6),
    text('LEGAL', 40),
    text('SUBDIV', 30),
  ];
  return [
    {
      kind: 'shapefile',
      path: 'parcels/parcels_with_roll.shp.zip',
      options: { geometry: 'polygon', columns: roll, prj: MAINE_EAST_PRJ, project: toMaineEast },
      rows: () => parcelFeatures(world.parcels()),
    },
    geojson('fema/ME_Structures.geojson.gz', function* () {
      for (const { feature } of world.buildings()) yield feature;
    }),
    geojson('ntad/NTAD_Aviation_Facilities.geojson', () => sites.airports()),
    geojson('ntad/NTAD_North_American_Rail_Network_Lines.geojson', () => sites.railways()),
    geojson('hifld/Hospitals.geojson', () => sites.hospitals()),
    geojson('usgs/structures.geojson', () => sites.structures()),
    geojson('nces/EDGE_GEOCODE_PUBLICSCH_2425.geojson', () => sites.schools()),
    geojson('eia/Electric_Power_Transmission_Lines.geojson', () => sites.transmission()),
    csv('eia/eia860m_plant.csv', plants(sites.plants())),
    geojson('osm/power_substation.geojson', () => sites.substations()),
    geojson('epa/npl_sites.geojson', () => sites.superfund()),
  ];
}

function plants(features: readonly Feature[]): Table {
  const rows = features.map(f => f.properties);
  return { columns: Object.keys(rows[0]!), rows };
}

/** Water, soil, wetlands, protected land, fire and flood. */
function natural(world: World): WorldFile[] {
  const { options, reaches, ponds, sites } = world;
  const seed = options.seed;
  return [
    shapefile(
      'usgs/NHDFlowline',
      'line',
      [
        number('NHDPlusID', 15),
        text('GNIS_Name', 65),
        number('LengthKM', 10, 3),
        number('FType', 4),
        number('FCode', 6),
        number('StreamOrde', 3),
        number('QEMA', 12, 3),
        number('MaxElevSmo', 9),
        number('MinElevSmo', 9),
      ],
      function* () {
        for (const r of reaches)
          yield {
            properties: {
              NHDPlusID: r.id,
              GNIS_Name: r.name,
              LengthKM: r.lengthKm,
              FType: 460,
              FCode: r.perennial ? 46006 : 46003,
              StreamOrde: r.order,
              QEMA: r.flow,
              MaxElevSmo: Math.round(r.from * 100),
              MinElevSmo: Math.round(r.to * 100),
            },
            geometry: { type: 'LineString', coordinates: r.line },
          };
      },
    ),
    shapefile(
      'usgs/NHDWaterbody',
      'polygon',
      [
        number('NHDPlusID', 15),
        text('GNIS_Name', 65),
        number('AreaSqKm', 10, 4),
        number('FType', 4),
        number('FCode', 6),
      ],
      function* () {
        for (const p of ponds)
          yield area(
            {
              NHDPlusID: p.id,
              GNIS_Name: p.name,
              AreaSqKm: Math.round(squareMetres(pondRing(seed, p)) / 100) / 1e4,
              FType: 390,
              FCode: 39004,
            },
            pondRing(seed, p),
          );
      },
    ),
    shapefile(
      'usgs/NHDArea',
      'polygon',
      [number('NHDPlusID', 15), text('GNIS_Name', 65), number('FType', 4), number('FCode', 6)],
      function* () {
        for (const [i, rings] of world.channel.entries())
          yield {
            properties: { NHDPlusID: 55_000_000_200_000 + i, GNIS_Name: null, FType: 460, FCode: 46006 },
            geometry: polygonal([rings]),
          };
      },
    ),
    shapefile(
      'usgs/WBDHU12',
      'polygon',
      [text('huc12', 12), text('name', 120), number('areasqkm', 10, 3)],
      function* () {
        for (const { ring, column, row } of mosaic(seed * 31 + 2, 3, 2, 0.3))
          yield area(
            {
              huc12: `0105999901${String(1 + column + 3 * row).padStart(2, '0')}`,
              name: `${['Alder', 'Beech', 'Cedar', 'Fern', 'Heath', 'Kelp'][column + 3 * row]} Brook`,
              areasqkm: Math.round(squareMetres(ring) / 1000) / 1000,
            },
            ring,
          );
      },
    ),
    shapefile(
      'usda/soilmu_a_me999',
      'polygon',
      [text('AREASYMBOL', 20), number('SPATIALVER', 10), text('MUSYM', 6), text('MUKEY', 30)],
      () => soilFeatures(world.soils),
    ),
    csv('usda/mapunit_legend.csv', world.statistics.soilLegend()),
    shapefile(
      'usfws/ME_Wetlands',
      'polygon',
      [text('ATTRIBUTE', 40), text('WETLAND_TY', 50), number('ACRES', 14, 3)],
      () => wetlandFeatures(world.wetlands),
    ),
    shapefile(
      'usgs/PADUS4_1Combined_State_ME',
      'polygon',
      ['FeatClass', 'Category', 'Own_Type', 'Mang_Type', 'Mang_Name', 'Des_Tp', 'Pub_Access', 'GAP_Sts', 'State_Nm']
        .map(name => text(name, 20))
        .concat(text('Unit_Nm', 120)),
      () => sites.parks(),
    ),
    shapefile(
      'fema/S_FLD_HAZ_AR',
      'polygon',
      [
        text('DFIRM_ID', 6),
        text('VERSION_ID', 11),
        text('FLD_AR_ID', 25),
        text('STUDY_TYP', 28),
        text('FLD_ZONE', 17),
        text('ZONE_SUBTY', 72),
        text('SFHA_TF', 1),
        number('STATIC_BFE', 12, 2),
        text('V_DATUM', 17),
        number('DEPTH', 12, 2),
        text('LEN_UNIT', 16),
        text('SOURCE_CIT', 21),
      ],
      () => floodFeatures(world.floods),
    ),
    shapefile(
      'fema/S_FIRM_PAN',
      'polygon',
      [text('DFIRM_ID', 6), text('FIRM_PAN', 11), date('EFF_DATE')],
      function* () {
        for (const { panel, ring, date: effective } of panels())
          yield area({ DFIRM_ID: '23999C', FIRM_PAN: `23999C${panel}E`, EFF_DATE: effective }, ring);
      },
    ),
    geojson('nifc/InterAgencyFirePerimeterHistory.geojson', () => sites.wildfires()),
  ];
}

/** Climate, time zone and the statistics of county and tracts. */
function regional(world: World): WorldFile[] {
  const { rasters, statistics } = world;
  const tif = (path: string, grid: (typeof rasters)['dem']): WorldFile => ({ kind: 'geotiff', path, grid });
  const halves = () => mosaic(world.options.seed * 31 + 3, 1, 2, 0);
  return [
    tif('usgs/USGS_1_n45w069.tif', rasters.dem),
    tif('mrlc/Annual_NLCD_LndCov_2024.tif', rasters.land_cover),
    tif('mrlc/Annual_NLCD_LndCov_2001.tif', rasters.land_cover_2001),
    tif('mrlc/Annual_NLCD_FctImp_2024.tif', rasters.impervious),
    tif('mrlc/nlcd_tcc_conus_2023.tif', rasters.tree_canopy),
    tif('nrel/nsrdb_v4_ghi.tif', rasters.ghi),
    tif('nrel/nsrdb_v4_dni.tif', rasters.dni),
    tif('gloh2o/koppen_geiger_1991_2020.tif', rasters.koppen),
    geojson('tz/combined-with-oceans.geojson', () => [area({ tzid: 'America/New_York' }, stateRing())]),
    shapefile(
      'prism/phzm_us_zones',
      'polygon',
      [number('gridcode', 4), text('zone', 4), text('trange', 12)],
      function* () {
        for (const { ring, row } of halves())
          yield area({ gridcode: 11 - row, zone: row ? '5b' : '6a', trange: row ? '-15 to -10' : '-10 to -5' }, ring);
      },
    ),
    csv('census/co-est2025-alldata.csv', statistics.population()),
    csv('census/acs2024_5yr_county.csv', statistics.acsCounty()),
    csv('census/acs2024_5yr_tract.csv', statistics.acsTracts()),
    csv('fhfa/hpi_at_county.csv', statistics.housePrices()),
    csv('noaa/cmra_screening_counties.csv', statistics.climate()),
    csv('epa/radon_zones.csv', statistics.radon()),
    csv('fema/NRI_Table_CensusTracts.csv', statistics.risk()),
  ];
}

/** Every published file of the area. */
export function worldFiles(world: World): WorldFile[] {
  return [...tiger(world), ...built(world), ...natural(world), ...regional(world)];
}
