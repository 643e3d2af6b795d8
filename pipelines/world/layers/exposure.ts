import { csv, featureClass, geodatabase, geojson, shapefile, type WorldFile } from '../format/file.ts';
import type { Grid } from '../format/geotiff.ts';
import { number, text } from '../format/shapefile.ts';
import { delimitedLines } from '../format/table.ts';
import { criticalHabitat } from '../nature/habitat.ts';
import { inundated } from '../nature/inundation.ts';
import { fireGrids, interfaceAreas } from '../nature/wildfire.ts';
import { airAreas, drought, facilities, karst } from '../settlement/regulation.ts';
import { asciiGrid, HUB_HEIGHTS, rainfallGrid, STORMS, tiltGrid, windGrid } from '../settlement/resource.ts';
import type { Table } from '../settlement/statistic.ts';
import type { World } from '../world.ts';
import { cropGrid, surgeGrid } from './exposure-grids.ts';

/** Whole feet of sea level rise that are mapped. */
const LEVELS = Array.from({ length: 11 }, (_, feet) => feet);

const tableOf = (rows: Table['rows']): Table => ({ columns: Object.keys(rows[0]!), rows });
const tif = (path: string, grid: Grid): WorldFile => ({ kind: 'geotiff', path, grid });

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
            PWSID: 'string',
            PWS_Name: 'string',
            Population_Served_Count: 'integer',
            Service_Connections_Count: 'integer',
            Method: 'string',
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
