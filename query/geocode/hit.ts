import type { Box } from '../../datasets/geometry.ts';
import type { Partition } from '../../datasets/release.ts';
import type { Layers } from '../layer.ts';
import type { ParsedAddress } from './address.ts';
import type { AddressIndex } from './address-index.ts';
import type { StreetEntry } from './address-index-format.ts';
import { type AddressPartition, addressIndex } from './address-partition.ts';
import { junctions, middleOf } from './crossing.ts';
import { type House, housesAt } from './house.ts';
import type { Localities } from './locality.ts';
import { ordinalsNear } from './ordinal.ts';
import type { Reading } from './reading.ts';
import { COST, editCost, editsFor, streetCost } from './similarity.ts';
import { type Street, streetOf, streetText } from './street.ts';
import { suffixesNear } from './suffix.ts';

/** A place found for one reading of an address, before its city and ZIP code are compared. */
export interface Hit {
  readonly reading: Reading;
  readonly house: House;
  /** Number and street as they were matched, or both streets of an intersection. */
  readonly line: string;
  readonly entry: StreetEntry;
  readonly partition: Partition;
  /** Two letters; null where the partition does not tell. */
  readonly state: string | null;
  readonly county: string | null;
  /** Lost on the name of the street alone. */
  readonly streetCost: number;
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
  /** Look for mistyped street names, and only for these. */
  readonly mistyped: boolean;
  readonly check: () => void;
}

/** More than this is lost on the street alone: no city can make it an answer. */
const MOST_COST = 0.3;
/** Streets whose names cost no more are the one that was asked for. */
export const SAME_STREET = 0.01;
/** Without any state only a release of few partitions is searched whole. */
const MOST_PARTITIONS = 64;
/** Postal cities reach beyond the place they are named after: degrees around its box. */
const AROUND = 0.25;

/** Streets of an index that may be meant, by what their names cost. */
function* candidates(index: AddressIndex, street: Street, mistyped: boolean): Generator<[id: number, cost: number]> {
  const seen = new Set<number>();
  const judge = function* (ids: Iterable<number>): Generator<[number, number]> {
    for (const id of ids) {
      if (seen.has(id)) continue;
      seen.add(id);
      const cost = streetCost(street, index.entry(id).street);
      if (cost <= MOST_COST) yield [id, cost];
    }
  };
  const { key, whole, highway } = street;
  if (!mistyped) {
    yield* judge(index.keys.exact(key));
    yield* judge(index.wholes.exact(whole));
    yield* judge(index.keys.exact(whole));
    if (highway?.class === 'any')
      for (const other of ['us', 'state', 'county', 'interstate', 'farm', 'ranch', 'township'])
        yield* judge(index.keys.exact(`${other} ${highway.number}`));
    else if (highway) yield* judge(index.keys.exact(`any ${highway.number}`));
    return;
  }
  if (highway) return;
  // Streets named by ordinals are kept as numbers, which no edit leads to.
  const words = street.name.split(' ');
  for (const [i, word] of words.entries())
    for (const n of ordinalsNear(word)) {
      const meant = words.with(i, String(n));
      const { pre, suffix, post } = street;
      for (const id of index.keys.exact(streetOf([...meant, 'ST']).key)) {
        const cost =
          editCost(1, word.length) +
          streetCost({ ...streetOf([...meant, 'ST']), pre, suffix, post }, index.entry(id).street);
        if (cost <= MOST_COST) yield [id, cost];
      }
    }
  const last = words.at(-1)!;
  if (street.suffix === null && words.length > 1)
    for (const suffix of suffixesNear(last)) {
      const meant = streetOf([...words.slice(0, -1), suffix]);
      for (const id of index.keys.exact(meant.key)) {
        const cost =
          COST.suffixMistyped + streetCost({ ...meant, pre: street.pre, post: street.post }, index.entry(id).street);
        if (cost <= MOST_COST) yield [id, cost];
      }
    }
  yield* judge(index.keys.near(key, editsFor(key.length)));
  if (whole !== key || street.suffix === null)
    yield* judge(index.wholes.near(whole, Math.min(2, editsFor(whole.length))));
}

const overlap = (a: Box, b: Box, by: number) =>
  a[0] - by <= b[2] && b[0] - by <= a[2] && a[1] - by <= b[3] && b[1] - by <= a[3];

/** The partitions worth opening: those of the state, around the named city or ZIP code where the release knows them. */
async function chosen({ partitions, parsed, localities }: Search, state: string | null, readings: readonly Reading[]) {
  const ofState = partitions.filter(p => state === null || p.state === null || p.state === state);
  if (ofState.length <= MOST_PARTITIONS && state !== null) return ofState;
  const boxes: Box[] = [];
  if (parsed.zip) for (const area of await localities.named('zcta520', parsed.zip, null)) boxes.push(area.box);
  for (const city of new Set(readings.map(r => r.city)))
    if (city) for (const area of await localities.named('place', city, state, true)) boxes.push(area.box);
  const near = ofState.filter(({ partition: { box } }) => box && boxes.some(b => overlap(b, box, AROUND)));
  if (near.length) return near.slice(0, 4 * MOST_PARTITIONS);
  // Nothing tells where: files of whole states can still be asked.
  return ofState.length <= MOST_PARTITIONS
    ? ofState
    : ofState.filter(p => !p.partition.key.includes('/')).slice(0, MOST_PARTITIONS);
}

function centre(index: AddressIndex, id: number): House[] {
  const points = index.pointsOf(id);
  const lines = index.segmentsOf(id);
  const middle = middleOf(lines) ?? (points.length ? middlePoint(points) : null);
  if (!middle) return [];
  const [lng, lat] = middle;
  // A street's line knows its middle better than its houses do.
  const cost = points.length && !lines.length ? COST.centreOfPoints : 0;
  return [{ lng, lat, accuracyType: 'street_center', matchType: null, number: '', zip: null, cost }];
}

/** The known number in the middle of those of a street. */
function middlePoint(points: readonly { readonly lng: number; readonly lat: number }[]): [number, number] {
  const { lng, lat } = points[points.length >> 1]!;
  return [lng, lat];
}

/** Finds what each reading of an address may mean, in the partitions of the state it lies in. */
export async function findHits(search: Search): Promise<Hit[]> {
  const { layers, parsed, mistyped, check } = search;
  const hits: Hit[] = [];
  for (const { state, readings } of parsed.located) {
    for (const part of await chosen(search, state, readings)) {
      check();
      const index = await addressIndex(layers, part, check);
      const made = (reading: Reading, entry: StreetEntry, house: House, line: string, cost: number): Hit => ({
        reading,
        house,
        line,
        entry,
        partition: part.partition,
        state: part.state,
        county: part.county,
        streetCost: cost,
        cost: cost + house.cost + reading.strain,
        wanted: state,
      });
      for (const reading of readings) {
        const { street, cross, number } = reading;
        if (!street) continue;
        for (const [id, cost] of candidates(index, street, mistyped)) {
          const entry = index.entry(id);
          const name = streetText(entry.street);
          if (cross) {
            const first = index.segmentsOf(id);
            if (!first.length) continue;
            const others = [...candidates(index, cross, false), ...(mistyped ? candidates(index, cross, true) : [])];
            for (const [other, otherCost] of others) {
              if (other === id) continue;
              const second = streetText(index.entry(other).street);
              for (const [lng, lat] of junctions(first, index.segmentsOf(other))) {
                const house: House = {
                  lng,
                  lat,
                  accuracyType: 'intersection',
                  matchType: null,
                  number: '',
                  zip: null,
                  cost: 0,
                };
                hits.push(made(reading, entry, house, `${name} & ${second}`, cost + otherCost));
              }
            }
          } else {
            const houses = number ? housesAt(index.pointsOf(id), index.segmentsOf(id), number) : centre(index, id);
            // The very street without the number: it answers nothing, and keeps streets of like names from answering.
            if (!houses.length && cost <= SAME_STREET)
              houses.push(...centre(index, id).map(house => ({ ...house, cost: COST.numberUnknown })));
            for (const house of houses)
              hits.push(made(reading, entry, house, [house.number, name].filter(Boolean).join(' '), cost));
          }
        }
      }
    }
  }
  return hits;
}
