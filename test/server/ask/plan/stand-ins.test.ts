import { expect, it } from 'vitest';
import { catalog } from '../../../../datasets/catalog.ts';
import { namesOfThings, standInsWanted, withStandIns } from '../../../../server/ask/plan/stand-ins.ts';

const part = (...fields: string[]) => ({ text: 'Does it flood?', fields, unknown: [], enrichment: [] });
const planOf = (...fields: string[]) => ({ fields, preset: null, parts: [part(...fields)] });

it('a part without any value is followed by the next member of its family that has one', () => {
  const plan = planOf('fema_flood_zone');
  const wanted = 'within_floodplain_polygon nearest_sfha_distance_m sfha_fraction_within_500m nfip_claim_count_tract';
  expect(standInsWanted(plan, () => false)).toEqual(wanted.split(' '));
  const known = (...names: string[]) => withStandIns(plan, name => names.includes(name));
  expect(known('nfip_claim_count_tract', 'nearest_sfha_distance_m')).toMatchObject({
    fields: ['fema_flood_zone', 'nearest_sfha_distance_m'],
    parts: [{ fields: ['fema_flood_zone', 'nearest_sfha_distance_m'], standIn: 'nearest_sfha_distance_m' }],
  });
  expect(known()).toEqual(plan);
  expect(standInsWanted(plan, () => true)).toEqual([]);
  expect(known('fema_flood_zone')).toEqual(plan);
});

it('distances have the names of their things, where the catalog has them', () => {
  expect(namesOfThings(catalog, ['nearest_quaternary_fault_distance_m', 'coast_distance_m', 'elevation'])).toEqual([
    'nearest_quaternary_fault_name',
  ]);
  expect(namesOfThings(catalog, ['nearest_hospital_name', 'nearest_hospital_distance_m'])).toEqual([]);
});
