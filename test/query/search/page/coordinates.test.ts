import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Coordinates, CoordinatesReader } from '../../../../query/search/page/coordinates.ts';

/** What the reader makes of a text, as lists; null where it gives up. */
function read(text: string, before = ''): { lists: unknown; rest: string } | null {
  const bytes = Buffer.from(before + text);
  const reader = new CoordinatesReader(bytes, before.length);
  const coordinates = reader.read();
  return coordinates && { lists: coordinates.toLists(), rest: bytes.toString('utf8', reader.at) };
}

const digits = (least: number, most: number) =>
  fc.array(fc.integer({ min: 0, max: 9 }), { minLength: least, maxLength: most }).map(list => list.join(''));
const whole = fc.oneof(fc.integer({ min: 0, max: 181 }).map(String), fc.nat().map(String));
/** JSON numbers, written in every way that JSON has. */
const number = fc
  .tuple(
    fc.constantFrom('', '-'),
    whole,
    fc.oneof(
      fc.constant(''),
      digits(1, 20).map(d => `.${d}`),
      digits(13, 15).map(d => `.${d}`),
    ),
    fc.oneof({ weight: 9, arbitrary: fc.constant('') }, fc.constantFrom('e0', 'E-3', 'e+2', 'e-400', 'e400')),
  )
  .map(parts => parts.join(''));
const double = fc.double({ min: -180, max: 180, noNaN: true }).map(value => JSON.stringify(value));
const space = fc.constantFrom('', '', '', ' ', '\n\t', '\r\n  ');
const listOf = (item: fc.Arbitrary<string>, maxLength: number) =>
  fc
    .tuple(fc.array(item, { minLength: 1, maxLength }), space, space, space)
    .map(([items, a, b, c]) => `[${a}${items.join(`${b},${c}`)}${a}]`);
const position = fc
  .tuple(fc.oneof(number, double), fc.oneof(number, double), space, space)
  .map(([x, y, a, b]) => `[${a}${x}${b},${a}${y}${b}]`);
const polygon = listOf(listOf(position, 8), 3);

describe('coordinates in JSON text', () => {
  it('are read as JSON.parse reads them, to the last bit', () => {
    fc.assert(
      fc.property(fc.oneof(polygon, listOf(polygon, 3)), fc.constantFrom('', ',', '}', ' ]'), (text, rest) => {
        expect(read(text + rest, '{"a":')).toEqual({ lists: JSON.parse(text), rest });
      }),
      { numRuns: 3000, seed: 11 },
    );
  });

  it('of many vertices in one ring, too', () => {
    const ring = Array.from({ length: 20_000 }, (_, i) => [Math.sin(i) * 180, Math.cos(i) * 90]);
    expect(read(JSON.stringify([ring]))?.lists).toEqual([ring]);
    expect(read(JSON.stringify([[ring], [ring]]))?.lists).toEqual([[ring], [ring]]);
  });

  it('tell a Polygon from a MultiPolygon', () => {
    const isMulti = (text: string) => new CoordinatesReader(Buffer.from(text), 0).read()?.isMulti;
    expect(isMulti('[[[1,2]]]')).toBe(false);
    expect(isMulti('[[[[1,2]]]]')).toBe(true);
  });

  it.each([
    '',
    '0',
    '[',
    '[]',
    '[[]]',
    '[[[]]]',
    '[[[1]]]',
    '[[[1,2,3]]]',
    '[[[1,2],[3]]]',
    '[[[1,2],]]',
    '[[[1,2]],]',
    '[[[1,2]]',
    '[[[1,2]',
    '[[[1,2',
    '[[[1,',
    '[[[1,2]]}',
    '[[1,2]]',
    '[[[[[1,2]]]]]',
    '[[[1,2]],[[[3,4]]]]',
    '[[[[1,2]]],[[3,4]]]',
    '[[[1,null]]]',
    '[[[1,"2"]]]',
    '[[[01,2]]]',
    '[[[-01.5,2]]]',
    '[[[1.,2]]]',
    '[[[.5,2]]]',
    '[[[+1,2]]]',
    '[[[--1,2]]]',
    '[[[-,2]]]',
    '[[[1e,2]]]',
    '[[[1.5e+,2]]]',
    '[[[1.5.5,2]]]',
    '[[[1 2,3]]]',
    '[[[1;2]]]',
    '[[[0x1,2]]]',
    '[[[1_0,2]]]',
    '[[[NaN,2]]]',
    '[[[Infinity,2]]]',
    '[[[1,2]\u00a0]]',
  ])('%j is left to JSON.parse', text => {
    expect(read(text)).toBeNull();
  });

  it('are themselves where they are asked for as lists', () => {
    expect(new Coordinates([[Float64Array.of(1, 2, 3, 4)]], true).toLists()).toEqual([
      [
        [
          [1, 2],
          [3, 4],
        ],
      ],
    ]);
  });
});
