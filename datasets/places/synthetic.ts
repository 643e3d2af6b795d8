import type { Place } from '../place/place.ts';
import { built } from './synthetic/built.ts';
import { dataLayers } from './synthetic/data.ts';
import { exposure } from './synthetic/exposure.ts';
import { land } from './synthetic/land.ts';
import { network } from './synthetic/network.ts';
import { parcels } from './synthetic/parcels.ts';
import { people } from './synthetic/people.ts';

/**
 * The two made-up counties that `plat world generate` writes: what Plat shows before real files are given to it.
 * Files of the whole area are filed under the first of them.
 */
const synthetic: Place = {
  name: 'synthetic',
  title: 'Synthetic counties of Maine and New Hampshire (made up)',
  state: 'ME',
  county: '23999',
  synthetic: true,
  coverage: { file: 'census/tl_2025_us_county.shp.zip' },
  layers: [...parcels, ...people, ...built, ...land, ...network, ...exposure, ...dataLayers],
};

export default synthetic;
