import { describe, expect, it } from 'vitest';
import type { FieldMeta } from '../../web/api/field.ts';
import { draftOf, fieldsMeant, filterOf, readFilters } from '../../web/search/filter.ts';

const field = (name: string, title: string, more: Partial<FieldMeta> = {}): FieldMeta => ({
  name,
  title,
  layer: 'parcels',
  type: 'number',
  unit: null,
  description: '',
  hint: '',
  terms: [],
  publisher: '',
  installed: true,
  why_not: null,
  parcel_share: 1,
  surfaces: [],
  filter_operators: ['eq', 'gte', 'in', 'between'],
  enum_values: null,
  verdict: null,
  ...more,
});

describe('conditions', () => {
  it('have values of the type of their field', () => {
    const acres = field('acreage', 'Acreage');
    expect(filterOf({ field: 'acreage', op: 'gte', values: ['1,200.5'] }, acres)?.value).toBe(1200.5);
    expect(filterOf({ field: 'acreage', op: 'between', values: ['1', '2'] }, acres)?.value).toEqual([1, 2]);
    expect(filterOf({ field: 'acreage', op: 'in', values: ['1, 2,3'] }, acres)?.value).toEqual([1, 2, 3]);
    const flag = field('struct', 'Structure', { type: 'boolean' });
    expect(filterOf({ field: 'struct', op: 'eq', values: ['false'] }, flag)?.value).toBe(false);
    const zone = field('zone', 'Zone', { type: 'string', enum_values: ['A, shallow', 'X'] });
    expect(filterOf({ field: 'zone', op: 'in', values: ['A, shallow', 'X'] }, zone)?.value).toEqual([
      'A, shallow',
      'X',
    ]);
  });

  it('are none while something is missing or is no number', () => {
    const acres = field('acreage', 'Acreage');
    for (const values of [[], [''], ['much'], [' ']])
      expect(filterOf({ field: 'acreage', op: 'gte', values }, acres)).toBeNull();
    expect(filterOf({ field: 'acreage', op: 'between', values: ['1'] }, acres)).toBeNull();
    expect(filterOf({ field: '', op: 'eq', values: ['1'] }, undefined)).toBeNull();
  });

  it('come back from an address as they went into it, and nonsense there is none', () => {
    const filters = [{ field: 'acreage', op: 'between', value: [1, 2] }];
    expect(readFilters(JSON.stringify(filters))).toEqual(filters);
    expect(draftOf(filters[0]!)).toEqual({ field: 'acreage', op: 'between', values: ['1', '2'] });
    for (const text of [undefined, '', '{', '{}', '[1]', '[{"field": 1}]', '[{"field": "a", "op": "drop"}]'])
      expect(readFilters(text)).toEqual([]);
  });

  it('are completed by titles before everyday words', () => {
    const fields = [
      field('nearest_road_distance_m', 'Distance to a road', { terms: ['flood access'] }),
      field('fema_flood_zone', 'FEMA flood zone', { terms: ['zona de inundación'] }),
      field('flood_depth', 'Flood depth'),
    ];
    expect(fieldsMeant('flood', fields, 9).map(({ name }) => name)).toEqual([
      'flood_depth',
      'fema_flood_zone',
      'nearest_road_distance_m',
    ]);
    expect(fieldsMeant('flood zo', fields, 9).map(({ name }) => name)).toEqual(['fema_flood_zone']);
    expect(fieldsMeant('inundación', fields, 9).map(({ name }) => name)).toEqual(['fema_flood_zone']);
    expect(fieldsMeant('', fields, 2)).toHaveLength(2);
    const acres = [
      field('deeded_acres', 'Acreage by the deed'),
      field('acreage', 'Acreage'),
      field('gis', 'Acreage, GIS'),
    ];
    expect(fieldsMeant('acreage', acres, 1)[0]?.name).toBe('acreage');
  });
});
