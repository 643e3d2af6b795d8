import { createHash } from 'node:crypto';
import type { Geometry } from '../../datasets/geometry.ts';
import type { Cache } from '../cache.ts';
import { geodesicArea } from '../geodesic.ts';
import { loadGeos, polygonsToGeometry, ringsOf } from '../geos.ts';
import type { AreaTest } from './filter.ts';
import type { Issue } from './issue.ts';
import { PreparedArea } from './kernel.ts';

/** Longest piece of an edge, in degrees of longitude, that is measured as a geodesic. */
const PIECE_DEGREES = 1;

/**
 * Square kilometres of an area whose edges are straight in lng,lat: long edges are cut, because the geodesic between
 * their ends runs elsewhere (the short way round the earth, for one). Parts added, holes subtracted.
 */
export function squareKilometres(geometry: Geometry): number {
  const polygons = ringsOf(geometry).map(rings => rings.map(cutLongEdges));
  return geodesicArea(polygonsToGeometry(polygons)) / 1e6;
}

function cutLongEdges(ring: Float64Array): Float64Array {
  const out: number[] = [ring[0]!, ring[1]!];
  for (let i = 2; i < ring.length; i += 2) {
    const [x0, y0, x1, y1] = [ring[i - 2]!, ring[i - 1]!, ring[i]!, ring[i + 1]!];
    const pieces = Math.max(1, Math.ceil(Math.abs(x1 - x0) / PIECE_DEGREES));
    for (let k = 1; k < pieces; k++) out.push(x0 + ((x1 - x0) * k) / pieces, y0 + ((y1 - y0) * k) / pieces);
    out.push(x1, y1);
  }
  return Float64Array.from(out);
}

/** What to do about GEOS's reasons (TopologyValidationError of GEOS). */
const HINTS: Readonly<Record<string, string>> = {
  'Self-intersection': 'Let no edge cross or run along another one; parts may touch at points only.',
  'Ring Self-intersection': 'Split the ring where it touches itself, or make the inner loop a hole.',
  'Hole lies outside shell': 'Put each hole after the shell that contains it.',
  'Holes are nested': 'Make the inner hole a part of its own.',
  'Nested shells': 'Remove the inner part, or make it a hole.',
  'Interior is disconnected': 'Split the polygon into parts where its holes cut it through.',
  'Duplicate Rings': 'Remove the repeated ring.',
  'Too few points in geometry component': 'Give the ring at least three different positions.',
};

/** What an area is known by from page to page: all its coordinates. */
function keyOf({ xy, ends, parts }: Geometry): string {
  const hash = createHash('sha256');
  for (const array of [xy, ends, parts]) hash.update(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
  return hash.digest('base64');
}

/** A verdict that is worth keeping: pages of one search, and searches over one area, ask again and again. */
interface Judged {
  readonly reason: string | null;
  readonly squareKm: number;
}

async function judged(geometry: Geometry, cache: Cache): Promise<Judged> {
  const key = `area verdict ${keyOf(geometry)}`;
  const known = cache.get(key) as Judged | undefined;
  if (known) return known;
  const reason = (await loadGeos()).invalidReason(geometry);
  const verdict = { reason, squareKm: reason === null ? squareKilometres(geometry) : Number.NaN };
  cache.set(key, verdict, 400);
  return verdict;
}

/** An area ready to be asked about parcels, kept from page to page. @param geometry valid polygons in lng,lat. */
export async function preparedArea(geometry: Geometry, cache: Cache): Promise<PreparedArea> {
  const key = `area ${keyOf(geometry)}`;
  const known = cache.get(key) as PreparedArea | undefined;
  if (known) return known;
  const area = new PreparedArea(geometry, await loadGeos());
  cache.set(key, area, geometry.xy.byteLength * 2 + area.grid.bytes);
  return area;
}

/**
 * Judges areas that were read: validity by GEOS, then size. They are never repaired.
 * @param maxSquareKm of one area.
 */
export async function judgeAreas(areas: readonly AreaTest[], maxSquareKm: number, cache: Cache): Promise<Issue[]> {
  const issues: Issue[] = [];
  for (const { geometry, path } of areas) {
    const { reason, squareKm } = await judged(geometry, cache);
    if (reason !== null) {
      const [, what, where] = /^([^[]*)(?:\[(.*)\])?$/.exec(reason)!;
      const place = where ? ` at [${where.trim().split(/\s+/).join(', ')}] (longitude, latitude)` : '';
      issues.push({
        path,
        description: `The area is not valid: ${what!.trim().toLowerCase()}${place}.`,
        hint: `${HINTS[what!.trim()] ?? 'Send a valid polygon (OGC simple features).'} Areas are never repaired here.`,
      });
    } else if (!(squareKm <= maxSquareKm))
      issues.push({
        path,
        description: `The area is larger than ${maxSquareKm} square kilometres.`,
        hint: 'Split it into smaller areas, or select by state or county.',
      });
  }
  return issues;
}
