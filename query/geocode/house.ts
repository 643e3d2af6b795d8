import { distance } from '../geometry/geodesic.ts';
import { along } from '../geometry/polyline.ts';
import {
  type HouseNumber,
  holds,
  lettersIn,
  lettersOf,
  numberAt,
  plainNumber,
  writtenNumber,
} from './address/house-number.ts';
import { dropsHyphens, type Hyphen, type Whereabouts } from './address/number/hyphen.ts';
import { REAR } from './address/number/rear.ts';
import { COST } from './address/similarity.ts';
import type { IndexedPoint, IndexedSegment } from './index/address-index.ts';
import { POINT_KINDS } from './index/address-row.ts';
import type { AddressMatch } from './match.ts';

/** A place on a street where a house number may lie. */
export interface House {
  readonly lng: number;
  readonly lat: number;
  readonly accuracyType: AddressMatch['accuracyType'];
  readonly matchType: string | null;
  /** The number that was matched, as it is written; empty for the middle of a street. */
  readonly number: string;
  readonly zip: string | null;
  readonly cost: number;
  /**
   * Of a number that can be read as either of two, how many digits this one has: 5-12, where the other part would be its unit, or 7L,
   * whose letter may be a digit.
   */
  readonly part?: number;
  /** Of a number with a hyphen, which of its parts it stands for: two houses of two parts are two places. */
  readonly end?: number;
  /** Whether it is meant only if its last digit was written as a letter that looks little like it: 78 of 7B, beside a house 7. */
  readonly isDoubtful?: boolean;
  /** Of a street that has not the number: what the number is compared by, and the points of the street. */
  readonly unknown?: { readonly value: number; readonly points: () => readonly IndexedPoint[] };
}

/** Points of one number within this many metres are one place: a building and its parcel. */
const SAME_PLACE_M = 250;
/** Two known numbers say where those between them lie when they are no further apart than this: metres, and numbers. */
const GAP_M = 200;
const GAP_NUMBERS = 24;

const typed = (point: IndexedPoint): Pick<House, 'accuracyType' | 'matchType'> =>
  point.kind === 'parcel_situs_unbuilt'
    ? { accuracyType: 'point', matchType: 'parcel_situs' }
    : { accuracyType: 'rooftop', matchType: point.kind };

/** The best point of each place among points of one number; a structure before a parcel. */
function places(points: readonly IndexedPoint[]): IndexedPoint[] {
  const ranked = [...points].sort((a, b) => POINT_KINDS.indexOf(a.kind) - POINT_KINDS.indexOf(b.kind));
  const kept: IndexedPoint[] = [];
  for (const point of ranked)
    if (!kept.some(k => distance(k.lng, k.lat, point.lng, point.lat) <= SAME_PLACE_M)) kept.push(point);
  return kept;
}

/** REAR is written R by many rolls; R may also be a letter like others, so that the very word comes first. */
const REAR_ALSO: Readonly<Record<string, string>> = { R: REAR, [REAR]: 'R' };

/** Whether a point is the number that was asked for, its letters aside. */
type Same = (point: IndexedPoint) => boolean;

/**
 * The points that carry the number, those that say it most exactly: itself, then a range that holds it (13-17 holds 13, 15
 * and 17; 12-18 holds 12-14).
 */
function carrying(points: readonly IndexedPoint[], number: HouseNumber, hyphens: boolean): readonly IndexedPoint[] {
  const { value, high } = number;
  const isIt: Same = p => p.value === value && p.high === high;
  const isIn: Same = p => p.high > p.value && holds(p, value) && holds(p, high);
  const letters = lettersIn(number);
  const withLetters = (same: Same, wanted: string) => points.filter(p => p.suffix === wanted && same(p));
  for (const same of [isIt, isIn])
    for (const wanted of [letters, REAR_ALSO[letters]]) {
      const found = wanted === undefined ? [] : withLetters(same, wanted);
      if (found.length) return found;
    }
  // 3716 is 37-16 where files leave hyphens out, and nowhere else.
  if (!hyphens || (number.grid !== '' && !number.grid.endsWith('-'))) return [];
  return points.filter(p => {
    const { grid, suffix } = lettersOf(p.suffix);
    return isIt(p) && suffix === number.suffix && (grid === '' || grid.endsWith('-')) && grid !== number.grid;
  });
}

/** The houses that a hyphen may name: the other part is then the unit. */
const partsOf = ({ first, second }: Hyphen) => [plainNumber(Number(first)), plainNumber(Number(second))];

/** Two known numbers this near one another are one house; row houses are four apart: metres. */
export const ONE_HOUSE_M = 2;
/** Houses of two readings of a number further apart than this are two places: metres. */
export const ENDS_M = 160;

/**
 * The structures that stand for a number that no file has as such: 12 for 12B, 12A for 12, 12 or 14 for 12-14, and for a
 * hyphen that makes no range (5-2519) the house of either part, the other being its unit. A part that is known exactly comes
 * before one that is known with another suffix. Parts that are known at two places are both: nobody can tell which is meant.
 * @returns each with the part that it stands for.
 */
function beside(
  points: readonly IndexedPoint[],
  number: HouseNumber,
  hyphens: boolean,
): { readonly end: number; readonly place: IndexedPoint }[] {
  const { grid, hyphen, value, high } = number;
  const ofHyphen = grid.endsWith('-');
  const parts = ofHyphen && !hyphens ? partsOf(hyphen!).map(part => part.value) : [value, high];
  const ofParts = [...new Set(parts)].map(one => {
    const near = points.filter(p => {
      const own = lettersOf(p.suffix).grid;
      // In Queens 37- is a block: 37-16 is 3716, and 37 is no neighbour of it.
      if (own.endsWith('-')) return hyphens ? p.value === one : Number.parseInt(own, 10) === one;
      return own === (ofHyphen ? '' : grid) && holds(p, one);
    });
    const exactly = near.filter(p => p.suffix === '');
    return { end: one, isExact: exactly.length > 0, place: places(exactly.length ? exactly : near)[0] };
  });
  const exact = ofParts.some(({ isExact }) => isExact);
  return ofParts.flatMap(({ end, isExact, place }) => (place && isExact === exact ? [{ end, place }] : []));
}

function exact(points: readonly IndexedPoint[], number: HouseNumber, hyphens: boolean): House[] {
  const found = (p: IndexedPoint) => ({
    ...typed(p),
    lng: p.lng,
    lat: p.lat,
    number: writtenNumber(p.value, p.high, p.suffix),
    zip: null,
    cost: 0,
  });
  const carriers = places(carrying(points, number, hyphens));
  if (carriers.length) return carriers.map(found);
  // Of 7L nobody can tell whether it is the house 7 or 71 with a letter for its last digit.
  const { misread } = number;
  const others = misread === null ? [] : carrying(points, plainNumber(misread.value), hyphens);
  const doubt = misread?.isLikely ? {} : { isDoubtful: true };
  const part = ({ value }: IndexedPoint) => (misread?.isLikely ? { part: String(value).length } : {});
  return [
    ...places(others).map(place => ({ ...found(place), ...part(place), ...doubt, cost: COST.numberSuffix })),
    ...beside(points, number, hyphens).map(({ end, place: next }) => ({
      ...found(next),
      ...part(next),
      ...((number.high > number.value || number.hyphen !== null) && { end }),
      accuracyType: next.kind === 'parcel_situs_unbuilt' ? ('point' as const) : ('nearest_rooftop_match' as const),
      cost: COST.numberSuffix,
    })),
  ];
}

/** An estimated number is that of the range, without what stands behind it. */
const estimated = ({ value, grid }: HouseNumber) => writtenNumber(value, value, grid ? `${grid}/` : '');

/** Where a number lies between the ends of the ranges that hold it (linear along the line, as TIGER ranges are meant). */
function inRanges(segments: readonly IndexedSegment[], number: HouseNumber): House[] {
  const { value } = number;
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
        number: estimated(number),
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
function betweenPoints(points: readonly IndexedPoint[], number: HouseNumber): House[] {
  const { value, grid } = number;
  const side = points.filter(p => p.suffix === (grid ? `${grid}/` : '') && p.value % 2 === value % 2);
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
      number: estimated(number),
      zip: null,
      cost: COST.betweenPoints,
    },
  ];
}

/**
 * The longer part of a number with a hyphen where nothing speaks for it and the street has numbers of as many digits: of 4-2220 nobody
 * can tell that 2220 is a unit. It answers nothing, and keeps a house of the shorter part elsewhere from answering.
 */
function unknownPart(
  houses: readonly House[],
  parts: readonly HouseNumber[],
  points: readonly IndexedPoint[],
): House[] {
  const [longer, shorter] = parts.toSorted((a, b) => b.text.length - a.text.length);
  if (longer!.text.length === shorter!.text.length || houses.some(house => house.number === longer!.text)) return [];
  const alike = points.findLast(point => String(point.value).length >= longer!.text.length);
  if (!alike) return [];
  const { lng, lat } = alike;
  const unknown = { value: longer!.value, points: () => points };
  const where = { lng, lat, accuracyType: 'street_center', matchType: null, number: '', zip: null } as const;
  return [{ ...where, cost: COST.numberUnknown, part: longer!.text.length, unknown }];
}

/**
 * Where a house number lies on a street: a known structure, else an estimate from ranges, else from the numbers around
 * it. A number that nothing speaks for gives nothing.
 * @param pointsOf the street, ascending by value; those of the very number alone where it has that.
 * @param segments of the street, read only where no point has the number.
 * @param written the number as its text reads.
 * @param where the street lies: it says what a hyphen means.
 * @param most that a house may cost; an estimate that costs more is not worked out.
 */
export function housesAt(
  pointsOf: (very: Pick<IndexedPoint, 'value' | 'high' | 'suffix'>) => readonly IndexedPoint[],
  segments: () => readonly IndexedSegment[],
  written: HouseNumber,
  where: Whereabouts,
  most = Number.POSITIVE_INFINITY,
): House[] {
  const number = numberAt(written, where);
  const hyphens = dropsHyphens(where);
  const points = pointsOf({ value: number.value, high: number.high, suffix: lettersIn(number) });
  const estimate = (one: HouseNumber) => {
    if (COST.range > most) return [];
    const ranged = inRanges(segments(), one);
    return ranged.length ? ranged : betweenPoints(points, one);
  };
  const found = exact(points, number, hyphens);
  // Ranges count whole numbers: a grid's letters are no part of them, and 8-3 is one only where files leave hyphens out.
  const parts = number.grid.endsWith('-') && !hyphens && found[0]?.cost !== 0 ? partsOf(number.hyphen!) : [];
  if (parts.length) {
    const houses = found.map(house => ({ ...house, part: house.number.length }));
    const others = parts.filter(part => !found.some(house => house.number === part.text));
    const estimates = others.flatMap(part => estimate(part).map(house => ({ ...house, part: part.text.length })));
    return [
      ...houses,
      ...estimates.map(house => ({ ...house, cost: house.cost + COST.numberSuffix })),
      ...unknownPart([...houses, ...estimates], parts, points),
    ];
  }
  if (found.some(house => !house.isDoubtful)) return found;
  return number.grid && !hyphens ? found : [...found, ...estimate(number)];
}

/** Numbers that are shown for one that is not known. */
const MOST_NUMBERS = 3;

/** The known numbers that are nearest to a value, as they are written, ascending. */
export function numbersNear(value: number, points: readonly IndexedPoint[]): string[] {
  const values = new Map(points.map(point => [writtenNumber(point.value, point.high, point.suffix), point.value]));
  return [...values]
    .sort(([, a], [, b]) => Math.abs(a - value) - Math.abs(b - value))
    .slice(0, MOST_NUMBERS)
    .sort(([, a], [, b]) => a - b)
    .map(([text]) => text);
}
