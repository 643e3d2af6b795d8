import type { Place } from '../place/place.ts';
import { built } from './bangor-me/built.ts';
import { census2010 } from './bangor-me/census.ts';
import { economy } from './bangor-me/economy.ts';
import { files } from './bangor-me/files.ts';
import { floodZones } from './bangor-me/hazards.ts';
import { land } from './bangor-me/land.ts';
import { national } from './bangor-me/national.ts';
import { parcels } from './bangor-me/parcels.ts';

/** Bangor, Maine: a city of 22,032 acres whose published layers all cover the same ground. */
const bangor: Place = {
  name: 'bangor-me',
  title: 'Bangor, Maine',
  state: 'ME',
  county: '23019',
  coverage: { file: 'bangor-me/city_boundary.geojson' },
  files,
  layers: [parcels, floodZones, ...land, ...built, ...census2010, ...national, ...economy],
};

export default bangor;
