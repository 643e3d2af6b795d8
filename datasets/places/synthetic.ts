import type { Place } from '../place.ts';
import { built } from './synthetic/built.ts';
import { land } from './synthetic/land.ts';
import { parcels } from './synthetic/parcels.ts';
import { people } from './synthetic/people.ts';

/** The made-up county that `plat world generate` writes: what Plat shows before real files are given to it. */
const synthetic: Place = {
  name: 'synthetic',
  title: 'Synthetic County (made up)',
  state: 'ME',
  county: '23999',
  synthetic: true,
  coverage: { file: 'census/tl_2025_us_county.shp.zip' },
  layers: [parcels, ...people, ...built, ...land],
};

export default synthetic;
