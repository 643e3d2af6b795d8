import { type Feature, polygonal, type Ring } from '../format/feature.ts';
import type { Lattice } from '../nature/lattice.ts';
import { blob } from '../nature/wetland.ts';
import { Random } from '../random.ts';
import type { Census } from './census.ts';

const area = (properties: Feature['properties'], ring: Ring): Feature => ({
  properties,
  geometry: polygonal([[ring]]),
});

/** Shares of a county's land: west, south, east, north. */
type Share = readonly [number, number, number, number];

/** Legal and statistical districts of the counties: towns, metropolitan areas, legislatures, schools, tribal land. */
export class Districts {
  readonly #lattice: Lattice;
  readonly #seed: number;
  readonly #censuses: readonly Census[];

  constructor(lattice: Lattice, seed: number, censuses: readonly Census[]) {
    this.#lattice = lattice;
    this.#seed = seed;
    this.#censuses = censuses;
  }

  /** One layer of one county's land, cut by shares. */
  #cut(census: Census, parts: readonly (readonly [Feature['properties'], Share])[]): Feature[] {
    return parts.map(([properties, share]) => area(properties, this.#lattice.ring(census.span(...share))));
  }

  /** Towns of a county, coast and inland; the sea is in none. */
  subdivisions(census: Census): Feature[] {
    const { fips, state } = census.county;
    const town = (code: string, NAMELSAD: string) => ({ STATEFP: state, GEOID: fips + code, NAMELSAD });
    return this.#cut(census, [
      [town('99901', 'Kittery Point town'), [0, 0, 1, 0.5]],
      [town('99902', 'Upper Ledge town'), [0, 0.5, 1, 1]],
    ]);
  }

  /** The first county is a metropolitan area; the other is in none. */
  metropolitanAreas(): Feature[] {
    const [first] = this.#censuses;
    return [
      area(
        { GEOID: '99910', NAME: 'Synthetic Harbor, ME', NAMELSAD: 'Synthetic Harbor, ME Metro Area', LSAD: 'M1' },
        this.#lattice.county(first!.county),
      ),
    ];
  }

  /** Two districts of the national house a state, on land. */
  congressional(census: Census): Feature[] {
    const { state } = census.county;
    const district = (n: string) => ({
      STATEFP: state,
      GEOID: state + n,
      NAMELSAD: `Congressional District ${Number(n)}`,
    });
    return this.#cut(census, [
      [district('01'), [0, 0, 1, 0.75]],
      [district('02'), [0, 0.75, 1, 1]],
    ]);
  }

  upperHouse(census: Census): Feature[] {
    const { state } = census.county;
    const district = (n: number) => ({ GEOID: `${state}0${n}0`, NAMELSAD: `State Senate District ${n}` });
    return this.#cut(census, [
      [district(1), [0, 0, 0.5, 1]],
      [district(2), [0.5, 0, 1, 1]],
    ]);
  }

  lowerHouse(census: Census): Feature[] {
    const { state } = census.county;
    const district = (n: number) => ({ GEOID: `${state}00${n}`, NAMELSAD: `State House District ${n}` });
    return this.#cut(census, [
      [district(1), [0, 0, 0.5, 0.5]],
      [district(2), [0.5, 0, 1, 0.5]],
      [district(3), [0, 0.5, 1, 1]],
    ]);
  }

  /** One urban area around each town. */
  urbanAreas(): Feature[] {
    return this.#censuses.flatMap((census, i) =>
      this.#cut(census, [
        [
          { GEOID20: `9990${i}`, NAME20: `Synthetic ${i ? 'Ferry' : 'Harbor'}, ${census.county.code}` },
          [0.25, 0, 0.75, 0.75],
        ],
      ]),
    );
  }

  /** Unified school districts: along the coast only, inland the grades are split. */
  schoolDistricts(census: Census): Feature[] {
    const { state, code } = census.county;
    return this.#cut(census, [
      [{ GEOID: `${state}99901`, NAME: `${code === 'ME' ? 'Harbor' : 'Ferry'} School District` }, [0, 0, 1, 0.5]],
    ]);
  }

  /** The district of one half of the grades, inland of the unified one, which has them all. */
  splitDistricts(census: Census, grades: 'Elementary' | 'Secondary'): Feature[] {
    const { state, code } = census.county;
    const GEOID = `${state}9990${grades === 'Elementary' ? 2 : 3}`;
    return this.#cut(census, [[{ GEOID, NAME: `Upper Ledge ${grades} School District ${code}` }, [0, 0.5, 1, 1]]]);
  }

  /** One reservation, inland. */
  tribalLand(): Feature[] {
    return this.#cut(this.#censuses[0]!, [
      [{ GEOID: '9990R', NAMELSAD: 'Synthetic Heron Reservation' }, [0.5, 0.75, 0.75, 1]],
    ]);
  }

  /** One base of each state. */
  military(): Feature[] {
    const random = new Random(this.#seed, 'districts');
    const { columns, rows } = this.#lattice;
    return [0.17, 0.83].map((x, i) =>
      area(
        { AREAID: `9990000000${i + 1}`, FULLNAME: `${i ? 'Harbor' : 'Ferry'} Naval Shipyard`, MTFCC: 'K2110' },
        blob(random, this.#lattice.at(x * columns, 0.15 * rows), 420),
      ),
    );
  }
}
