import type { Geometry } from 'geojson';
import { FileProblem } from './ground.ts';

/** Bytes before the first record, and where the head tells all bytes and the type (ESRI Shapefile Technical Description, July 1998). */
const HEADER = 100;
const [WORDS_AT, TYPE_AT] = [24, 32];
const SURFACES = 31;

/** A projection of a .prj file; null where coordinates are degrees that stay as they are. @throws FileProblem. */
async function projectionOf(prj: string | null): Promise<string | null> {
  if (prj === null || /^GEOGCS\[/i.test(prj.trim())) {
    if (/North_American_1927|NAD27/i.test(prj ?? ''))
      throw new FileProblem(
        'Its coordinates are of the datum of 1927, up to 100 meters off. Save it in WGS 84 (EPSG:4326).',
      );
    return null;
  }
  const { default: proj4 } = await import('proj4');
  try {
    proj4(prj);
    return prj;
  } catch {
    throw new FileProblem('Its coordinates are in a projection that is not known here. Save it in WGS 84 (EPSG:4326).');
  }
}

/**
 * The shapes of the main file of a shapefile, in degrees; null for a record without one.
 * @param prj text of its .prj; null where it has none. @throws FileProblem where it is damaged, of surfaces, or of an unknown projection.
 */
export async function shapesOf(bytes: Uint8Array, prj: string | null): Promise<readonly (Geometry | null)[]> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (bytes.length < HEADER || view.getInt32(0) !== 9994)
    throw new FileProblem('It is no shapefile: its head is missing.');
  const damaged = new FileProblem('The shapefile is damaged, or was cut off.');
  if (2 * view.getInt32(WORDS_AT) !== bytes.length) throw damaged;
  if (view.getInt32(TYPE_AT, true) === SURFACES)
    throw new FileProblem('It holds surfaces. Save it as polygons, lines or points.');
  const projection = await projectionOf(prj);
  const { parseShp } = await import('shpjs');
  try {
    return parseShp(view as never, projection ?? undefined);
  } catch {
    throw damaged;
  }
}
