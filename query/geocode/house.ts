import { distance } from '../geodesic.ts';
import type { IndexedPoint, IndexedSegment } from './address-index.ts';
import { POINT_KINDS } from './address-row.ts';
import type { HouseNumber } from './house-number.ts';
import type { AddressMatch } from './match.ts';
import { along } from './polyline.ts';
import { COST } from './similarity.ts';

/** A place on a street that a house number may mean. */
export interface House {
  readonly lng: number;
  readonly lat: number;
  readonly accuracyType: AddressMatch['accuracyType'];
  readonly matchType: string | null;
  /** The number that was matched, as it is written; empty for the middle of a street. */
  readonly number: string;
  readonly zip: string | null;
  readonly cost: number;
}

/** Points of one number within this many metres are one place: a building and its parcel. */
export const SAME_PLACE_M = 250;
/** Two known numbers say where those between them lie when they are no further apart than this: metres, and numbers. */
const GAP_M = 200;
const GAP_NUMBERS = 24;

/** A house number in the ways it may be stored, with what each costs: `37-16` also as 3716, `413-419` as 413. */
function spellings(number: HouseNumber): { value: number; suffix: string; cost: number }[] {
  const letters = number.grid ? `${number.grid}/${number.suffix}` : number.suffix;
  const list = [{ value: number.value, suffix: letters, cost: 0 }];
  const hyphened = /^(\d+)-(\d+)$/.exec(number.text);
  if (hyphened) {
    if (number.high === number.value) list.push({ value: Number(hyphened[1]), suffix: letters, cost: 0.02 });
    // #207-1104: unit before house number.
    list.push({ value: Number(hyphened[2]), suffix: letters, cost: 0.05 });
  }
  return list;
}

const typed = (point: IndexedPoint): Pick<House, 'accuracyType' | 'matchType'> =>
  point.kind === 'parcel_situs_unbuilt'
    ? { accuracyType: 'point', matchType: 'parcel_situs' }
    : { accuracyType: 'rooftop', matchType: point.kind };

const written = (value: number, suffix: string): string => {
  const [grid, rest] = suffix.includes('/') && /^[NSEW]/.test(suffix) ? suffix.split('/') : ['', suffix];
  return `${grid}${value}${rest && /^\d|^REAR/.test(rest) ? ` ${rest}` : rest}`;
};

/** The best point of each place among points of one number; a structure before a parcel. */
function places(points: readonly IndexedPoint[]): IndexedPoint[] {
  const ranked = [...points].sort((a, b) => POINT_KINDS.indexOf(a.kind) - POINT_KINDS.indexOf(b.kind));
  const kept: IndexedPoint[] = [];
  for (const point of ranked)
    if (!kept.some(k => distance(k.lng, k.lat, point.lng, point.lat) <= SAME_PLACE_M)) kept.push(point);
  return kept;
}

function exact(points: readonly IndexedPoint[], number: HouseNumber): House[] {
  for (const { value, suffix, cost } of spellings(number)) {
    const same = points.filter(p => p.value === value && p.suffix === suffix);
    const within = same.length
      ? same
      : points.filter(p => p.suffix === suffix && p.value < value && value <= p.high && (value - p.value) % 2 === 0);
    if (within.length)
      return places(within).map(p => ({
        ...typed(p),
        lng: p.lng,
        lat: p.lat,
        number: written(value, suffix),
        zip: null,
        cost,
      }));
  }
  // 12B where only 12 is known, 12 where only 12A is: the structure next to it.
  const letters = number.grid ? `${number.grid}/` : '';
  const beside = points.filter(
    p =>
      p.value === number.value &&
      p.suffix.startsWith(letters) &&
      (number.grid || !/^[NSEW]\d*[NSEW]?\//.test(p.suffix)),
  );
  return places(beside)
    .slice(0, 1)
    .map(p => ({
      ...typed(p),
      accuracyType: p.kind === 'parcel_situs_unbuilt' ? 'point' : 'nearest_rooftop_match',
      lng: p.lng,
      lat: p.lat,
      number: written(p.value, p.suffix),
      zip: null,
      cost: COST.numberSuffix,
    }));
}

/** Where a number lies between the ends of the ranges that hold it (linear along the line, as TIGER ranges are meant). */
function inRanges(segments: readonly IndexedSegment[], { value }: HouseNumber): House[] {
  const houses: House[] = [];
  for (const segment of segments)
    for (const [side, zip] of [
      [segment.left, segment.zipLeft],
      [segment.right, segment.zipRight],
    ] as const) {
      const [from, to] = side;
      const [low, high] = from < to ? [from, to] : [to, from];
      if (low <= 0 || value < low || value > high) continue;
      const parity = from % 2 === to % 2;
      const share = from === to ? 0.5 : (value - from) / (to - from);
      const [lng, lat] = along(segment.xy, share);
      const cost = parity && value % 2 !== from % 2 ? COST.rangeOtherSide : COST.range;
      houses.push({
        lng,
        lat,
        accuracyType: 'range_interpolation',
        matchType: 'street_range',
        number: String(value),
        zip,
        cost,
      });
    }
  houses.sort((a, b) => a.cost - b.cost);
  const kept: House[] = [];
  for (const house of houses)
    if (!kept.some(k => distance(k.lng, k.lat, house.lng, house.lat) <= SAME_PLACE_M)) kept.push(house);
  return kept.filter(house => house.cost === kept[0]!.cost);
}

/** Between the two nearest known numbers of the same side, where they are near one another. */
function betweenPoints(points: readonly IndexedPoint[], { value }: HouseNumber): House[] {
  const side = points.filter(p => p.suffix === '' && p.value % 2 === value % 2);
  const below = side.findLast(p => p.value < value);
  const above = side.find(p => p.value > value);
  if (!below || !above || above.value - below.value > GAP_NUMBERS) return [];
  if (distance(below.lng, below.lat, above.lng, above.lat) > GAP_M) return [];
  const share = (value - below.value) / (above.value - below.value);
  return [
    {
      lng: below.lng + share * (above.lng - below.lng),
      lat: below.lat + share * (above.lat - below.lat),
      accuracyType: 'range_interpolation',
      matchType: 'between_address_points',
      number: String(value),
      zip: null,
      cost: COST.betweenPoints,
    },
  ];
}

/**
 * Where a house number lies on a street: a known structure, else an estimate from ranges, else from the numbers around
 * it. A number that nothing speaks for gives nothing.
 * @param points of the street, ascending by value.
 */
export function housesAt(
  points: readonly IndexedPoint[],
  segments: readonly IndexedSegment[],
  number: HouseNumber,
): House[] {
  const found = exact(points, number);
  if (found.length) return found;
  // Ranges count whole numbers; a grid's letters are no part of them.
  if (number.grid) return [];
  const ranged = inRanges(segments, number);
  return ranged.length ? ranged : betweenPoints(points, number);
}
