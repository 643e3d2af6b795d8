import { ADDRESS_COLUMNS } from '../address.ts';
import { FOOTPRINT_COLUMNS } from '../building.ts';
import { facilities, places, transitStops } from '../business.ts';
import { STATE_PLANES } from '../crs.ts';
import { date, number, text } from '../dbf.ts';
import { featureClass, geodatabase, geojson, type WorldFile } from '../file.ts';
import { parcelFeatures } from '../parcel.ts';
import type { Table } from '../statistic.ts';
import type { World } from '../world.ts';

/** Parcels, buildings, and what people built. */
export function built(world: World): WorldFile[] {
  const { sites, lattice, options } = world;
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
    ...world.counties.flatMap(({ county, parcels, buildings, addresses }): WorldFile[] => [
      {
        kind: 'shapefile',
        path: `parcels/${county.code}_parcels_with_roll.shp.zip`,
        options: { geometry: 'polygon', columns: roll, ...STATE_PLANES[county.code] },
        rows: () => parcelFeatures(parcels()),
      },
      geodatabase(
        `fema/Deliverable20240501${county.code}.zip`,
        `Deliverable20240501${county.code}/${county.code}_Structures.gdb`,
        {
          [`${county.code}_Structures`]: featureClass('polygon', FOOTPRINT_COLUMNS, function* () {
            for (const { feature } of buildings()) yield feature;
          }),
        },
        'EPSG:4326',
      ),
      { kind: 'csv', path: `usdot/NAD_${county.code}.csv`, columns: ADDRESS_COLUMNS, rows: addresses },
    ]),
    geojson('ntad/NTAD_Aviation_Facilities.geojson', () => sites.airports()),
    geojson('ntad/NTAD_North_American_Rail_Network_Lines.geojson', () => sites.railways()),
    geojson('hifld/Hospitals.geojson', () => sites.hospitals()),
    geodatabase('usgs/STRUCT_National_GDB.zip', 'STRUCT_National_GDB.gdb', {
      Struct_Point: featureClass(
        'point',
        { PERMANENT_IDENTIFIER: 'string', FTYPE: 'integer', FCODE: 'integer', NAME: 'string' },
        () => sites.structures(),
      ),
    }),
    geojson('nces/EDGE_GEOCODE_PUBLICSCH_2425.geojson', () => sites.schools()),
    geojson('eia/Electric_Power_Transmission_Lines.geojson', () => sites.transmission()),
    {
      kind: 'xlsx',
      path: 'eia/september_generator2026.xlsx',
      sheets: () => ({
        Operating: inventory('Operating', sites.generators()),
        Planned: inventory('Planned', sites.planned()),
      }),
    },
    geojson('usgs/uswtdb.geojson', () => sites.turbines()),
    geojson('usgs/uspvdb.geojson', () => sites.solarFields()),
    geojson('overture/places.geojson', () => places(lattice, options.seed)),
    geojson('ntad/NTAD_National_Transit_Map_Stops.geojson', () => transitStops(lattice, options.seed)),
    geojson('peeringdb/fac.geojson', () => facilities(lattice, options.seed)),
    geojson('osm/power_substation.geojson', () => sites.substations()),
    geojson('epa/npl_sites.geojson', () => sites.superfund()),
  ];
}

/** A sheet of the generator inventory: two lines of title above the header. */
const inventory = (what: string, rows: Table['rows']) => [
  ['Inventory of Generators (synthetic)'],
  [`${what} as of September 2026`],
  Object.keys(rows[0]!),
  ...rows.map(row => Object.values(row)),
];
