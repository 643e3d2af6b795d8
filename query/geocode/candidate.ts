import { distance } from '../geometry/geodesic.ts';
import { DIRECTION_NAMES, directionalOf } from './address/directional.ts';
import { ordinalsNear } from './address/ordinal.ts';
import { COST, editCost, editsFor, isSaid, streetCost } from './address/similarity.ts';
import { type Street, streetOf } from './address/street.ts';
import { suffixesNear, suffixNameOf } from './address/suffix.ts';
import type { AddressIndex } from './index/address-index.ts';
import { midpointOf } from './intersection.ts';

/** Where more than this is lost, rounded to thousandths, nothing can make it an answer of 0.8. */
export const MOST_COST = 0.2005;
/** A street whose name costs no more than this is the street that was asked for. */
export const SAME_STREET = 0.01;
/** Streets whose middles are this near one another are of one town: metres. */
export const SAME_TOWN_M = 10_000;

/**
 * Names in words that most towns of the country have, as the Census Bureau counted them (the streets with the most common names,
 * 1993; ordinals are kept as numbers): HILL ST is no slip for MILL ST.
 */
const COMMON_NAMES = new Set([
  'PARK',
  'MAIN',
  'OAK',
  'PINE',
  'MAPLE',
  'CEDAR',
  'ELM',
  'VIEW',
  'WASHINGTON',
  'LAKE',
  'HILL',
]);

/** A street of an index that may be meant, what the difference of its name costs, and whether it is the one that was said. */
export type Candidate = readonly [id: number, cost: number, said: boolean];

/** A street that is called by a directional, as one of that directional which is called as its type is: SOUTH PARK. */
function bareOf({ name }: Street, type: string): Street {
  const named = streetOf([name, type, 'ST']);
  return { ...named, suffix: null, whole: DIRECTION_NAMES[named.pre!] + named.key };
}

/** A street whose type is read as the last word of its name. */
function withoutType({ name, pre, post, suffix }: Street): Street {
  const { name: all, key } = streetOf([...name.split(' '), suffixNameOf(suffix!)!, 'ST']);
  const ends = (direction: string | null) => (direction ? DIRECTION_NAMES[direction]! : '');
  return { ...streetOf([all]), name: all, key, pre, post, suffix: null, whole: `${ends(pre)}${key}${ends(post)}` };
}

/** Streets of an index that may be meant, by what their names cost. */
export function candidates(index: AddressIndex, street: Street, mistyped: boolean): Candidate[] {
  const seen = new Set<number>();
  const meant: Candidate[] = [];
  const judge = (ids: Iterable<number>, wanted = street, lost = 0) => {
    for (const id of ids) {
      if (wanted === street) {
        if (seen.has(id)) continue;
        seen.add(id);
      }
      const own = index.entry(id).street;
      const cost = lost + streetCost(wanted, own);
      if (cost <= MOST_COST) meant.push([id, cost, lost === 0 && isSaid(wanted, own)]);
    }
  };
  const { key, whole, highway, pre, suffix, post } = street;
  if (!mistyped) {
    judge(index.keys.exact(key));
    judge(index.wholes.exact(whole));
    judge(index.keys.exact(whole));
    // SOUTH PARK may be S PARK ST whose type is lacking.
    const other =
      suffix !== null && directionalOf(street.name) !== null && !pre && !post ? bareOf(street, suffix) : null;
    if (other) judge(index.keys.exact(other.key), other);
    // RHODE ISLAND NE may be RHODE ISLAND AVE NE: the last word of a name is a type too.
    const named = suffix !== null && (pre || post) && !meant.some(([, , said]) => said) ? withoutType(street) : null;
    if (named) judge(index.keys.exact(named.key), named);
    if (highway?.class === 'any')
      for (const other of ['us', 'state', 'county', 'interstate', 'farm', 'ranch', 'township'])
        judge(index.keys.exact(`${other} ${highway.number}`));
    else if (highway) judge(index.keys.exact(`any ${highway.number}`));
    // Beside STATE ST, STATE STREET AVE is called by its own name alone.
    const isThere = meant.some(([id]) => index.entry(id).street.whole === whole);
    const isOther = (own: Street) => isThere && own.key === whole && own.whole !== whole;
    return meant.map(([id, cost, said]) => [id, cost, said && !isOther(index.entry(id).street)] as const);
  }
  if (highway) return meant;
  // Streets named by ordinals are kept as numbers, which no edit leads to.
  const words = street.name.split(' ');
  for (const [i, word] of words.entries())
    for (const n of ordinalsNear(word)) {
      const other = streetOf([...words.with(i, String(n)), 'ST']);
      judge(index.keys.exact(other.key), { ...other, pre, suffix, post }, editCost(1, word.length));
    }
  const last = words.at(-1)!;
  if (suffix === null && words.length > 1)
    for (const near of suffixesNear(last)) {
      const other = streetOf([...words.slice(0, -1), near]);
      // LONGVIEW FROST is no slip for LONGVIEW FRST where that would be one for LONGVIEW DR.
      const ids = index.keys.exact(other.key).filter(id => index.entry(id).street.suffix === other.suffix);
      judge(ids, { ...other, pre, post }, COST.suffixMistyped);
    }
  if (COMMON_NAMES.has(key)) return meant;
  judge(index.keys.near(key, editsFor(key.length)));
  if (whole !== key || suffix === null) judge(index.wholes.near(whole, Math.min(2, editsFor(whole.length))));
  return meant;
}

/** The streets that may be meant but for those that another of their town is rather: W BROADWAY is not BROADWAY beside that. */
export function likelier(index: AddressIndex, { pre, post }: Street, all: readonly Candidate[]): readonly Candidate[] {
  const streetAt = ([id]: Candidate) => index.entry(id).street;
  const isPlain = (one: Candidate) => one[2] || (streetAt(one).pre === pre && streetAt(one).post === post);
  const plain = all.filter(isPlain);
  if (!plain.length || plain.length === all.length) return all;
  const centreOf = ([id]: Candidate) => midpointOf(index.segmentsOf(id));
  return all.filter(one => {
    if (isPlain(one)) return true;
    const place = centreOf(one);
    const isNear = (other: [number, number] | null) => place && other && distance(...place, ...other) <= SAME_TOWN_M;
    return !plain.some(other => (other[2] || streetAt(other).key === streetAt(one).key) && isNear(centreOf(other)));
  });
}

/** A place whose every street lies in a quadrant. */
const QUARTERED = 'DC';

/**
 * The streets that may be meant where every street lies in a quadrant and the address names none: each of them is as likely, and a row
 * that lacks it is no street of its own.
 * @param state two letters; null where it is not told.
 */
export function inAnyQuadrant(
  index: AddressIndex,
  wanted: Street,
  all: readonly Candidate[],
  state: string | null,
): readonly Candidate[] {
  if (state !== QUARTERED || wanted.pre || wanted.post || wanted.highway) return all;
  return all.map(([id, cost, said]): Candidate => {
    const own = index.entry(id).street;
    return own.post === null
      ? [id, cost + COST.directionalMissing, said]
      : [id, cost, said || isSaid(wanted, { ...own, post: null })];
  });
}
