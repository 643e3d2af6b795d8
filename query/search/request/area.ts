import { boxOf, type Geometry } from '../../../datasets/geometry.ts';
import { squareKilometres } from '../../geometry/area/area-size.ts';
import { loadGeos } from '../../geometry/geos.ts';
import { PreparedArea } from '../../geometry/prepared-area.ts';
import { isSimpleRing } from '../../geometry/simple-ring.ts';
import { placesAt, positionNamed } from './fault-place.ts';
import type { AreaTest, PreparedTest } from './filter.ts';
import type { Issue } from './issue.ts';

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

/** Square kilometres of a square degree at the equator, rounded up: no square degree has more. */
const MOST_KM2_PER_DEGREE2 = 12_400;

/** An area that was looked at: prepared, or with what is wrong with it. */
type Judged = { readonly area: PreparedArea } | { readonly issue: Omit<Issue, 'path'> };

async function judged({ geometry }: AreaTest, maxSquareKm: number, sent: Geometry): Promise<Judged> {
  const geos = await loadGeos();
  const area = new PreparedArea(geometry, geos);
  const reason = isSimpleRing(area.grid) ? null : geos.invalidReason(geometry);
  if (reason !== null) return { issue: invalid(reason, sent) };
  const [minX, , maxX] = area.grid.box;
  const longest = maxX - minX > 180 ? longEdge(sent) : null;
  if (longest !== null)
    return {
      issue: {
        description: `The area has an edge of more than 180 degrees of longitude, from ${positionNamed(sent, longest)} (counted from 0).`,
        hint: 'Split areas that cross the antimeridian at longitude 180 into a MultiPolygon. Give an edge that does go the long way another vertex between its ends.',
      },
    };
  if (isTooLarge(geometry, maxSquareKm))
    return {
      issue: {
        description: `The area is larger than ${maxSquareKm} square kilometers.`,
        hint: 'Split it into smaller areas, or select by state or county.',
      },
    };
  return { area };
}

/**
 * The vertex where an edge begins that goes more than half way round the earth, but not all the way: nearly always it was meant to
 * cross the antimeridian, and would select parcels on the other side of the earth.
 */
function longEdge({ xy, ends }: Geometry): number | null {
  let start = 0;
  for (const end of ends) {
    for (let v = start + 1; v < end; v++) {
      const span = Math.abs(xy[2 * v]! - xy[2 * v - 2]!);
      if (span > 180 && span < 360) return v - 1;
    }
    start = end;
  }
  return null;
}

/** Whether a valid area is larger than it may be: of most its box tells that it is not. */
export function isTooLarge(geometry: Geometry, maxSquareKm: number): boolean {
  const [minX, minY, maxX, maxY] = boxOf(geometry);
  if ((maxX - minX) * (maxY - minY) * MOST_KM2_PER_DEGREE2 <= maxSquareKm) return false;
  return !(squareKilometres(geometry) <= maxSquareKm);
}

function invalid(reason: string, sent: Geometry): Omit<Issue, 'path'> {
  const [, what, where] = /^([^[]*)(?:\[(.*)\])?$/.exec(reason)!;
  const [x, y] = (where ?? '').trim().split(/\s+/).map(Number);
  const named = x === undefined || y === undefined ? [] : placesAt(sent, x, y);
  // By numbers: a raw value of the request is never echoed.
  const place = named.length > 0 ? ` at ${named.join(' and ')} (counted from 0)` : '';
  return {
    description: `The area is not valid: ${what!.trim().toLowerCase()}${place}.`,
    hint: `${HINTS[what!.trim()] ?? 'Send a valid polygon (OGC simple features).'} Areas are never repaired here.`,
  };
}

/**
 * Judges areas that were read: validity by GEOS, then size. They are never repaired.
 * @param maxSquareKm of one area.
 * @param sent the one area as the caller wrote it, where it was brought into another form: faults are told by its numbers.
 * @returns the areas ready to be asked about parcels, or all that is wrong with them.
 */
export async function judgeAreas(
  areas: readonly AreaTest[],
  maxSquareKm: number,
  sent?: Geometry,
): Promise<{ readonly issues: readonly Issue[]; readonly prepared: readonly PreparedTest[] }> {
  const issues: Issue[] = [];
  const prepared: PreparedTest[] = [];
  for (const test of areas) {
    const verdict = await judged(test, maxSquareKm, sent ?? test.geometry);
    if ('issue' in verdict) issues.push({ path: test.path, ...verdict.issue });
    else prepared.push({ op: test.op, area: verdict.area });
  }
  return { issues, prepared };
}
