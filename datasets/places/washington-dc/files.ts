import { onGitHub, type PublishedFiles } from '../../place/github.ts';

const YEARS = [2007, 2008, 2009, 2010, 2011, 2012, 2013, 2014, 2015];

/** Where the copy of Open Data DC of August 2016 stands. */
export const files: PublishedFiles = onGitHub('benbalter/dc-maps', '8bb880d2b759e7de124fff85addc410664a9c4c9', {
  ...Object.fromEntries(
    YEARS.map(year => [
      `washington-dc/parcels_recorded_${year}.geojson.gz`,
      `maps/${year}-land-boundary-changes.geojson`,
    ]),
  ),
  'washington-dc/census_block_groups_2010.geojson.gz': 'maps/census-block-groups-2010.geojson',
  'washington-dc/census_tracts_2010.geojson.gz': 'maps/census-tracts-2010.geojson',
  'washington-dc/dc_boundary.geojson.gz': 'maps/dc-boundary.geojson',
  'washington-dc/electric_substations.geojson': 'maps/electric-substations.geojson',
  'washington-dc/fire_stations.geojson': 'maps/fire-stations.geojson',
  'washington-dc/flood_sfha.geojson.gz': 'maps/community-rating-system-special-flood-hazard-areas.geojson',
  'washington-dc/hospitals.geojson': 'maps/hospitals.geojson',
  'washington-dc/hydrography_centerlines.geojson.gz': 'maps/hydrography-centerline.geojson',
  'washington-dc/parcel_lots.geojson.gz': 'maps/parcel-lots.geojson',
  'washington-dc/public_schools.geojson.gz': 'maps/public-schools.geojson',
  'washington-dc/railroads.geojson.gz': 'maps/railroads.geojson',
  'washington-dc/wetlands.geojson.gz': 'maps/wetland-types-general.geojson',
});
