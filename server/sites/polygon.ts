import type { Geometry } from '../../datasets/geometry.ts';
import { readArea } from '../../query/search/page/geojson.ts';
import type { Issue } from '../../query/search/request/issue.ts';
import { ServiceError } from '../errors/registry.ts';
import { withinEnvelope } from '../locator.ts';
import { MAX_VERTICES } from './schema.ts';

/** Makes the refusal of a polygon. */
export const invalidGeometry = (issue: Issue): ServiceError =>
  new ServiceError('invalid_geometry', { problem: `${issue.description} ${issue.hint}` }, { issues: [issue] });

/** Says what is wrong with the position of a polygon; null when nothing is. */
export function misplaced({ xy }: Geometry, path: string): Issue | null {
  for (let i = 0; i < xy.length; i += 2) {
    const [lng, lat] = [xy[i]!, xy[i + 1]!];
    if (withinEnvelope({ lng, lat })) continue;
    const swapped = withinEnvelope({ lng: lat, lat: lng });
    return {
      path: `${path}.coordinates`,
      description: 'A position lies outside the United States.',
      hint: swapped
        ? 'The order is [longitude, latitude]; these seem to be swapped.'
        : 'Expected latitude 18 to 72 with longitude -180 to -65, or latitude 51 to 54 with longitude 172 to below 180.',
    };
  }
  return null;
}

/**
 * Reads the GeoJSON of a site, with the same checks as areas of a search: structure, number of vertices (including
 * those that close rings), position. Positions are [longitude, latitude] in WGS84 degrees.
 * @param path where it stands in the request.
 * @throws ServiceError invalid_geometry with the first fault.
 */
export function readPolygon(value: unknown, path: string): Geometry {
  const read = readArea(value, path, Infinity);
  if ('description' in read) throw invalidGeometry(read);
  const vertices = read.xy.length / 2;
  if (vertices > MAX_VERTICES)
    throw invalidGeometry({
      path: `${path}.coordinates`,
      description: `The polygon has ${vertices.toLocaleString('en-US')} vertices, more than ${MAX_VERTICES.toLocaleString('en-US')}.`,
      hint: 'Simplify it, or register it in parts.',
    });
  const issue = misplaced(read, path);
  if (issue) throw invalidGeometry(issue);
  return read;
}
