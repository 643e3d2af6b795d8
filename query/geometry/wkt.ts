import type { Geometry } from '../../datasets/geometry.ts';

/**
 * A geometry as WKT (OGC 06-103r4, 7.2): every part, line and hole, coordinates as stored. One without vertices is EMPTY.
 */
export function toWkt({ type, xy, ends, parts }: Geometry): string {
  const name = type.toUpperCase();
  if (xy.length === 0) return `${name} EMPTY`;
  const position = (vertex: number) => `${xy[2 * vertex]} ${xy[2 * vertex + 1]}`;
  const run = (from: number, to: number) =>
    `(${Array.from({ length: to - from }, (_, i) => position(from + i)).join(', ')})`;
  if (type === 'Point' || type === 'MultiPoint') return `${name} ${run(0, xy.length / 2)}`;
  const lines = Array.from(ends, (end, i) => run(i === 0 ? 0 : ends[i - 1]!, end));
  if (type === 'LineString') return `${name} ${lines[0]}`;
  if (type === 'MultiLineString') return `${name} (${lines.join(', ')})`;
  const polygons = Array.from(parts, (end, i) => `(${lines.slice(i === 0 ? 0 : parts[i - 1]!, end).join(', ')})`);
  return type === 'Polygon' ? `${name} ${polygons[0]}` : `${name} (${polygons.join(', ')})`;
}
