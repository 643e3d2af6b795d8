import proj4 from 'proj4';
import type { Position } from './feature.ts';

/** EPSG:4269 as ESRI writes it into a .prj: what the Census Bureau, NRCS, FEMA and others ship. */
export const NAD83_PRJ =
  'GEOGCS["GCS_North_American_1983",DATUM["D_North_American_1983",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]';

/** EPSG:26847, NAD83 / Maine East (ftUS), as ESRI writes it: what Maine's assessors ship. */
export const MAINE_EAST_PRJ =
  'PROJCS["NAD_1983_StatePlane_Maine_East_FIPS_1801_Feet",GEOGCS["GCS_North_American_1983",DATUM["D_North_American_1983",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",984250.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",-68.5],PARAMETER["Scale_Factor",0.9999],PARAMETER["Latitude_Of_Origin",43.66666666666666],UNIT["Foot_US",0.3048006096012192]]';

const maineEast = proj4(
  '+proj=tmerc +lat_0=43.66666666666666 +lon_0=-68.5 +k=0.9999 +x_0=300000 +y_0=0 +ellps=GRS80 +units=us-ft +no_defs',
);
const utm19 = proj4('+proj=utm +zone=19 +ellps=GRS80 +units=m +no_defs');

/** lng,lat to EPSG:26847 in US survey feet, rounded to a ten-thousandth of a foot. */
export function toMaineEast([lng, lat]: Position): Position {
  const [x, y] = maineEast.forward([lng, lat]) as [number, number];
  return [Math.round(x * 1e4) / 1e4, Math.round(y * 1e4) / 1e4];
}

/** lng,lat to EPSG:26919 (NAD83 / UTM zone 19N) in metres. */
export function toUtm19([lng, lat]: Position): Position {
  return utm19.forward([lng, lat]) as [number, number];
}

/** EPSG:26919 in metres to lng,lat. */
export function fromUtm19([x, y]: Position): Position {
  return utm19.inverse([x, y]) as [number, number];
}
