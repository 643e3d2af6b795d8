import { featureClass, geodatabase, geojson, type WorldFile } from '../format/file.ts';
import { ADDRESS_COLUMNS } from '../settlement/address.ts';
import { FOOTPRINT_COLUMNS } from '../settlement/building.ts';
import { facilities, places, transitStops } from '../settlement/business.ts';
import { parcelFeatures, ROLL_COLUMNS } from '../settlement/parcel.ts';
import type { Table } from '../settlement/statistic.ts';
import type { World } from '../world.ts';

/** Parcels, buildings, and what people built. */
export function built(world: World): WorldFile[] {
  const { sites, lattice, options } = world;
  return [
    ...world.counties.flatMap(({ county, parcels, street, buildings, addresses }): WorldFile[] => [
      geodatabase(`parcels/${county.code}_parcels_with_roll.gdb.zip`, `${county.code}_parcels_with_roll.gdb`, {
        [`${county.code}_Parcels`]: featureClass('polygon', ROLL_COLUMNS, () => parcelFeatures(parcels(), street)),
      }),
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
