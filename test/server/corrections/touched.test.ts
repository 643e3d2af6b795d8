import { expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { touchedNames } from '../../../server/corrections/correctable.ts';

it('a correction touches what is calculated from its field, and what reads the same polygons at the place', () => {
  expect(touchedNames(catalog, 'fema_flood_zone')).toEqual(
    expect.arrayContaining(['within_floodplain_polygon', 'coastal_high_hazard', 'elevation_above_base_flood_m']),
  );
  // What lies about the place is not the place.
  for (const name of ['fema_flood_zone', 'sfha_fraction_within_500m', 'elevation', 'within_nwi_wetland'])
    expect(touchedNames(catalog, 'fema_flood_zone')).not.toContain(name);
  expect(touchedNames(catalog, 'elevation')).toContain('elevation_above_base_flood_m');
  expect(touchedNames(catalog, 'elevation')).not.toContain('fema_flood_zone');
});

it('a column of parcels and the field that reads it touch neither each other nor the other columns', () => {
  expect(touchedNames(catalog, 'zoning')).toEqual(touchedNames(catalog, 'parcel_zoning'));
  expect(touchedNames(catalog, 'zoning')).not.toContain('parcel_land_use');
});
