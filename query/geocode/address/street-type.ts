import { distance } from '../../geometry/geodesic.ts';
import { centre, chosen, type Search } from '../hit.ts';
import { addressIndex } from '../index/address-partition.ts';
import type { Localised } from '../localise.ts';
import { cityCost } from './city.ts';
import { PLAIN } from './crossing.ts';
import type { Street } from './street.ts';

/** Streets of one name this near one another lie in one city, where nothing names it: metres. */
const ONE_CITY_M = 10_000;

/** Whether a street was asked for by another type than the one that was found: HILL CIR for HILL ST. */
const isOtherType = (wanted: Street, found: Street): boolean =>
  wanted.suffix !== null && found.suffix !== null && wanted.suffix !== found.suffix && wanted.whole !== found.whole;

/**
 * Whether the middle of a street answers for one that was asked for without a number: nothing else says that HAMMOND UNION is
 * a slip for HAMMOND ST, nor that BROADWAY PARK is BROADWAY, as BROADWAY ST is.
 */
const answersAlone = (wanted: Street, found: Street): boolean =>
  !isOtherType(wanted, found) &&
  (found.suffix !== null || wanted.suffix === null || PLAIN.test(wanted.suffix) || wanted.whole === found.whole);

/** The types under which a name stands in the city of a hit, in any layer, with numbers or without; two are enough. */
async function typesOf(search: Search, key: string, { hit, city }: Localised): Promise<Set<string>> {
  const { layers, located, check } = search;
  const types = new Set<string>();
  const { lng, lat } = hit.house;
  for (const part of await chosen(search, located.state, located.readings)) {
    const index = await addressIndex(layers, part, check);
    for (const id of index.keys.exact(key)) {
      const entry = index.entry(id);
      const { suffix } = entry.street;
      if (suffix === null || types.has(suffix)) continue;
      const named = entry.city !== null && city !== null;
      const [house] = named ? [] : centre(index, id);
      const isNear = named
        ? cityCost(entry.city, city) !== null
        : house !== undefined && distance(lng, lat, house.lng, house.lat) <= ONE_CITY_M;
      if (isNear) types.add(suffix);
      if (types.size > 1) return types;
    }
  }
  return types;
}

/**
 * Leaves out hits on a street of another type than was asked for, unless the city has the name under that one type
 * alone: HILL CIR may be a slip for HILL ST only where there is neither a Hill Circle nor a third Hill. Of mistyped names
 * it leaves out those where the city has the name that was asked for, of whatever type: HUDSON AVE is no slip for HUSSON AVE
 * beside HUDSON ST.
 */
export async function ofStreetType(search: Search, found: readonly Localised[]): Promise<Localised[]> {
  const memo = new Map<string, Promise<Set<string>>>();
  const kept: Localised[] = [];
  for (const one of found) {
    const { reading, entry, cross } = one.hit;
    /** Names, and how many types of each the city may have. */
    const names: (readonly [key: string, most: number])[] = [];
    for (const [wanted, street] of [
      [reading.street, entry.street],
      [reading.cross, cross?.street],
    ] as const) {
      if (!wanted || !street) continue;
      if (isOtherType(wanted, street)) names.push([street.key, 1]);
      if (search.mistyped && wanted.key !== street.key) names.push([wanted.key, 0]);
    }
    let meant =
      reading.number !== null || cross !== null || !reading.street || answersAlone(reading.street, entry.street);
    for (const [key, most] of names) {
      const id = `${key}|${one.city}|${one.city === null ? one.hit.line : ''}`;
      const types = memo.get(id) ?? typesOf(search, key, one);
      memo.set(id, types);
      if ((await types).size > most) meant = false;
    }
    if (meant) kept.push(one);
  }
  return kept;
}
