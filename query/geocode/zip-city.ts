import { cityCost } from './address/city.ts';
import { chosen, type Search } from './hit.ts';
import { addressIndex } from './index/address-partition.ts';

/**
 * What the difference between a city and the likest that a row about a search names in a ZIP code costs. Rows name postal
 * cities, which no outline draws.
 * @param city in capitals.
 * @returns null where no row of the ZIP code names such a city.
 * @throws Fault or DamagedFile when a file that it needs is unreadable.
 */
export async function zipCityCost(search: Search, zip: string, city: string): Promise<number | null> {
  const { layers, located, check } = search;
  let least: number | null = null;
  for (const part of await chosen(search, located.state, located.readings)) {
    const { named } = await addressIndex(layers, part, check);
    for (const other of named.citiesOf.get(zip) ?? []) {
      const cost = cityCost(city, other);
      if (cost !== null) least = Math.min(cost, least ?? cost);
    }
    if (least === 0) break;
  }
  return least;
}
