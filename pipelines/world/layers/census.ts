import { COUNTY, stateRing } from '../census.ts';
import { type DbfColumn, number, text } from '../dbf.ts';
import { area, geojson, shapefile, type WorldFile } from '../file.ts';
import { roadFeatures } from '../road.ts';
import type { World } from '../world.ts';

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
export function tiger(world: World): WorldFile[] {
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
