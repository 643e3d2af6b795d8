import type { Geometry } from '../../datasets/geometry.ts';
import { encodeWkb } from '../../query/geometry/wkb.ts';

/** WKB in hexadecimal digits, as PostGIS reads it from text. */
export const toWkbHex = (geometry: Geometry): string => Buffer.from(encodeWkb(geometry)).toString('hex');
