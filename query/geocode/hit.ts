import type { Box } from '../../datasets/geometry.ts';
import type { Partition } from '../../datasets/release.ts';
import { distance } from '../geometry/geodesic.ts';
import type { Layers } from '../release/layers.ts';
import type { LocatedReadings, ParsedAddress } from './address/address.ts';
import type { HouseNumber } from './address/house-number.ts';
import type { Whereabouts } from './address/number/hyphen.ts';
import { lacksNumber, type Reading } from './address/reading.ts';
import { COST } from './address/similarity.ts';
import { type Street, streetText } from './address/street.ts';
import {
  type Candidate,
  candidates,
  inAnyQuadrant,
  likelier,
  MOST_COST,
  SAME_STREET,
  SAME_TOWN_M,
} from './candidate.ts';
import { type House, housesAt } from './house.ts';
import type { AddressIndex } from './index/address-index.ts';
import type { StreetEntry } from './index/address-index-format.ts';
import { type AddressPartition, addressIndex } from './index/address-partition.ts';
import { junctions, midpointOf } from './intersection.ts';
import type { Localities } from './locality.ts';

/** A place found for one reading of an address, before its city and ZIP code are compared. */
export interface Hit {
  readonly reading: Reading;
  readonly house: House;
  /** Number and street as they were matched, or both streets of an intersection. */
  readonly line: string;
  readonly entry: StreetEntry;
  /** The other street of an intersection. */
  readonly cross: StreetEntry | null;
  readonly partition: Partition;
  /** Dataset of the partition. */
  readonly dataset: string;
  /** Two letters; null where the partition does not tell. */
  readonly state: string | null;
  readonly county: string | null;
  /** Lost on the name of the street alone. */
  readonly streetCost: number;
  /** Whether it is the street that was asked for, or both are, but for a type that is lacking. */
  readonly said: boolean;
  /** Lost on street, number and reading. */
  readonly cost: number;
  /** The state that the address or its ZIP code tells; an answer lies in no other. */
  readonly wanted: string | null;
}

export interface Search {
  readonly layers: Layers;
  readonly localities: Localities;
  readonly partitions: readonly AddressPartition[];
  readonly parsed: ParsedAddress;
  /** The state that is searched, with its readings. */
  readonly located: LocatedReadings;
  /** Look for mistyped street names, and only for these. */
  readonly mistyped: boolean;
  readonly check: () => void;
}

/** Without any state only a release of few partitions is searched whole. */
export const MOST_PARTITIONS = 64;
/** Postal cities reach beyond the place they are named after: degrees around its box. */
const AROUND = 0.25;

const overlap = (a: Box, b: Box, by: number) =>
  a[0] - by <= b[2] && b[0] - by <= a[2] && a[1] - by <= b[3] && b[1] - by <= a[3];

/** The partitions worth opening: those of the state, around the named city or ZIP code where the release knows them. */
export async function chosen(
  { partitions, parsed, localities }: Search,
  state: string | null,
  readings: readonly Reading[],
) {
  const ofState = partitions.filter(p => state === null || p.state === null || p.state === state);
  // Without a state the city may lie in several, also in those whose places the release does not know.
  if (ofState.length <= MOST_PARTITIONS) return ofState;
  const boxes: Box[] = [];
  if (parsed.zip) for (const area of await localities.named('zcta520', parsed.zip, null)) boxes.push(area.box);
  for (const city of new Set(readings.map(r => r.city)))
    if (city) for (const area of await localities.named('place', city, state, true)) boxes.push(area.box);
  const near = ofState.filter(({ partition: { box } }) => box && boxes.some(b => overlap(b, box, AROUND)));
  if (near.length) return near.slice(0, 4 * MOST_PARTITIONS);
  // Nothing tells where: files of whole states can still be asked.
  return ofState.filter(p => !p.partition.key.includes('/')).slice(0, MOST_PARTITIONS);
}

/** The middle of a street, of its line or of its houses; empty where it has neither. */
export function centre(index: AddressIndex, id: number): House[] {
  const points = index.placesOf(id);
  const lines = index.segmentsOf(id);
  const place = midpointOf(lines) ?? (points.length ? midpoint(points) : null);
  if (!place) return [];
  const [lng, lat] = place;
  // A street's line knows its middle better than its houses do.
  const cost = points.length && !lines.length ? COST.centreOfPoints : 0;
  return [{ lng, lat, accuracyType: 'street_center', matchType: null, number: '', zip: null, cost }];
}

/** The known number in the middle of those of a street. */
function midpoint(points: readonly { readonly lng: number; readonly lat: number }[]): [number, number] {
  const { lng, lat } = points[points.length >> 1]!;
  return [lng, lat];
}

/** The junctions of two streets; where the streets that were said are known and have none, the middle of the first, which answers nothing. */
function* intersections(index: AddressIndex, first: readonly Candidate[], second: readonly Candidate[]) {
  for (const [id, cost, firstSaid] of first) {
    const lines = index.segmentsOf(id);
    if (!lines.length) continue;
    for (const [other, otherCost, otherSaid] of second) {
      if (other === id) continue;
      const line = `${streetText(index.entry(id).street)} & ${streetText(index.entry(other).street)}`;
      const others = index.segmentsOf(other);
      const said = firstSaid && otherSaid;
      const where = { accuracyType: 'intersection', matchType: null, number: '', zip: null, cost: 0 } as const;
      const found: House[] = junctions(lines, others).map(([lng, lat]) => ({ ...where, lng, lat }));
      const [a, b] = found.length || !said ? [] : [midpointOf(lines), midpointOf(others)];
      // HAMMOND ST & BROADWAY is not the crossing with W BROADWAY where a town has both.
      if (a && b && distance(...a, ...b) <= SAME_TOWN_M)
        found.push(...centre(index, id).map(house => ({ ...house, cost: COST.numberUnknown })));
      for (const house of found) yield { id, other, house, line, said, cost: cost + otherCost };
    }
  }
}

/**
 * The houses of a number on each street, or the middle of each without one.
 * @param most that a house may cost; null where nothing is known that other houses are held against.
 */
function* houses(
  index: AddressIndex,
  streets: readonly Candidate[],
  number: HouseNumber | null,
  where: Pick<Whereabouts, 'state' | 'county' | 'zip'>,
  most: number | null,
) {
  for (const [id, cost, said] of streets) {
    const { street, zip, city } = index.entry(id);
    const at = { ...where, zip: zip ?? where.zip, city };
    const found = number
      ? housesAt(
          very => index.pointsOf(id, very),
          () => index.segmentsOf(id),
          number,
          at,
          most ?? undefined,
        )
      : centre(index, id);
    // The street that was said without the number: it answers nothing, and keeps streets of like names from answering.
    if (number && !found.length && said && most === null) {
      const unknown = { value: number.value, points: () => index.pointsOf(id) };
      found.push(...centre(index, id).map(house => ({ ...house, cost: COST.numberUnknown, unknown })));
    }
    const name = streetText(street);
    for (const house of found)
      yield { id, other: null, house, line: [house.number, name].filter(Boolean).join(' '), said, cost };
  }
}

/**
 * Finds what each reading of an address may mean, in the partitions of the state it lies in.
 * @param most that a hit may cost beside what was found in the partitions before; null where that answers nothing.
 * @returns the hits of each partition.
 */
export async function* findHits(search: Search, most: () => number | null): AsyncGenerator<Hit[]> {
  const { layers, located, parsed, mistyped, check } = search;
  const { state, readings } = located;
  for (const part of await chosen(search, state, readings)) {
    const index = await addressIndex(layers, part, check);
    const where = { ...part, state: part.state ?? state, zip: parsed.zip };
    const bound = most();
    const hits: Hit[] = [];
    // Readings differ in city or number more often than in their street.
    const memo = new Map<string, Candidate[]>();
    const meant = (street: Street, near: boolean): Candidate[] => {
      const key = `${street.pre}|${street.name}|${street.suffix}|${street.post}|${near}`;
      const list = memo.get(key) ?? candidates(index, street, near);
      memo.set(key, list);
      return list;
    };
    for (const reading of readings) {
      check();
      const { street, cross, number } = reading;
      if (!street) continue;
      // The middle of a street does not explain the digits of a unit: the number is not known.
      const lost = reading.strain + (lacksNumber(reading) ? COST.numberUnknown : 0);
      // The street that was said is kept whatever its number costs: no street of a like name answers for it.
      const isMeant = (said: boolean, all: number) => all <= (bound ?? MOST_COST) || (bound === null && said);
      // Of an intersection one street may be mistyped and the other not.
      const either = (one: Street) =>
        likelier(index, one, mistyped ? [...meant(one, false), ...meant(one, true)] : meant(one, false));
      const all = cross ? [] : inAnyQuadrant(index, street, meant(street, mistyped), where.state);
      const streets = all.filter(([, cost, said]) => isMeant(said, cost + lost));
      const found = cross
        ? intersections(index, either(street), either(cross))
        : houses(index, streets, number, where, bound);
      for (const { id, other, house, line, said, cost } of found) {
        // A number that no file has counts twice on a street that need not be the one that was asked for.
        const doubt = cost > SAME_STREET && house.accuracyType === 'range_interpolation' ? house.cost : 0;
        const all = cost + house.cost + doubt + lost;
        if (!isMeant(said, all)) continue;
        hits.push({
          reading,
          house,
          line,
          entry: index.entry(id),
          cross: other === null ? null : index.entry(other),
          partition: part.partition,
          dataset: part.source.dataset,
          state: part.state,
          county: part.county,
          streetCost: cost,
          said,
          cost: all,
          wanted: state,
        });
      }
    }
    yield hits;
  }
}
