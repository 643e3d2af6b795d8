import type { Geometry } from '../../datasets/geometry.ts';
import { encodeWkb } from '../../datasets/wkb.ts';

/** WKB in hexadecimal digits, as PostGIS reads it from text. */
export const toWkbHex = (geometry: Geometry): string => Buffer.from(encodeWkb(geometry)).toString('hex');
