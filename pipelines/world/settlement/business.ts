import { LODES_SECTORS } from '../../../datasets/codes/lodes-sectors.ts';
import type { Value } from '../../../datasets/dataset.ts';
import type { Feature } from '../format/feature.ts';
import { toFrame, vertex } from '../frame.ts';
import type { Lattice } from '../nature/lattice.ts';
import { hash, Random } from '../random.ts';
import type { Census } from './census.ts';
import { COUNTIES } from './county.ts';
import { surname } from './name.ts';

const KINDS = [
  ['grocery_store', 'Market'],
  ['supermarket', 'Supermarket'],
  ['pharmacy', 'Pharmacy'],
  ['park', 'Park'],
  ['ev_charging_station', 'Charging'],
  ['restaurant', 'Diner'],
  ['seafood_restaurant', 'Lobster'],
  ['pizza_restaurant', 'Pizza'],
  ['hardware_store', 'Hardware'],
  ['cafe', 'Cafe'],
] as const;

/** Shops, stops and other places around each town, denser towards its middle. */
function* around(
  lattice: Lattice,
  seed: number,
  stream: string,
  count: number,
): Generator<[Feature['geometry'], Random, number]> {
  for (const county of COUNTIES) {
    const [along, inland] = toFrame(lattice.centre(county));
    for (let i = 0; i < count; i++) {
      const random = new Random(seed, stream, county.half, i);
      const [angle, far] = [random.between(0, 2 * Math.PI), 2600 * random.next() ** 1.5];
      const coordinates = vertex(along + far * Math.cos(angle), inland + far * Math.sin(angle));
      yield [{ type: 'Point', coordinates }, random, county.half * count + i];
    }
  }
}

/** Overture Maps: places with their category and how sure the map is of them. */
export function* places(lattice: Lattice, seed: number): Generator<Feature> {
  for (const [geometry, random, i] of around(lattice, seed, 'places', 150)) {
    const [category, word] = KINDS[i % KINDS.length]!;
    yield {
      properties: {
        id: `99${hash(seed, i, 132).toString(16).padStart(8, '0')}${String(i).padStart(22, '0')}`,
        'names.primary': `${surname(random)} ${word}`,
        'categories.primary': category,
        confidence: Math.round(random.between(0.3, 1) * 1000) / 1000,
      },
      geometry,
    };
  }
}

/** National Transit Map: stops of one made-up agency a town. */
export function* transitStops(lattice: Lattice, seed: number): Generator<Feature> {
  for (const [geometry, random, i] of around(lattice, seed, 'transit stops', 30))
    yield { properties: { stop_id: `syn-${i + 1}`, stop_name: `${surname(random)} Stop` }, geometry };
}

/** PeeringDB: buildings where networks meet. */
export function* facilities(lattice: Lattice, seed: number): Generator<Feature> {
  for (const [geometry, random, i] of around(lattice, seed, 'interconnection facilities', 2))
    yield {
      properties: {
        id: 990_001 + i,
        name: `${surname(new Random(seed, 'exchanges', i))} Exchange`,
        net_count: random.integer(2, 40),
      },
      geometry,
    };
}

/** Jobs shared out over the sectors one by one, beginning at another sector with every number. */
function bySector(jobs: number): Record<string, number> {
  const sectors = Object.keys(LODES_SECTORS);
  const out: Record<string, number> = Object.fromEntries(sectors.map(name => [name, 0]));
  for (let i = 0; i < jobs; i++) out[sectors[(jobs + i * 7) % sectors.length]!]!++;
  return out;
}

/** LODES workplace file of a county: jobs by block, only blocks that have some. */
export function* jobs(seed: number, census: Census): Generator<Readonly<Record<string, Value>>> {
  for (const { geoid, span } of census.blocks()) {
    const count = span ? hash(seed, span.column, span.row, 135) % 40 : 0;
    if (count > 8) yield { w_geocode: geoid, C000: count - 8, ...bySector(count - 8), createdate: '20260101' };
  }
}
