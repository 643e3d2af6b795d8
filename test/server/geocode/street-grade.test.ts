import { describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { blockOf } from '../../../server/geocoder/block.ts';
import { loweredOnStreet } from '../../../server/geocoder/street-grade.ts';
import { ROOFTOP } from '../fake-tier.ts';

const rooftop = blockOf(ROOFTOP, 'other');
const street = blockOf({ ...ROOFTOP, accuracyType: 'range_interpolation' }, 'other');
const of = (name: string, confidence: string, block: typeof rooftop | null = street) =>
  loweredOnStreet(catalog, block, { [name]: { confidence } })[name]!.confidence;

describe('an address that was only found on its street', () => {
  it.each([
    'parcel_apn',
    'developable_acres_proxy',
    'apn',
    'owner_assemblage',
    'fema_flood_zone',
    'county_population',
    'elevation',
    'building_count_within_100m',
    'wetland_fraction_within_500m',
    'topographic_position_index_m',
    'slope_degrees',
  ])('lowers the confidence of %s by one', name => {
    expect(['high', 'medium', 'low'].map(level => of(name, level))).toEqual(['medium', 'low', 'low']);
  });

  it.each(['coast_distance_m', 'nearest_transmission_line_distance_m', 'nearest_airport_distance_m'])(
    'leaves that of %s, which reaches farther',
    name => expect(of(name, 'high')).toBe('high'),
  );

  it('says nothing against rooftops and coordinates', () => {
    expect([of('apn', 'high', rooftop), of('apn', 'high', null)]).toEqual(['high', 'high']);
  });
});
