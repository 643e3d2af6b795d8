import { LODES_SECTORS } from '../../../datasets/codes/lodes-sectors.ts';
import { area, geojson, shapefile, type WorldFile } from '../format/file.ts';
import { type DbfColumn, number, text } from '../format/shapefile.ts';
import { vertex } from '../frame.ts';
import { jobs } from '../settlement/business.ts';
import { stateRings } from '../settlement/census.ts';
import { roadFeatures } from '../settlement/road.ts';
import type { CountyWorld, World } from '../world.ts';

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

const LABEL = {
  tract: (id: string) => `Census Tract ${Number(id.slice(5)) / 100}`,
  bg: (id: string) => `Block Group ${id.slice(11)}`,
  tabblock20: (id: string) => `Block ${id.slice(11)}`,
} as const;

/** Census geography, named and laid out as TIGER/Line 2025: by country, state or county as the Census Bureau files it. */
export function tiger(world: World): WorldFile[] {
  return [...country(world), ...world.counties.flatMap(county => state(world, county))];
}

function country({ counties, lattice }: World): WorldFile[] {
  return [
    shapefile(
      'census/tl_2025_us_state',
      'polygon',
      [text('GEOID', 2), text('STATEFP', 2), text('STUSPS', 2), text('NAME', 60)],
      () =>
        stateRings(lattice).map(({ county, ring }) =>
          area({ GEOID: county.state, STATEFP: county.state, STUSPS: county.code, NAME: county.stateName }, ring),
        ),
    ),
    shapefile(
      'census/tl_2025_us_county',
      'polygon',
      [text('GEOID', 5), text('STATEFP', 2), text('COUNTYFP', 3), text('NAME', 60), text('NAMELSAD', 60)],
      () => counties.map(({ county }) => countyArea(lattice, county)),
    ),
    shapefile('census/tl_2025_us_zcta520', 'polygon', [text('ZCTA5CE20', 5)], () =>
      counties.flatMap(({ census, county }) => [
        area({ ZCTA5CE20: county.zips[0] }, lattice.ring(census.span(0, 0, 1, 0.5))),
        area({ ZCTA5CE20: county.zips[1] }, lattice.ring(census.span(0, 0.5, 1, 1))),
      ]),
    ),
    shapefile('census/tl_2025_us_coastline', 'line', [text('NAME', 60), text('MTFCC', 5)], () => [
      {
        properties: { NAME: 'Atlantic', MTFCC: 'L4150' },
        geometry: { type: 'LineString', coordinates: lattice.eastward(0) },
      },
      // A lake far inland of the area, where no real one is.
      {
        properties: { NAME: 'Great Lakes', MTFCC: 'L4150' },
        geometry: { type: 'LineString', coordinates: [-60_000, 0, 60_000].map(along => vertex(along, 320_000)) },
      },
    ]),
    geojson('cdfi/opportunity_zones.geojson', () =>
      counties.map(({ census, county }) => {
        const [, tract] = [...census.tracts()];
        return area({ GEOID10: tract!.geoid, STATE: county.stateName, COUNTY: county.name }, tract!.ring);
      }),
    ),
  ];
}

const countyArea = (lattice: World['lattice'], county: CountyWorld['county']) =>
  area(
    {
      GEOID: county.fips,
      STATEFP: county.state,
      COUNTYFP: county.fips.slice(2),
      NAME: county.name,
      NAMELSAD: county.title,
    },
    lattice.county(county),
  );

function state({ lattice, options }: World, { census, county, roads }: CountyWorld): WorldFile[] {
  const file = (layer: string) => `census/tl_2025_${county.state}_${layer}`;
  const place = [text('STATEFP', 2), text('GEOID', 7), text('NAMELSAD', 60), text('CLASSFP', 2)];
  return [
    shapefile(file('tract'), 'polygon', areaColumns('', text('NAMELSAD', 40)), () =>
      census.features(census.tracts(), '', LABEL.tract),
    ),
    shapefile(file('bg'), 'polygon', areaColumns('', text('NAMELSAD', 40)), () =>
      census.features(census.blockGroups(), '', LABEL.bg),
    ),
    shapefile(file('tabblock20'), 'polygon', areaColumns('20', text('NAME20', 10)), () =>
      census.features(census.blocks(), '20', LABEL.tabblock20),
    ),
    shapefile(file('tabblock20_internal_points'), 'point', [text('GEOID20', 15), number('POP20', 9)], function* () {
      for (const block of census.blocks())
        yield {
          properties: { GEOID20: block.geoid, POP20: block.population },
          geometry: { type: 'Point', coordinates: census.internalPoint(block) },
        };
    }),
    {
      kind: 'csv',
      path: `census/${county.code.toLowerCase()}_wac_S000_JT00_2023.csv.gz`,
      columns: ['w_geocode', 'C000', ...Object.keys(LODES_SECTORS), 'createdate'],
      rows: () => jobs(options.seed, census),
    },
    shapefile(file('place'), 'polygon', place, () => [
      area(
        { STATEFP: county.state, GEOID: `${county.state}99901`, NAMELSAD: `${townName(county)} city`, CLASSFP: 'C5' },
        lattice.ring(census.span(0.25, 0, 0.75, 0.75)),
      ),
      area(
        { STATEFP: county.state, GEOID: `${county.state}99902`, NAMELSAD: 'Ledge CDP', CLASSFP: 'U1' },
        lattice.ring(census.span(0, 0.75, 0.5, 1)),
      ),
    ]),
    shapefile(
      `census/tl_2025_${county.fips}_roads`,
      'line',
      [text('LINEARID', 22), text('FULLNAME', 60), text('RTTYP', 1), text('MTFCC', 5)],
      () => roadFeatures(roads()),
    ),
    // What is mapped of each state: the ingest's coverage, no product of the Census Bureau.
    geojson(`coverage/${county.code}.geojson`, () => [countyArea(lattice, county)]),
  ];
}

const townName = ({ town }: CountyWorld['county']) =>
  town
    .split(' ')
    .map(word => word[0] + word.slice(1).toLowerCase())
    .join(' ');
