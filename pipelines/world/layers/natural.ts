import { polygonal } from '../format/feature.ts';
import { area, csv, featureClass, geodatabase, geojson, shapefile, tableOf, type WorldFile } from '../format/file.ts';
import type { Geodatabase } from '../format/geodatabase.ts';
import { text as characters, number } from '../format/shapefile.ts';
import { floodFeatures, panels } from '../nature/flood.ts';
import { mosaic } from '../nature/mosaic.ts';
import { SOIL_TABLES, soilFeatures } from '../nature/soil.ts';
import { pondRing, wetlandFeatures } from '../nature/wetland.ts';
import { squareMetres } from '../settlement/census.ts';
import { type County, countyAt } from '../settlement/county.ts';
import type { Table } from '../settlement/statistic.ts';
import type { World } from '../world.ts';

/** Water, soil, wetlands, protected land, fire and flood. */
export function natural(world: World): WorldFile[] {
  const { options, sites, hazards } = world;
  const seed = options.seed;
  return [
    geodatabase('usgs/NHDPLUS_H_0106_HU4_GDB.zip', 'NHDPLUS_H_0106_HU4_GDB.gdb', hydrography(world)),
    geodatabase('usgs/WBD_National_GDB.zip', 'WBD_National_GDB.gdb', {
      WBDHU12: featureClass('polygon', { huc12: 'string', name: 'string', areasqkm: 'number' }, function* () {
        for (const { ring, column, row } of mosaic(seed * 31 + 2, 3, 2, 0.3))
          yield area(
            {
              huc12: `0106999901${String(1 + column + 3 * row).padStart(2, '0')}`,
              name: `${['Alder', 'Beech', 'Cedar', 'Fern', 'Heath', 'Kelp'][column + 3 * row]} Brook`,
              areasqkm: Math.round(squareMetres(ring) / 1000) / 1000,
            },
            ring,
          );
      }),
    }),
    ...world.counties.flatMap(({ county }) => state(world, county)),
    geodatabase(
      'nifc/InterAgencyFirePerimeterHistory_All_Years_View.gdb.zip',
      'InterAgencyFirePerimeterHistory_All_Years_View.gdb',
      {
        InterAgencyFirePerimeterHistory_All_Years_View: featureClass(
          'polygon',
          { INCIDENT: 'string', FIRE_YEAR: 'string', FIRE_YEAR_INT: 'integer', GIS_ACRES: 'number', AGENCY: 'string' },
          () => sites.wildfires(),
        ),
      },
      'EPSG:4326',
    ),
    geojson('coverage/region.geojson', () => [hazards.region()]),
    shapefile(
      'noaa/1950-2024-torn-aspath',
      'line',
      [number('om', 8), number('yr', 4), characters('st', 2), number('mag', 3)],
      () => hazards.tornadoes(),
    ),
    shapefile('noaa/1955-2024-hail', 'point', [number('om', 8), number('yr', 4), number('mag', 6, 2)], () =>
      hazards.hail(),
    ),
    shapefile(
      'noaa/IBTrACS.NA.list.v04r01.lines',
      'line',
      [
        characters('SID', 14),
        number('SEASON', 6),
        characters('NAME', 20),
        number('USA_WIND', 5),
        number('USA_SSHS', 4),
      ],
      () => hazards.hurricanes(),
    ),
    csv('usgs/comcat.csv', sheetOf(hazards.earthquakes())),
    geojson('usgs/qfaults.geojson', () => hazards.faults()),
    geodatabase(
      'usgs/US_Landslide_v3_gdb.zip',
      'US_Landslide_v3.gdb',
      {
        us_landslide_v3_poly: featureClass('polygon', { Date_: 'string', Confidence: 'integer' }, () =>
          hazards.landslides(),
        ),
      },
      'EPSG:4326',
    ),
    csv('usace/nation.csv', sheetOf(hazards.dams())),
  ];
}

const sheetOf = (rows: Table['rows']): Table => ({ columns: Object.keys(rows[0]!), rows });

/** Hydrography of a four-digit unit: what is known of a flowline stands in three tables. */
function hydrography({ reaches, ponds, channel, options }: World): Geodatabase['layers'] {
  const id = { NHDPlusID: 'number' } as const;
  const kind = { ...id, GNIS_Name: 'string', FType: 'integer', FCode: 'integer' } as const;
  return {
    NHDFlowline: featureClass('line', { ...kind, LengthKM: 'number' }, function* () {
      for (const r of reaches)
        yield {
          properties: {
            NHDPlusID: r.id,
            GNIS_Name: r.name,
            LengthKM: r.lengthKm,
            FType: 460,
            FCode: r.perennial ? 46006 : 46003,
          },
          geometry: { type: 'LineString', coordinates: r.line },
        };
    }),
    NHDWaterbody: featureClass('polygon', { ...kind, AreaSqKm: 'number' }, function* () {
      for (const p of ponds) {
        const ring = pondRing(options.seed, p);
        yield area(
          {
            NHDPlusID: p.id,
            GNIS_Name: p.name,
            AreaSqKm: Math.round(squareMetres(ring) / 100) / 1e4,
            FType: 390,
            FCode: 39004,
          },
          ring,
        );
      }
    }),
    NHDArea: featureClass('polygon', kind, function* () {
      for (const [i, rings] of channel.entries())
        yield {
          properties: { NHDPlusID: 55_000_000_200_000 + i, GNIS_Name: null, FType: 460, FCode: 46006 },
          geometry: polygonal([rings]),
        };
    }),
    NHDPlusFlowlineVAA: tableOf(
      { ...id, StreamOrde: 'integer', MaxElevSmo: 'integer', MinElevSmo: 'integer' },
      function* () {
        for (const r of reaches)
          yield {
            NHDPlusID: r.id,
            StreamOrde: r.order,
            MaxElevSmo: Math.round(r.from * 100),
            MinElevSmo: Math.round(r.to * 100),
          };
      },
    ),
    NHDPlusEROMMA: tableOf({ ...id, QEMA: 'number' }, function* () {
      for (const r of reaches) yield { NHDPlusID: r.id, QEMA: r.flow };
    }),
  };
}

const text = (...names: string[]) => Object.fromEntries(names.map(name => [name, 'string'] as const));

/** What is published by state, or by survey area or flood study within one. */
function state(world: World, county: County): WorldFile[] {
  const { code } = county;
  return [
    geodatabase(`usda/gSSURGO_${code}.zip`, `gSSURGO_${code}.gdb`, {
      MUPOLYGON: featureClass('polygon', { ...text('AREASYMBOL', 'MUSYM', 'MUKEY'), SPATIALVER: 'integer' }, () =>
        soilFeatures(world.soils.filter(soil => soil.county === county)),
      ),
      ...SOIL_TABLES,
    }),
    geodatabase(`usfws/${code}_geodatabase_wetlands.zip`, `${code}_geodatabase_wetlands.gdb`, {
      [`${code}_Wetlands`]: featureClass('polygon', { ...text('ATTRIBUTE', 'WETLAND_TYPE'), ACRES: 'number' }, () =>
        wetlandFeatures(world.wetlands.filter(({ ring }) => countyAt(ring[0]!) === county)),
      ),
    }),
    geodatabase(`usgs/PADUS4_1_State_${code}_GDB.zip`, `PADUS4_1_State_${code}.gdb`, {
      [`PADUS4_1Combined_State_${code}`]: featureClass(
        'polygon',
        text(
          ...['FeatClass', 'Category', 'Own_Type', 'Mang_Type', 'Mang_Name', 'Des_Tp', 'Pub_Access', 'GAP_Sts'],
          ...['State_Nm', 'Unit_Nm'],
        ),
        () => world.sites.parks().filter(({ properties }) => properties.State_Nm === code),
      ),
    }),
    geodatabase(`fema/NFHL_${county.state}_20260915.zip`, `NFHL_${county.state}_20260915.gdb`, {
      S_FLD_HAZ_AR: featureClass(
        'polygon',
        {
          ...text('DFIRM_ID', 'VERSION_ID', 'FLD_AR_ID', 'STUDY_TYP', 'FLD_ZONE', 'ZONE_SUBTY', 'SFHA_TF'),
          STATIC_BFE: 'number',
          V_DATUM: 'string',
          DEPTH: 'number',
          ...text('LEN_UNIT', 'SOURCE_CIT'),
        },
        () => floodFeatures(world.floods.filter(zone => zone.county === county)),
      ),
      S_FIRM_PAN: featureClass('polygon', { ...text('DFIRM_ID', 'FIRM_PAN'), EFF_DATE: 'date' }, function* () {
        for (const { panel, ring, date: effective } of panels(county))
          yield area({ DFIRM_ID: `${county.fips}C`, FIRM_PAN: `${county.fips}C${panel}E`, EFF_DATE: effective }, ring);
      }),
    }),
  ];
}
