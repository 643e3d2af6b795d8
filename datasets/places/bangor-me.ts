import type { Place } from '../place.ts';
import { floodZones } from './bangor-me/hazards.ts';
import { wetlands, zoning } from './bangor-me/land.ts';
import { parcels } from './bangor-me/parcels.ts';

/** Bangor, Maine: a city of 22,032 acres whose published layers all cover the same ground. */
const bangor: Place = {
  name: 'bangor-me',
  title: 'Bangor, Maine',
  state: 'ME',
  county: '23019',
  coverage: { file: 'bangor-me/city_boundary.geojson' },
  layers: [parcels, zoning, floodZones, wetlands],
};

export default bangor;
