import { cityCost, cityKey } from './address/city.ts';
import { COST } from './address/similarity.ts';
import { stateOfFips, stateOfZip } from './address/state.ts';
import { type Hit, MOST_PARTITIONS, type Search } from './hit.ts';
import { addressIndex } from './index/address-partition.ts';
import { Localities } from './locality.ts';
import { zipCityCost } from './zip-city.ts';

/** A hit with the city, ZIP code, county and state it lies in. */
export interface Localised {
  readonly hit: Hit;
  /** In capitals; null where nothing tells it. */
  readonly city: string | null;
  readonly zip: string | null;
  readonly county: string | null;
  readonly state: string | null;
  /** All that was lost; 1 less this is the similarity. */
  readonly cost: number;
}

/** A postal city names addresses this far beyond the limits of its place: metres. */
const BESIDE_M = 10_000;
/** The District of Columbia is one city: its code names the city too. */
export const ONE_CITY: Readonly<Record<string, string>> = { DC: 'WASHINGTON' };

/**
 * What a named city costs where the row names none and no place holds it, but the ZIP code agrees: nothing tells another
 * city, and yet the ZIP code need not be that city's.
 */
async function cityOfZipCost(
  wanted: string,
  { lng, lat }: Hit['house'],
  state: string | null,
  zip: string,
  search: Search,
): Promise<number> {
  const { localities } = search;
  const rows = await zipCityCost(search, zip, wanted);
  const beside = async () => {
    const areas = await localities.named('place', wanted, state, true);
    const near = areas.find(area => Localities.metresTo(area, lng, lat) <= BESIDE_M);
    return near ? cityCost(wanted, near.name) : null;
  };
  const cost = rows ?? (await beside());
  return cost === null ? COST.cityOtherZipAgrees : Math.min(COST.cityMissingZipAgrees + cost, COST.cityOtherZipAgrees);
}

/** Whether a place is spelled so that the layers and rows of the release know. */
async function isPlace(name: string, { localities, partitions, layers, check }: Search): Promise<boolean> {
  if ((await localities.named('place', name, null)).length > 0) return true;
  for (const part of partitions.slice(0, MOST_PARTITIONS))
    if ((await addressIndex(layers, part, check)).named.cities.has(cityKey(name))) return true;
  return false;
}

async function localityCost(
  hit: Hit,
  search: Search,
  { city, zip, state }: Pick<Localised, 'city' | 'zip' | 'state'>,
): Promise<number> {
  const { localities, parsed } = search;
  const cityWanted = hit.reading.city;
  const agrees = parsed.zip !== null && zip === parsed.zip;
  const differs = parsed.zip !== null && zip !== null && zip !== parsed.zip;
  let cost = parsed.zip !== null && stateOfZip(parsed.zip) !== state ? COST.zipOfOtherState : 0;
  if (cityWanted === null) {
    if (differs) return cost + COST.cityOther;
    if (agrees) return cost + COST.cityMissingZipAgrees;
    if (state !== null && hit.wanted !== null && ONE_CITY[state]) return cost + COST.cityMissingZipAgrees;
    if (parsed.zip !== null) {
      // A row without ZIP code is in one whose other rows name its city.
      const isOfZip = city !== null && (await zipCityCost(search, parsed.zip, city)) === 0;
      return cost + (isOfZip ? COST.cityMissingZipAgrees : COST.cityMissingZipUnknown);
    }
    if (hit.wanted !== null) return cost + COST.cityMissing;
    const { number, street, cross } = hit.reading;
    const bare = number === null && cross === null && !street?.suffix && !street?.highway;
    return cost + COST.cityAndStateMissing + (bare ? COST.bareName : 0);
  }
  if (differs) cost += parsed.zip!.slice(0, 3) === zip!.slice(0, 3) ? COST.zipOther : COST.zipFar;
  const { postal } = hit.entry;
  const own = [city, postal].flatMap(name => (name === null ? [] : (cityCost(cityWanted, name) ?? [])));
  const same = own.length > 0 ? Math.min(...own) : null;
  // Nor is the name of a place without a post office a slip, where the release knows it.
  if (same !== null && (same === 0 || !(await isPlace(cityWanted, search)))) return cost + same;
  if (agrees && city === null) return cost + (await cityOfZipCost(cityWanted, hit.house, state, zip!, search));
  if (agrees) return cost + COST.cityOtherZipAgrees;
  if (city !== null) return cost + COST.cityOther;
  const areas = await localities.named('place', cityWanted, state, true);
  if (!areas.length) return cost + COST.cityUnknown;
  const { lng, lat } = hit.house;
  const near = areas.find(area => Localities.metresTo(area, lng, lat) <= BESIDE_M);
  return cost + (near ? COST.cityBeside + (cityCost(cityWanted, near.name) ?? 0) : COST.cityOther);
}

/** Says in which city, ZIP code area and county a hit of a search lies, and what their difference from its address costs. */
export async function localise(hit: Hit, search: Search): Promise<Localised> {
  const { localities } = search;
  const { lng, lat } = hit.house;
  const county = hit.county ?? (await localities.countyAt(lng, lat));
  const state = hit.state ?? (county === null ? null : stateOfFips(county.slice(0, 2)));
  const city = hit.entry.city ?? (await localities.placeAt(lng, lat));
  const zip = hit.house.zip ?? hit.entry.zip ?? (await localities.zipAt(lng, lat));
  const where = { city, zip, county, state };
  return { hit, ...where, cost: hit.cost + (await localityCost(hit, search, where)) };
}
