import { countyFips } from '../../datasets/codes/county-fips.ts';
import { STATE_FIPS } from '../../datasets/codes/state-fips.ts';
import { cityCost, cityKey, isOtherZip, withoutKind } from './address/city.ts';
import { COST } from './address/similarity.ts';
import { stateOf, stateOfFips, stateOfZip } from './address/state.ts';
import { unitAt } from './address/unit.ts';
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

/** The county of a name in a state; null where it has none. */
function countyNamed(name: string, state: string | null): string | null {
  const fips = state === null ? undefined : STATE_FIPS[state as keyof typeof STATE_FIPS];
  return fips === undefined ? null : countyFips(state!, fips, withoutKind(name));
}

/** Whether an address names another county of the state than a place lies in. */
function isInOtherCounty({ parsed }: Search, { county, state }: Pick<Localised, 'county' | 'state'>): boolean {
  const named = parsed.county === null || county === null ? null : countyNamed(parsed.county, state);
  return named !== null && named !== county;
}

/** Whether words behind the city of an address that names no state are a region that is not known: BANGOR, GWYNEDD LL57. */
function isBehindRegion(
  { parsed }: Search,
  { wanted, reading: { city } }: Hit,
  { county, state }: Pick<Localised, 'county' | 'state'>,
): boolean {
  if (wanted !== null || parsed.zip !== null) return false;
  const pieces = parsed.text.replace(/,? (?:USA?|U S A?|UNITED STATES.*)$/, '').split(', ');
  const at = pieces.lastIndexOf(city!);
  if (at < 1 || !pieces.slice(0, at).some(piece => /^\d/.test(piece))) return false;
  return pieces.slice(at + 1).some(piece => {
    const words = piece.split(' ');
    const isUnit = unitAt(words, 0)?.words === words.length || /^[A-Z]?\d+[A-Z]?$/.test(piece);
    // PR 999 names a state with half of a ZIP code.
    const isState = stateOf(piece.replace(/ \d+$/, '')) !== null;
    return !isUnit && !isState && (county === null || countyNamed(piece, state) !== county);
  });
}

async function localityCost(
  hit: Hit,
  search: Search,
  where: Pick<Localised, 'city' | 'zip' | 'county' | 'state'>,
): Promise<number> {
  const { localities, parsed } = search;
  const { city, zip, state } = where;
  const cityWanted = hit.reading.city;
  const agrees = parsed.zip !== null && zip === parsed.zip;
  const { postal } = hit.entry;
  const own = [city, postal].filter(name => name !== null);
  // Where no layer has ZIP codes, those of the cities of the Postal Service still contradict.
  const isOther = () =>
    parsed.zip !== null && state !== null && isOtherZip(parsed.zip, { cities: own, state, ...hit.house });
  const differs = parsed.zip !== null && (zip === null ? isOther() : zip !== parsed.zip);
  let cost = parsed.zip !== null && stateOfZip(parsed.zip) !== state ? COST.zipOfOtherState : 0;
  if (isInOtherCounty(search, where)) cost += COST.countyOther;
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
  if (differs) cost += zip?.slice(0, 3) === parsed.zip!.slice(0, 3) ? COST.zipOther : COST.zipFar;
  if (isBehindRegion(search, hit, where)) cost += COST.regionOther;
  const costs = own.flatMap(name => cityCost(cityWanted, name) ?? []);
  const same = costs.length > 0 ? Math.min(...costs) : null;
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
