import { cityCost } from './address/similarity.ts';
import { chosen, type Search } from './hit.ts';
import { addressIndex } from './index/address-partition.ts';

/** Tells what cities the rows about a search name in a ZIP code: postal cities, which no outline draws. */
export class ZipCities {
  readonly #search: Search;
  readonly #memo = new Map<string, Promise<number | null>>();
  constructor(search: Search) {
    this.#search = search;
  }

  /**
   * What the difference between a city and the likest that a row names in a ZIP code costs.
   * @param city in capitals.
   * @returns null where no row of the ZIP code names such a city.
   * @throws Fault or DamagedFile when a file that it needs is unreadable.
   */
  costOf(zip: string, city: string): Promise<number | null> {
    const id = `${zip} ${city}`;
    const told = this.#memo.get(id) ?? this.#look(zip, city);
    this.#memo.set(id, told);
    return told;
  }

  async #look(zip: string, city: string): Promise<number | null> {
    const { layers, located, check } = this.#search;
    let least: number | null = null;
    for (const part of await chosen(this.#search, located.state, located.readings)) {
      const { named } = await addressIndex(layers, part, check);
      for (const other of named.citiesOf.get(zip) ?? []) {
        const cost = cityCost(city, other);
        if (cost !== null) least = Math.min(cost, least ?? cost);
      }
      if (least === 0) break;
    }
    return least;
  }
}
