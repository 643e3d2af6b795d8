import { number, text } from '../format/dbf.ts';
import { csv, featureClass, geodatabase, geojson, shapefile, type WorldFile } from '../format/file.ts';
import type { Grid } from '../format/geotiff.ts';
import { delimitedLines } from '../format/table.ts';
import { degrees } from '../nature/cover.ts';
import { criticalHabitat } from '../nature/habitat.ts';
import { inundated, surgeFeet } from '../nature/inundation.ts';
import { coarser, fireGrids, interfaceAreas } from '../nature/wildfire.ts';
import { hash } from '../random.ts';
import { airAreas, drought, facilities, karst } from '../settlement/regulation.ts';
import { asciiGrid, HUB_HEIGHTS, rainfallGrid, STORMS, tiltGrid, windGrid } from '../settlement/resource.ts';
import type { Table } from '../settlement/statistic.ts';
import type { World } from '../world.ts';

/** Feet of storm tide of the hurricane categories that are mapped. */
const STORM_TIDE = { cat3: 11, cat5: 20 } as const;
/** Whole feet of sea level rise that are mapped. */
export const LEVELS = Array.from({ length: 11 }, (_, feet) => feet);

/** Crops of the land cover classes, in codes of the Cropland Data Layer. */
const CROPS: Readonly<Record<number, number>> = {
  11: 111,
  21: 121,
  22: 122,
  23: 123,
  24: 124,
  31: 131,
  41: 141,
  42: 142,
  43: 143,
  52: 152,
  71: 176,
  81: 37,
  90: 190,
  95: 195,
};

const tableOf = (rows: Table['rows']): Table => ({ columns: Object.keys(rows[0]!), rows });
const tif = (path: string, grid: Grid): WorldFile => ({ kind: 'geotiff', path, grid });

/** Crop of a cell: fields bear corn or potatoes, by the cell. */
export const cropGrid = ({ rasters, options }: World): Grid => ({
  ...coarser(rasters.land_cover, 2, (code, column, row) =>
    code === 82 ? (hash(options.seed, column, row, 251) % 2 ? 1 : 43) : (CROPS[code] ?? 0),
  ),
  sample: 'uint8',
  nodata: 0,
});

/** Surge of a category in feet above the ground, on cells of 3 arc seconds. */
export const surgeGrid = ({ terrain }: World, category: keyof typeof STORM_TIDE): Grid =>
  degrees(1 / 1200, 0.01, { epsg: 4326, sample: 'uint8', nodata: 0 }, at =>
    surgeFeet(terrain, at, STORM_TIDE[category]),
  );

/** Habitat, water supply and use, energy resources, storms, sea, fire, ground, drought and air. */
export function exposure(world: World): WorldFile[] {
  const {
    options,
    terrain,
    lattice,
    exposure: { water, disasters },
  } = world;
  const { seed } = options;
  const fire = fireGrids(world.rasters.land_cover, seed);
  const air = [text('composid', 40), text('area_name', 60), text('current_st', 20)];
  return [
    tif('usda/2025_30m_cdls.tif', cropGrid(world)),
    tif('landfire/LC24_F40_250.tif', fire.fbfm40),
    shapefile(
      'usfws/crithab_poly',
      'polygon',
      [text('comname', 60), text('sciname', 60), text('listing_st', 20), text('status', 10)],
      () => criticalHabitat(lattice, seed),
    ),
    {
      kind: 'geopackage',
      path: 'epa/CWS_Boundaries_v3.gpkg',
      layers: {
        CWS_Boundaries: {
          columns: {
            PWSID: 'TEXT',
            PWS_Name: 'TEXT',
            Population_Served_Count: 'INTEGER',
            Service_Connections_Count: 'INTEGER',
            Method: 'TEXT',
          },
          rows: () => water.systems(),
        },
      },
    },
    {
      kind: 'archive',
      path: 'epa/national_single.csv.zip',
      members: {
        'NATIONAL_SINGLE.CSV': () => {
          const { columns, rows } = tableOf(facilities(lattice, seed));
          return delimitedLines(columns, rows);
        },
      },
    },
    geojson('usgs/field_measurements.geojson', () => water.measurements()),
    csv('usgs/wu-thermoelectric-cu.csv', water.use('tecuftot_mgd')),
    csv('usgs/wu-public-supply-wd.csv', water.use('pswdtot_mgd')),
    csv('usgs/iwa-assessment-outputs-conus.csv', water.use('sui_frac')),
    ...HUB_HEIGHTS.map(height => tif(`nrel/wtk_conus_${height}m_mean_masked.tif`, windGrid(terrain, height))),
    tif('nrel/us9809_latilt.tif', tiltGrid()),
    ...(Object.keys(STORMS) as (keyof typeof STORMS)[]).map(
      (storm): WorldFile => ({
        kind: 'archive',
        path: `noaa/ne${storm}.asc.zip`,
        members: { [`ne${storm}.asc`]: () => asciiGrid(rainfallGrid(terrain, storm)) },
      }),
    ),
    csv('fema/DisasterDeclarationsSummaries.csv', tableOf(disasters.declarations())),
    csv('fema/FimaNfipClaims.csv', tableOf(disasters.claims())),
    geodatabase(
      'noaa/ME_NH_slr_data_dist.zip',
      'ME_NH_slr_final_dist.gdb',
      Object.fromEntries(
        LEVELS.map(feet => [`ME_NH_slr_${feet}ft`, featureClass('polygon', {}, () => [inundated(terrain, feet)])]),
      ),
    ),
    tif('noaa/US_SLOSH_MOM_cat3.tif', surgeGrid(world, 'cat3')),
    tif('noaa/US_SLOSH_MOM_cat5.tif', surgeGrid(world, 'cat5')),
    ...(['whp_cls', 'BP', 'CFL', 'RPS', 'Exposure'] as const).map(name => tif(`usfs/${name}_CONUS.tif`, fire[name])),
    geodatabase('silvis/CONUS_WUI_block_1990_2020_change_gdb.zip', 'CONUS_WUI_block_1990_2020_change.gdb', {
      CONUS_WUI_block_1990_2020_change: featureClass(
        'polygon',
        { WUICLASS2020: 'string', WUIFLAG2020: 'integer', HUDEN2020: 'number' },
        () => interfaceAreas(lattice, seed),
      ),
    }),
    shapefile('usgs/karst', 'polygon', [text('UNIT_NAME', 60), text('ROCKTYPE1', 40)], () => karst(lattice, seed)),
    shapefile('usdm/USDM_20261117_M', 'polygon', [number('DM', 4)], () => drought()),
    shapefile('epa/8hr_ozone_2015', 'polygon', air, () => airAreas('8-Hr.Ozone.2015', 'south')),
    shapefile('epa/pm25_1997', 'polygon', air, () => airAreas('PM-2.5.1997', 'north')),
    shapefile('epa/pm25_2012', 'polygon', air, () => airAreas('PM-2.5.2012', 'north').slice(1)),
  ];
}
