import type { Geometry } from '../datasets/geometry.ts';
import { decodeWkb as decode, WkbError } from '../query/geometry/wkb.ts';
import { ReadError } from './reader.ts';

export { encodeWkb } from '../query/geometry/wkb.ts';

/**
 * Decodes a geometry from a file, as query/geometry/wkb.ts does.
 * @param file @param row named in errors.
 * @throws ReadError file_corrupt, or geometry_unsupported for collections, curves and surfaces.
 */
export function decodeWkb(bytes: Uint8Array, file = 'WKB', row: number | null = null): Geometry {
  try {
    return decode(bytes);
  } catch (error) {
    if (!(error instanceof WkbError)) throw error;
    throw new ReadError(error.kind === 'corrupt' ? 'file_corrupt' : 'geometry_unsupported', file, row, error.message);
  }
}
