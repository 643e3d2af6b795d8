import { defineDataset } from '../dataset.ts';
import { phrases } from '../phrases.ts';
import { TIGER_AREAS } from '../tiger/tiger-areas.ts';
import { TIGER_LAYERS } from '../tiger/tiger-layers.ts';

export default defineDataset({
  id: 'census_tiger',
  title: 'TIGER/Line shapefiles',
  publisher: 'US Census Bureau',
  url: 'https://www2.census.gov/geo/tiger/TIGER{year}/{LAYER}/',
  format: 'shp zip',
  licence: 'US public domain',
  cadence: 'annual',
  vintageRule: 'Year in the folder name; blocks, ZIP areas and urban areas are of the 2020 census.',
  notes:
    'Layers are named as the TIGER folders. roads holds every road of the county files; its address ranges feed geocoding, not a field. road_graph is made of the same files: TIGER has neither one-way streets nor turn restrictions, and roads that cross on two levels meet.',
  acquire: {
    files: [
      {
        layers: ['state'],
        url: 'https://www2.census.gov/geo/tiger/TIGER{year}/STATE/tl_{year}_us_state.zip',
        vintage: { newest: 'year', back: 3 },
        seen: 'publication',
      },
      {
        layers: ['county'],
        url: 'https://www2.census.gov/geo/tiger/TIGER{year}/COUNTY/tl_{year}_us_county.zip',
        vintage: { newest: 'year', back: 3 },
        seen: 'publication',
      },
      {
        layers: ['tract'],
        url: 'https://www2.census.gov/geo/tiger/TIGER{year}/TRACT/tl_{year}_{fips}_tract.zip',
        vintage: { newest: 'year', back: 3 },
        seen: 'publication',
      },
      {
        layers: ['bg'],
        url: 'https://www2.census.gov/geo/tiger/TIGER{year}/BG/tl_{year}_{fips}_bg.zip',
        vintage: { newest: 'year', back: 3 },
        seen: 'publication',
      },
      {
        layers: ['tabblock20'],
        url: 'https://www2.census.gov/geo/tiger/TIGER{year}/TABBLOCK20/tl_{year}_{fips}_tabblock20.zip',
        vintage: { newest: 'year', back: 3 },
        seen: 'publication',
      },
      {
        layers: ['tabblock20_internal_points'],
        url: 'https://lehd.ces.census.gov/data/lodes/LODES8/{st}/{st}_xwalk.csv.gz',
        note: 'The crosswalk of LODES has the internal points, tabblock20 the people.',
        form: {
          ending: '.csv.gz',
          options: { x: 'blklondd', y: 'blklatdd', crs: 'EPSG:4269' },
          columns: { GEOID20: 'tabblk2020', POP20: 'block.POP20' },
          join: [
            {
              at: { dataset: 'census_tiger', layer: 'tabblock20' },
              ending: '.shp.zip',
              prefix: 'block',
              key: 'GEOID20',
              to: 'tabblk2020',
              required: true,
            },
          ],
        },
        seen: 'public code',
      },
      {
        layers: ['place'],
        url: 'https://www2.census.gov/geo/tiger/TIGER{year}/PLACE/tl_{year}_{fips}_place.zip',
        vintage: { newest: 'year', back: 3 },
        seen: 'publication',
      },
      {
        layers: ['zcta520'],
        url: 'https://www2.census.gov/geo/tiger/TIGER{year}/ZCTA520/tl_{year}_us_zcta520.zip',
        vintage: { newest: 'year', back: 3 },
        seen: 'publication',
      },
      {
        layers: ['coastline'],
        url: 'https://www2.census.gov/geo/tiger/TIGER{year}/COASTLINE/tl_{year}_us_coastline.zip',
        vintage: { newest: 'year', back: 3 },
        seen: 'publication',
      },
      {
        layers: ['roads'],
        url: 'https://www2.census.gov/geo/tiger/TIGER{year}/ROADS/tl_{year}_{county}_roads.zip',
        vintage: { newest: 'year', back: 3 },
        seen: 'publication',
      },
      {
        layers: ['cousub'],
        url: 'https://www2.census.gov/geo/tiger/TIGER{year}/COUSUB/tl_{year}_{fips}_cousub.zip',
        vintage: { newest: 'year', back: 3 },
        seen: 'publication',
      },
      {
        layers: ['cbsa'],
        url: 'https://www2.census.gov/geo/tiger/TIGER{year}/CBSA/tl_{year}_us_cbsa.zip',
        vintage: { newest: 'year', back: 3 },
        seen: 'publication',
      },
      {
        layers: ['cd'],
        url: 'https://www2.census.gov/geo/tiger/TIGER{year}/CD/tl_{year}_{fips}_cd119.zip',
        vintage: { newest: 'year', back: 3 },
        seen: 'publication',
      },
      {
        layers: ['sldu'],
        url: 'https://www2.census.gov/geo/tiger/TIGER{year}/SLDU/tl_{year}_{fips}_sldu.zip',
        vintage: { newest: 'year', back: 3 },
        seen: 'publication',
      },
      {
        layers: ['sldl'],
        url: 'https://www2.census.gov/geo/tiger/TIGER{year}/SLDL/tl_{year}_{fips}_sldl.zip',
        vintage: { newest: 'year', back: 3 },
        seen: 'publication',
      },
      {
        layers: ['uac20'],
        url: 'https://www2.census.gov/geo/tiger/TIGER{year}/UAC20/tl_{year}_us_uac20.zip',
        vintage: { newest: 'year', back: 3 },
        seen: 'publication',
      },
      {
        layers: ['unsd'],
        url: 'https://www2.census.gov/geo/tiger/TIGER{year}/UNSD/tl_{year}_{fips}_unsd.zip',
        vintage: { newest: 'year', back: 3 },
        seen: 'publication',
      },
      {
        layers: ['elsd'],
        url: 'https://www2.census.gov/geo/tiger/TIGER{year}/ELSD/tl_{year}_{fips}_elsd.zip',
        vintage: { newest: 'year', back: 3 },
        seen: 'publication',
      },
      {
        layers: ['scsd'],
        url: 'https://www2.census.gov/geo/tiger/TIGER{year}/SCSD/tl_{year}_{fips}_scsd.zip',
        vintage: { newest: 'year', back: 3 },
        seen: 'publication',
      },
      {
        layers: ['aiannh'],
        url: 'https://www2.census.gov/geo/tiger/TIGER{year}/AIANNH/tl_{year}_us_aiannh.zip',
        vintage: { newest: 'year', back: 3 },
        seen: 'publication',
      },
      {
        layers: ['mil'],
        url: 'https://www2.census.gov/geo/tiger/TIGER{year}/MIL/tl_{year}_us_mil.zip',
        vintage: { newest: 'year', back: 3 },
        seen: 'publication',
      },
    ],
    byHand: 'road_graph: made from the files of roads',
  },
  layers: TIGER_LAYERS,
  fields: {
    coast_distance_m: {
      layer: 'terrain',
      type: 'number',
      unit: 'm',
      title: 'Coast distance',
      description:
        'Distance to the nearest United States ocean, gulf or Caribbean coastline (Canadian and Mexican coasts are not in the source).',
      expression: "nearest_distance(census_tiger:coastline, max_km=3000, where[NAME != 'Great Lakes'])",
      confidence: 'const(high)',
      ttlSeconds: 31_536_000,
      presets: { terrain: 13, flood_risk: 24 },
      terms: phrases(`
        how far from the ocean, distance to the sea, beach, seaside, miles to the coast, gulf, distancia al mar,
        salt water, shore, how far is the shore, shoreline, oceanfront, coastal, waterfront on the sea, salt spray,
        costa, playa, tidal water, seashore, saltwater, tidewater, ocean, near the sea, coastline, steps to the sand,
        minutes to the beach, surf, how far inland, inland from the coast, seacoast
      `),
      hint: 'Under a few kilometers expect salt corrosion, wind-borne debris rules and coastal permits; inland it only ranks sites.',
    },
    great_lakes_shore_distance_m: {
      layer: 'terrain',
      type: 'number',
      unit: 'm',
      title: 'Great Lakes shore distance',
      description: 'Distance to the nearest Great Lakes shoreline within 500 km.',
      expression: "nearest_distance(census_tiger:coastline, max_km=500, where[NAME = 'Great Lakes'])",
      confidence: 'const(high)',
      ttlSeconds: 31_536_000,
      presets: { terrain: 16 },
      terms: phrases(`
        how far from lake michigan, lake erie, lake superior, great lake shore, lakefront,
        distance to the great lakes, great lakes, lake ontario, lake huron, great lakes shore, great lakes shoreline,
        shore of the lake michigan, lakeshore
      `),
      hint: 'Use it for lake-effect snow and shoreline setback questions; absent simply means that no lake shore is within reach.',
    },
    nearest_road_distance_m: {
      layer: 'built_environment',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest road',
      description: 'Distance to the nearest public road centerline.',
      expression:
        "nearest_distance(census_tiger:roads, max_km=50, where[MTFCC in ('S1100','S1200','S1400','S1630','S1640')])",
      confidence: 'const(high)',
      ttlSeconds: 15_552_000,
      presets: { wildfire_underwrite: 30, site_selection: 8, solar_siting: 37, wind_siting: 24, storage_siting: 35 },
      terms: phrases(`
        how far is the road, road access, distance to the street, road frontage, landlocked, acceso por carretera,
        access from a road, nearest road, how close is the road, reach it by road, public road, truck access, camino,
        calle más cercana, frontage, driveway length, acceso, road, roads, nearest street, reach the road,
        access road, road to the property, road frontage access, legal access, right of way to the road,
        distance to a road, plowed road, landlocked parcel, street access
      `),
      hint: 'Straight to a centerline: legal access still depends on frontage or an easement, and on no river lying between.',
    },
    nearest_road_name: {
      layer: 'built_environment',
      type: 'string',
      title: 'Nearest road name',
      description: 'Name of the nearest public road.',
      expression:
        "nearest_attr(census_tiger:roads, FULLNAME, max_km=50, where[MTFCC in ('S1100','S1200','S1400','S1630','S1640')])",
      confidence: 'const(high)',
      ttlSeconds: 15_552_000,
      presets: { building_lookup: 13 },
      terms: phrases(`
        what road is it on, street name, name of the nearest street, which road, qué calle, road called,
        name of the road, what street, nombre de la calle, road it fronts on, fronting road, name of the street,
        what is the road called, street called, road name, road out front
      `),
      hint: 'The road a driveway permit would name; private roads and forest tracks are passed over.',
    },
    nearest_road_class: {
      layer: 'built_environment',
      type: 'string',
      title: 'Nearest road class',
      description: 'Census feature class (MTFCC) label of the nearest public road.',
      expression:
        "nearest_attr(census_tiger:roads, MTFCC, max_km=50, map=mtfcc, where[MTFCC in ('S1100','S1200','S1400','S1630','S1640')])",
      confidence: 'const(high)',
      ttlSeconds: 15_552_000,
      terms: phrases(`
        kind of road, highway or local street, dirt road, type of street, private drive, road class, class of road,
        functional class of the road, paved road, gravel road, type of road, back road, tipo de calle, quiet lane,
        side street, cul-de-sac, arterial or local, main street or side street, paved or gravel, what kind of road,
        dirt or paved, dead end, dead-end, residential street, county road or private, private road, maintained road,
        highway or back road, sort of road
      `),
      hint: "State and US routes need the state's entrance permit and traffic study; local streets need only the town's.",
    },
    nearest_primary_road_distance_m: {
      layer: 'built_environment',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest primary road',
      description: 'Distance to the nearest primary road (limited-access highway).',
      expression: "nearest_distance(census_tiger:roads, max_km=200, where[MTFCC = 'S1100'])",
      confidence: 'const(high)',
      ttlSeconds: 15_552_000,
      presets: { wildfire_underwrite: 31 },
      terms: phrases(`
        nearest highway, how far to the freeway, limited access highway, main highway, expressway, autopista, freeway,
        highway, motorway, main road, carretera principal, highway close, major road, highway noise,
        how far is the highway, highways, turnpike, thruway, tollway, parkway, major highway, divided highway,
        big highway, highway nearby, close to the highway, fast road, highway access
      `),
      hint: 'Near enough brings trucks within minutes and noise all night; crossing an access-controlled road needs an interchange.',
    },
    nearest_interstate_distance_m: {
      layer: 'built_environment',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest interstate',
      description: 'Distance to the nearest interstate highway.',
      expression: "nearest_distance(census_tiger:roads, max_km=500, where[RTTYP = 'I'])",
      confidence: 'const(high)',
      ttlSeconds: 15_552_000,
      presets: { site_selection: 9 },
      terms: phrases(`
        how far is the interstate, interstate access, miles to i-95, closest interstate highway, interstate,
        distance to the interstate, interestatal, interstates, i-80, i-10, i-5, i-90, i-70, i-40, interstate nearby
      `),
      hint: 'A warehouse screen usually stops at 5 to 10 km; the nearest ramp tells the real drive better.',
    },
    nearest_interstate_name: {
      layer: 'built_environment',
      type: 'string',
      title: 'Nearest interstate name',
      description: 'Name of the nearest interstate highway.',
      expression: "nearest_attr(census_tiger:roads, FULLNAME, max_km=500, where[RTTYP = 'I'])",
      confidence: 'const(high)',
      ttlSeconds: 15_552_000,
      terms: phrases(`
        which interstate, name of the interstate, what interstate is closest, interstate called,
        number of the interstate, interstate number, name of the nearest interstate
      `),
      hint: 'Follow it for the corridor and port it serves; three-digit numbers are spurs or loops of the route in their last two digits.',
    },
    nearest_highway_ramp_distance_m: {
      layer: 'built_environment',
      type: 'number',
      unit: 'm',
      title: 'Distance to nearest highway ramp',
      description: 'Distance to the nearest highway ramp (proxy for an interchange).',
      expression: "nearest_distance(census_tiger:roads, max_km=200, where[MTFCC = 'S1630'])",
      confidence: 'const(medium)',
      ttlSeconds: 15_552_000,
      presets: { site_selection: 21 },
      terms: phrases(`
        on-ramp, exit, interchange, freeway entrance, off-ramp, ramp, highway entrance, highway exit,
        get on the freeway, access to the highway, rampa, entrada a la autopista, get on the interstate,
        salida de la autopista, on ramp, get off the highway, get onto the interstate, get on the highway, onramp,
        freeway exit, freeway ramp, highway ramp, exits, ramps, entrance ramp, enter the highway, interchanges,
        cloverleaf, freeway access, exit off the interstate
      `),
      hint: 'Interchange proximity lifts retail and freight land values; the ramp may serve one direction only.',
    },
    ...TIGER_AREAS,
  },
});
