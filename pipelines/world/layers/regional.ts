import { area, csv, geojson, jsonTable, shapefile, type WorldFile } from '../format/file.ts';
import { number, text } from '../format/shapefile.ts';
import { mosaic } from '../nature/mosaic.ts';
import { stationTable } from '../nature/stations.ts';
import { stateRings } from '../settlement/census.ts';
import type { World } from '../world.ts';

/** Climate, time zone and the statistics of county and tracts. */
export function regional(world: World): WorldFile[] {
  const { rasters, statistics } = world;
  const tif = (path: string, grid: (typeof rasters)['dem']): WorldFile => ({ kind: 'geotiff', path, grid });
  const shaking = world.hazards.grids();
  const halves = () => mosaic(world.options.seed * 31 + 3, 1, 2, 0);
  return [
    tif('usgs/USGS_1_n44w071.tif', rasters.dem),
    tif('mrlc/Annual_NLCD_LndCov_2024.tif', rasters.land_cover),
    tif('mrlc/Annual_NLCD_LndCov_2001.tif', rasters.land_cover_2001),
    tif('mrlc/Annual_NLCD_FctImp_2024.tif', rasters.impervious),
    tif('mrlc/nlcd_tcc_conus_2023.tif', rasters.tree_canopy),
    tif('nrel/nsrdb_v4_ghi.tif', rasters.ghi),
    tif('nrel/nsrdb_v4_dni.tif', rasters.dni),
    tif('gloh2o/koppen_geiger_1991_2020.tif', rasters.koppen),
    tif('usgs/nshm_pga_2pct50.tif', shaking.pga),
    tif('usgs/design_ss.tif', shaking.ss),
    tif('usgs/design_s1.tif', shaking.s1),
    tif('usgs/landslide_susceptibility_n10.tif', shaking.landslide),
    geojson('tz/combined-with-oceans.geojson', () =>
      stateRings(world.lattice).map(({ ring }) => area({ tzid: 'America/New_York' }, ring)),
    ),
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
    jsonTable('census/acs2024_5yr_county.table.json', statistics.acsCounty()),
    jsonTable('census/acs2024_5yr_tract.table.json', statistics.acsTracts()),
    csv('fhfa/hpi_at_county.csv', statistics.housePrices()),
    csv('noaa/cmra_screening_counties.csv', statistics.climate()),
    csv('noaa/normals_annualseasonal_1991_2020.csv', stationTable(world.options.seed, world.terrain)),
    csv('epa/radon_zones.csv', statistics.radon()),
    csv('fema/NRI_Table_CensusTracts.csv', statistics.risk()),
  ];
}
