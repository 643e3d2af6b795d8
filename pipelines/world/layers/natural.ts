import { squareMetres } from '../census.ts';
import { type County, countyAt } from '../county.ts';
import { date, number, text } from '../dbf.ts';
import { polygonal } from '../feature.ts';
import { area, csv, geojson, shapefile, type WorldFile } from '../file.ts';
import { floodFeatures, panels } from '../flood.ts';
import { mosaic } from '../mosaic.ts';
import { soilFeatures } from '../soil.ts';
import type { Table } from '../statistic.ts';
import { pondRing, wetlandFeatures } from '../wetland.ts';
import type { World } from '../world.ts';

/** Water, soil, wetlands, protected land, fire and flood. */
export function natural(world: World): WorldFile[] {
  const { options, reaches, ponds, sites, hazards } = world;
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
              huc12: `0106999901${String(1 + column + 3 * row).padStart(2, '0')}`,
              name: `${['Alder', 'Beech', 'Cedar', 'Fern', 'Heath', 'Kelp'][column + 3 * row]} Brook`,
              areasqkm: Math.round(squareMetres(ring) / 1000) / 1000,
            },
            ring,
          );
      },
    ),
    csv('usda/mapunit_legend.csv', world.statistics.soilLegend()),
    ...world.counties.flatMap(({ county }) => state(world, county)),
    geojson('nifc/InterAgencyFirePerimeterHistory.geojson', () => sites.wildfires()),
    geojson('coverage/region.geojson', () => [hazards.region()]),
    shapefile(
      'noaa/1950-2024-torn-aspath',
      'line',
      [number('om', 8), number('yr', 4), text('st', 2), number('mag', 3)],
      () => hazards.tornadoes(),
    ),
    shapefile('noaa/1955-2024-hail', 'point', [number('om', 8), number('yr', 4), number('mag', 6, 2)], () =>
      hazards.hail(),
    ),
    shapefile(
      'noaa/IBTrACS.NA.list.v04r01.lines',
      'line',
      [text('SID', 14), number('SEASON', 6), text('NAME', 20), number('USA_WIND', 5), number('USA_SSHS', 4)],
      () => hazards.hurricanes(),
    ),
    csv('usgs/comcat.csv', tableOf(hazards.earthquakes())),
    geojson('usgs/qfaults.geojson', () => hazards.faults()),
    geojson('usgs/landslide_inventory.geojson', () => hazards.landslides()),
    csv('usace/nation.csv', tableOf(hazards.dams())),
  ];
}

const tableOf = (rows: Table['rows']): Table => ({ columns: Object.keys(rows[0]!), rows });

/** What is published by state, or by survey area or flood study within one. */
function state(world: World, county: County): WorldFile[] {
  const { code } = county;
  return [
    shapefile(
      `usda/soilmu_a_${code.toLowerCase()}999`,
      'polygon',
      [text('AREASYMBOL', 20), number('SPATIALVER', 10), text('MUSYM', 6), text('MUKEY', 30)],
      () => soilFeatures(world.soils.filter(soil => soil.county === county)),
    ),
    shapefile(
      `usfws/${code}_Wetlands`,
      'polygon',
      [text('ATTRIBUTE', 40), text('WETLAND_TY', 50), number('ACRES', 14, 3)],
      () => wetlandFeatures(world.wetlands.filter(({ ring }) => countyAt(ring[0]!) === county)),
    ),
    shapefile(
      `usgs/PADUS4_1Combined_State_${code}`,
      'polygon',
      ['FeatClass', 'Category', 'Own_Type', 'Mang_Type', 'Mang_Name', 'Des_Tp', 'Pub_Access', 'GAP_Sts', 'State_Nm']
        .map(name => text(name, 20))
        .concat(text('Unit_Nm', 120)),
      () => world.sites.parks().filter(({ properties }) => properties.State_Nm === code),
    ),
    shapefile(
      `fema/${code}_S_FLD_HAZ_AR`,
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
      () => floodFeatures(world.floods.filter(zone => zone.county === county)),
    ),
    shapefile(
      `fema/${code}_S_FIRM_PAN`,
      'polygon',
      [text('DFIRM_ID', 6), text('FIRM_PAN', 11), date('EFF_DATE')],
      function* () {
        for (const { panel, ring, date: effective } of panels(county))
          yield area({ DFIRM_ID: `${county.fips}C`, FIRM_PAN: `${county.fips}C${panel}E`, EFF_DATE: effective }, ring);
      },
    ),
  ];
}
