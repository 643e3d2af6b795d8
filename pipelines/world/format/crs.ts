import proj4 from 'proj4';
import type { Position } from './feature.ts';

/** EPSG:4269 as ESRI writes it into a .prj: what the Census Bureau, NRCS, FEMA and others ship. */
export const NAD83_PRJ =
  'GEOGCS["GCS_North_American_1983",DATUM["D_North_American_1983",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]';

const NAD83_FEET = (name: string, meridian: number, latitude: number, easting: number) =>
  `PROJCS["${name}",GEOGCS["GCS_North_American_1983",DATUM["D_North_American_1983",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",${easting}],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",${meridian}],PARAMETER["Scale_Factor",0.9999666666666667],PARAMETER["Latitude_Of_Origin",${latitude}],UNIT["Foot_US",0.3048006096012192]]`;

const feet = (meridian: number, latitude: number, easting: number) =>
  proj4(
    `+proj=tmerc +lat_0=${latitude} +lon_0=${meridian} +k=0.9999666666666667 +x_0=${easting} +y_0=0 +ellps=GRS80 +units=us-ft +no_defs`,
  );
const maine = feet(-70.16666666666667, 42.83333333333334, 900000);
const newHampshire = feet(-71.66666666666667, 42.5, 300000);
const utm19 = proj4('+proj=utm +zone=19 +ellps=GRS80 +units=m +no_defs');

/** Rounded to a ten-thousandth of a foot. */
const rounded = ([x, y]: number[]): Position => [Math.round(x! * 1e4) / 1e4, Math.round(y! * 1e4) / 1e4];

/**
 * What the agencies of each state ship, as ESRI writes it, and lng,lat to it in US survey feet: EPSG:26848, NAD83 /
 * Maine West (ftUS), and EPSG:3437, NAD83 / New Hampshire (ftUS).
 */
export const STATE_PLANES = {
  ME: {
    prj: NAD83_FEET('NAD_1983_StatePlane_Maine_West_FIPS_1802_Feet', -70.16666666666667, 42.83333333333334, 2952750),
    project: (position: Position) => rounded(maine.forward([...position])),
  },
  NH: {
    prj: NAD83_FEET('NAD_1983_StatePlane_New_Hampshire_FIPS_2800_Feet', -71.66666666666667, 42.5, 984250),
    project: (position: Position) => rounded(newHampshire.forward([...position])),
  },
} as const;

/** lng,lat to EPSG:26919 (NAD83 / UTM zone 19N) in metres. */
export function toUtm19([lng, lat]: Position): Position {
  return utm19.forward([lng, lat]) as [number, number];
}

/** EPSG:26919 in metres to lng,lat. */
export function fromUtm19([x, y]: Position): Position {
  return utm19.inverse([x, y]) as [number, number];
}
