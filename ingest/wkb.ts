import type { Geometry } from '../datasets/geometry.ts';
import { decodeWkb as decode, WkbError } from '../query/geometry/wkb.ts';
import { ReadError } from './reader.ts';
import { collected, UnreadGeometry } from './unread.ts';

export { encodeWkb } from '../query/geometry/wkb.ts';

/**
 * Decodes a geometry from WKB, as query/geometry/wkb.ts does. A collection of one kind becomes one geometry.
 * @param file @param row named in errors.
 * @throws ReadError file_corrupt; UnreadGeometry for surfaces in space and collections of several kinds.
 */
export function decodeWkb(bytes: Uint8Array, file = 'WKB', row: number | null = null): Geometry | null {
  try {
    return decode(bytes);
  } catch (error) {
    if (!(error instanceof WkbError)) throw error;
    if (error.kind === 'corrupt') throw new ReadError('file_corrupt', file, row, error.message);
    if (error.members) return collected(error.members, file, row);
    throw new UnreadGeometry(file, row, error.message);
  }
}
