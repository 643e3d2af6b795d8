// CQL2 in both forms: what the standard's own examples mean, three-valued logic, and every refusal in words.
import { describe, expect, test } from 'vitest';
import type { ScalarType, Value } from '../../../datasets/dataset.ts';
import { CqlError, type Expression } from '../../../query/cql/expression.ts';
import { readJson } from '../../../query/cql/json.ts';
import { likeTest } from '../../../query/cql/like.ts';
import { predicateOf } from '../../../query/cql/predicate.ts';
import { readText } from '../../../query/cql/text.ts';
import { toWkt } from '../../../query/geometry/wkt.ts';

const QUERYABLES = new Map<string, ScalarType>([
  ['name', 'string'],
  ['acres', 'number'],
  ['floors', 'integer'],
  ['vacant', 'boolean'],
  ['sold', 'date'],
  ['seen', 'timestamp'],
  ['odd name', 'string'],
]);

const HOUSE: Readonly<Record<string, Value>> = {
  name: 'City of Bangor',
  acres: 2.5,
  floors: 2,
  vacant: false,
  sold: '2020-05-31',
  seen: '2021-01-01T12:00:00.000Z',
  'odd name': "it's",
};
const EMPTY = Object.fromEntries([...QUERYABLES.keys()].map(name => [name, null])) as typeof HOUSE;

const judge = (expression: Expression, properties: typeof HOUSE) =>
  predicateOf(
    expression,
    QUERYABLES,
  )({
    value: name => properties[name] ?? null,
    stands: op => op === 's_intersects',
  });
const text = (filter: string) => readText(filter, 'geometry');
const json = (filter: unknown) => readJson(JSON.stringify(filter), 'geometry');

describe('a filter in text', () => {
  test.each<[filter: string, house: boolean | null, empty: boolean | null]>([
    ['acres > 2', true, null],
    ['acres>=2.5 AND floors<>3', true, null],
    ['2 < acres', true, null],
    ['acres = 2.5e0', true, null],
    ['acres < -1', false, null],
    ["name = 'City of Bangor'", true, null],
    ["name = 'city of bangor'", false, null],
    ["CASEI(name) = casei('CITY OF BANGOR')", true, null],
    ["name LIKE 'City%'", true, null],
    ["name NOT LIKE '%of%'", false, null],
    ["CASEI(name) LIKE casei('%BANG_R')", true, null],
    ["\"odd name\" = 'it''s'", true, null],
    ['acres BETWEEN 2 AND 3 AND floors = 2', true, null],
    ['acres NOT BETWEEN 2 AND 3', false, null],
    ['floors IN (1, 2)', true, null],
    ["name NOT IN ('a', 'b')", true, null],
    ['name IS NULL', false, true],
    ['name IS NOT NULL', true, false],
    ['vacant = FALSE', true, null],
    ["sold < DATE('2020-06-01')", true, null],
    ["sold = '2020-05-31'", true, null],
    ["seen > TIMESTAMP('2021-01-01T11:59:59Z')", true, null],
    ['seen > sold', true, null],
    ['NOT (acres > 2 OR floors = 9)', false, null],
    ['acres > 99 OR floors = 2 AND vacant = false', true, null],
    ['acres > 99 AND name IS NULL', false, null],
    ['TRUE', true, true],
    ['FALSE OR acres > 2', true, null],
    ['S_INTERSECTS(geometry, POINT(1 2))', true, true],
    ['s_intersects(BBOX(1,2,3,4), geometry)', true, true],
    ['NOT S_DISJOINT(geometry, POLYGON((0 0, 1 0, 1 1, 0 0)))', true, true],
  ])('%s', (filter, house, empty) => {
    expect(judge(text(filter), HOUSE)).toBe(house);
    expect(judge(text(filter), EMPTY)).toBe(empty);
  });

  test.each<[filter: string, expected: RegExp]>([
    ['', /at its end.*a property or a value/],
    ['acres >', /at its end/],
    ['acres > 2 extra', /expected AND, OR or the end/],
    ['(acres > 2', /expected "\)"/],
    ['acres ; 2', /cannot be read from character 7/],
    ['acre > 2', /names acre, which is no property.* The nearest: `acres`/],
    ["acres > 'a'", /compares a number with text/],
    ['name > 2', /compares text with a number/],
    ["sold > 'yesterday'", /has a date that is none/],
    ["sold > DATE('2020-02-30')", /has a date that is none/],
    ['name LIKE 2', /LIKE compares text/],
    ['CASEI(acres) = 2', /CASEI takes text/],
    ['buffer(geometry, 3) = 2', /calls BUFFER, which is not offered/],
    ['acres + 1 = 2', /expected a comparison/],
    ['T_AFTER(seen, sold)', /calls T_AFTER/],
    ['S_INTERSECTS(geometry, geometry)', /one geometry of the filter/],
    ['S_INTERSECTS(shape, POINT(1 2))', /it is that of the property geometry/],
    ['S_INTERSECTS(geometry, CIRCLE(1 2))', /calls CIRCLE/],
    ['S_INTERSECTS(geometry, POLYGON((0 0, 1 0, 1 1)))', /too few positions/],
    ['S_INTERSECTS(geometry, POLYGON((0 0, 1 0, 1 1, 0 2)))', /does not end where it begins/],
    ['S_INTERSECTS(geometry, BBOX(1,4,3,2))', /four numbers/],
    [`${'NOT '.repeat(40)}acres > 2`, /nested deeper/],
    [`${'('.repeat(40)}acres > 2${')'.repeat(40)}`, /nested deeper/],
    [`acres IN (${'1,'.repeat(1_200)}1)`, /more than 1000 parts/],
    [`name LIKE '${'%'.repeat(300)}'`, /more than 256 letters/],
  ])('refusal %# is in words', (filter, expected) => {
    expect(() => judge(text(filter), HOUSE)).toThrow(CqlError);
    expect(() => judge(text(filter), HOUSE)).toThrow(expected);
  });
});

describe('a filter in JSON', () => {
  const name = { property: 'name' };
  const acres = { property: 'acres' };
  test.each<[filter: string, json: unknown]>([
    ['acres > 2', { op: '>', args: [acres, 2] }],
    [
      "CASEI(name) LIKE CASEI('c%')",
      {
        op: 'like',
        args: [
          { op: 'casei', args: [name] },
          { op: 'casei', args: ['c%'] },
        ],
      },
    ],
    ['acres BETWEEN 1 AND 2', { op: 'between', args: [acres, 1, 2] }],
    ['acres IN (1,2)', { op: 'in', args: [acres, [1, 2]] }],
    ['NOT name IS NULL', { op: 'not', args: [{ op: 'isNull', args: [name] }] }],
    [
      "acres < 1 OR sold > DATE('2020-01-01')",
      {
        op: 'or',
        args: [
          { op: '<', args: [acres, 1] },
          { op: '>', args: [{ property: 'sold' }, { date: '2020-01-01' }] },
        ],
      },
    ],
    [
      'S_WITHIN(geometry, POLYGON((0 0, 1 0, 1 1, 0 0)))',
      {
        op: 's_within',
        args: [
          { property: 'geometry' },
          {
            type: 'Polygon',
            coordinates: [
              [
                [0, 0],
                [1, 0],
                [1, 1],
                [0, 0],
              ],
            ],
          },
        ],
      },
    ],
    [
      'S_CONTAINS(POINT(1 2), geometry)',
      { op: 's_contains', args: [{ type: 'Point', coordinates: [1, 2] }, { property: 'geometry' }] },
    ],
    [
      'S_INTERSECTS(geometry, BBOX(170,0,-170,1))',
      { op: 's_intersects', args: [{ property: 'geometry' }, { bbox: [170, 0, -170, 1] }] },
    ],
  ])('means what %s does', (filter, value) => {
    expect(json(value)).toEqual(text(filter));
  });

  test.each([
    [[], /expected \{"op"/],
    [{ op: 'and', args: [true] }, /two members/],
    [{ op: 'buffer', args: [1] }, /calls BUFFER/],
    [{ op: '=', args: [acres] }, /too few members/],
    [{ op: '=', args: [acres, null] }, /neither a text, a number/],
    [{ op: 's_intersects', args: [{ property: 'geometry' }, { type: 'Point', coordinates: ['1', 2] }] }, /position/],
  ])('%j is refused in words', (value, expected) => {
    expect(() => json(value)).toThrow(expected);
  });

  test('text that is no JSON is refused', () => {
    expect(() => readJson('acres > 2', 'geometry')).toThrow(/filter-lang=cql2-text/);
  });
});

test('geometries of every type are read from text as they are written', () => {
  const geometries = [
    'POINT (1 2)',
    'LINESTRING (1 2, 3 4)',
    'POLYGON ((0 0, 4 0, 4 4, 0 0), (1 1, 2 1, 2 2, 1 1))',
    'MULTIPOINT (1 2, 3 4)',
    'MULTILINESTRING ((1 2, 3 4), (5 6, 7 8))',
    'MULTIPOLYGON (((0 0, 1 0, 1 1, 0 0)), ((2 2, 3 2, 3 3, 2 2)))',
  ];
  for (const wkt of geometries) {
    const expression = text(`S_INTERSECTS(geometry, ${wkt})`);
    expect(expression.kind === 'relation' && toWkt(expression.geometry)).toBe(wkt);
  }
  const nested = text('S_INTERSECTS(geometry, MULTIPOINT ((1 2), (3 4)))');
  expect(nested.kind === 'relation' && toWkt(nested.geometry)).toBe('MULTIPOINT (1 2, 3 4)');
  const heights = text('S_INTERSECTS(geometry, POINT Z (1 2 3))');
  expect(heights.kind === 'relation' && toWkt(heights.geometry)).toBe('POINT (1 2)');
});

test('a pattern takes its signs as the standard says, and time in proportion to its length', () => {
  const matches = (pattern: string, letters: string) => likeTest(pattern)(letters);
  expect(matches('100\\%', '100%')).toBe(true);
  expect(matches('100\\%', '1000')).toBe(false);
  expect(matches('a_c', 'aßc')).toBe(true);
  expect(matches('a_c', 'a🏠c')).toBe(true);
  expect(matches('%b%d', 'abcd')).toBe(true);
  expect(matches('', '')).toBe(true);
  expect(matches('%', '')).toBe(true);
  expect(matches('%a%a%a%a%a%a%a%a%b', 'a'.repeat(20_000))).toBe(false);
});
