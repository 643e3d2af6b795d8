import type { ColumnExpression } from '../place/place.ts';

/** Columns of NOAA's climate normals that Plat reads. */
const NORMALS = [
  'ANN-TAVG-NORMAL',
  'JJA-TMAX-NORMAL',
  'DJF-TMIN-NORMAL',
  'ANN-PRCP-NORMAL',
  'ANN-SNOW-NORMAL',
  'ANN-HTDD-NORMAL',
  'ANN-CLDD-NORMAL',
  'ANN-TMAX-AVGNDS-GRTH090',
  'ANN-TMIN-AVGNDS-LSTH032',
] as const;

/**
 * A normal as it is loaded. -7777 (above zero, but rounded to zero) becomes 0. Other numbers below -999 are codes for
 * missing values (-9999, -8888, -6666, -5555). A station therefore has a column exactly when it is not null.
 */
const normal = (column: (typeof NORMALS)[number]): ColumnExpression => ({
  from: column,
  patterns: [
    { match: '^-7777(?:\\.0*)?$', value: 0 },
    { match: '^(-?\\d{1,3}(?:\\.\\d*)?|\\d+(?:\\.\\d*)?)$', value: '$1' },
  ],
});

/** Every column of noaa_normals from NOAA's own file. */
export const normalColumns = (): Readonly<Record<string, ColumnExpression>> => ({
  ...Object.fromEntries(['STATION', 'LATITUDE', 'LONGITUDE', 'ELEVATION'].map(name => [name, name])),
  ...Object.fromEntries(NORMALS.map(name => [name, normal(name)])),
});
