import type { Feature } from '../format/feature.ts';
import { Random } from '../random.ts';
import type { Lattice } from './lattice.ts';
import { blob } from './wetland.ts';

/** Species, where along and up the area its habitat lies, and its radius in metres; the second lies in the first. */
const SPECIES = [
  ['Charadrius syntheticus', 'Synthetic plover', 'Threatened', 0.2, 0.55, 1500],
  ['Sylvilagus syntheticus', 'Synthetic cottontail', 'Endangered', 0.21, 0.56, 500],
  ['Myotis syntheticus', 'Synthetic bat', 'Endangered', 0.78, 0.7, 900],
] as const;

/** US Fish and Wildlife Service: final critical habitat. */
export function criticalHabitat(lattice: Lattice, seed: number): Feature[] {
  const random = new Random(seed, 'critical habitat');
  return SPECIES.map(([sciname, comname, listing_st, x, y, radius]) => ({
    properties: { sciname, comname, listing_st, status: 'Final' },
    geometry: {
      type: 'Polygon',
      coordinates: [blob(random, lattice.at(lattice.columns * x, lattice.rows * y), radius)],
    },
  }));
}
