import { onGitHub, type PublishedFiles } from '../../place/github.ts';
import { nationalFiles } from '../../place/national-files.ts';

const REPOSITORY = 'mainehackerclub/bangor';

/** Where the files of the city's 2013 publication stand: the same files moved about between commits. */
export const files: PublishedFiles = {
  ...onGitHub(REPOSITORY, '076335d08a966b42db2b5cca98540942de1905bb', {
    'bangor-me/zoning.shp.zip': 'data/shapefile/Zoning/Zoning.{shp,shx,dbf,prj}',
  }),
  ...onGitHub(REPOSITORY, '0b404300f38c54fee0adc301fc4fea60eb940629', {
    'bangor-me/buildings.shp.zip': 'data/shapefile/Buildings/Buildings.zip',
    'bangor-me/parcels_with_assessor.shp.zip': 'data/shapefile/Parcels/ParcelsWithDatabase.zip',
  }),
  ...onGitHub(REPOSITORY, 'f96f3db30204c723b40b7a2cf670d65360e37d03', {
    'bangor-me/census_blocks_2010.geojson.gz': 'data/Districts/censusBlocks.geojson',
    'bangor-me/city_boundary.geojson': 'data/cityFootprint.geojson',
    'bangor-me/flood_zones.geojson.gz': 'data/Districts/floodZone.geojson',
    'bangor-me/legislative_districts.geojson': 'data/Districts/legislativeDistricts.geojson',
    'bangor-me/parks.geojson': 'data/parks.geojson',
    'bangor-me/ponds.geojson.gz': 'data/ponds.geojson',
    'bangor-me/railroads.geojson': 'data/railroads.geojson',
    'bangor-me/road_centerlines.geojson.gz': 'data/roads.geojson',
    'bangor-me/soils.geojson.gz': 'data/soils.geojson',
    'bangor-me/streams.geojson.gz': 'data/streams.geojson',
    'bangor-me/urbanized_area.geojson': 'data/Districts/urbanizedArea.geojson',
    'bangor-me/wetlands.geojson.gz': 'data/wetland.geojson',
  }),
  ...nationalFiles(
    'national/us_states.geojson.gz',
    'national/counties_20m.geojson.gz',
    'national/us_airports.csv',
    'national/power_plants_usa.csv.gz',
    'national/epa_superfund_npl.csv',
    'national/opportunity_zone_tracts.csv.gz',
    'national/county_population_estimates_2010_2019.csv.gz',
    'national/fhfa_hpi_county.csv.gz',
    'national/county_unemployment_income_2007_2018.csv.gz',
  ),
};
