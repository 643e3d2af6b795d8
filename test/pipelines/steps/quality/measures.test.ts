import { describe, expect, it } from 'vitest';
import type { Geometry } from '../../../../datasets/geometry.ts';
import { DEFAULT_EXPECTATION, expectationOf, loosened } from '../../../../datasets/place/expectation.ts';
import { checkPlace } from '../../../../pipelines/place/place-check.ts';
import { compileColumns } from '../../../../pipelines/steps/normalise.ts';
import { Locator, misplacement, placedBox } from '../../../../pipelines/steps/quality/location.ts';
import { Measure } from '../../../../pipelines/steps/quality/measure.ts';
import { Tally } from '../../../../pipelines/steps/quality/tally.ts';
import { isOlder } from '../../../../pipelines/steps/quality/vintage.ts';
import { having } from './hamlet.ts';

const point = (x: number, y: number): Geometry => ({
  type: 'Point',
  xy: Float64Array.of(x, y),
  ends: Uint32Array.of(1),
  parts: new Uint32Array(),
});

describe('vintages', () => {
  it.each([
    ['2013-02-14', '2013-02-15', true],
    ['2013-02-15', '2013-02-14', false],
    ['2013', '2013-05', false],
    ['2012', '2013-05', true],
    ['2010 photogrammetry', 'copy of August 2016', true],
    ['copy of August 2016', 'copy of Sept. 2016', true],
    ['2024 Q2', '2024-05', false],
    ['2024 Q1', '2024-05', true],
    ['20240301', '2024-03-02', true],
    ['2016-2020', '2020', false],
    ['2020-21', '2021', true],
    ['2020-21', '2020', false],
    ['Feb 3, 2020', 'Feb 4, 2020', true],
    ['synthetic', '2020', false],
    ['2020', 'current', false],
    ['parcel 120305', '2020', false],
  ])('%s is older than %s: %s', (vintage, than, older) => {
    expect(isOlder(vintage, than)).toBe(older);
  });
});

describe('places of features', () => {
  const kinds = (coverage: readonly [number, number, number, number] | null, points: [number, number][]) => {
    const locator = new Locator(coverage, 5_000);
    return points.map(([x, y]) => locator.add(point(x, y)));
  };

  it('are told by the first point: in the states, exchanged, no degrees, elsewhere', () => {
    const all: [number, number][] = [
      [-68.8, 44.8],
      [-157.8, 21.3],
      [144.8, 13.4],
      [-170.7, -14.3],
      [179.2, 51.4],
      [44.8, -68.8],
      [37.2, -113.2],
      [500_000, 4_900_000],
      [Number.NaN, 44],
      [0, 0],
      [2.3, 48.8],
    ];
    const abroad = ['swapped', 'swapped', 'noDegrees', 'noDegrees', 'elsewhere', 'elsewhere'];
    expect(kinds(null, all)).toEqual([...Array(5).fill('inside'), ...abroad]);
  });

  it('lie outside beyond the margin of the coverage, but not where only their first point does', () => {
    // 5 km are 0.045 degrees of latitude, and 0.0629 of longitude at 44.4.
    const coverage = [-69, 44, -68.6, 44.4] as const;
    expect(
      kinds(coverage, [
        [-68.7, 44.444],
        [-68.7, 44.446],
        [-68.538, 44.2],
        [-68.536, 44.2],
      ]),
    ).toEqual(['inside', 'outside', 'inside', 'outside']);
    const line = {
      ...point(0, 0),
      type: 'LineString',
      xy: Float64Array.of(-72, 44.2, -60, 44.2),
      ends: Uint32Array.of(2),
    };
    expect(new Locator(coverage, 0).add(line as Geometry)).toBe('inside');
    const abroad = { ...line, xy: Float64Array.of(-60, 44.2, -72, 44.2) };
    expect(new Locator(null, 0).add(abroad as Geometry)).toBe('inside');
    expect(placedBox([-70, 43, -66, 46], coverage, 0)).toMatchObject({ features: 1, outside: 0 });
    expect(placedBox([-80, 43, -79, 46], coverage, 0)).toMatchObject({ features: 1, outside: 1 });
  });

  it('name one cause where most are amiss', () => {
    const placed = { features: 10, swapped: 0, noDegrees: 0, elsewhere: 0, outside: 0 };
    expect(misplacement({ ...placed, swapped: 5 })).toBeNull();
    expect(misplacement({ ...placed, swapped: 6 })).toContain('swapped');
    expect(misplacement({ ...placed, noDegrees: 6 })).toContain('lost its projection');
    expect(misplacement({ ...placed, elsewhere: 6 })).toContain('outside the United States');
    expect(misplacement({ ...placed, features: 0 })).toBeNull();
  });
});

describe('lookups', () => {
  it('count a row once, whatever parts its expression has; blanks are not looked up', () => {
    const tally = new Tally();
    const normalise = compileColumns(
      {
        NAME: {
          from: [
            { from: 'a', patterns: [{ match: '^x', value: 'X' }] },
            { from: 'b', lookup: { y: 'Y' }, otherwise: 'other' },
          ],
        },
      },
      { NAME: { type: 'string' } },
      '2026-01-01',
      () => tally,
    );
    expect(normalise({ a: 'x1', b: 'y' })).toEqual({ NAME: 'X Y' });
    expect([tally.lookups, tally.found, tally.blanks]).toEqual([1, 1, 0]);
    expect(normalise({ a: 'q', b: 'q' })).toEqual({ NAME: 'other' });
    expect([tally.lookups, tally.found, tally.blanks]).toEqual([2, 1, 0]);
    expect(normalise({ a: null, b: null })).toEqual({ NAME: null });
    expect([tally.lookups, tally.found, tally.blanks]).toEqual([2, 1, 1]);
    expect(tally.misses()).toEqual([['q', 2]]);
  });

  it('find what a table says of a blank, and null sentinels are blanks', () => {
    const tally = new Tally();
    const expression = { from: 'a', null: [0], lookup: { '': 'none', '1': 'one' }, otherwise: 'other' };
    const normalise = compileColumns({ A: expression }, { A: { type: 'string' } }, '2026-01-01', () => tally);
    expect([null, 0, 1, 2].map(a => normalise({ a }).A)).toEqual(['none', 'none', 'one', 'other']);
    expect([tally.lookups, tally.found, tally.blanks]).toEqual([4, 3, 0]);
  });
});

describe('a measure', () => {
  it('keeps a few examples and tells kinds of rejection apart', () => {
    const measure = new Measure(['ZONE'], { ZONE: { type: 'string', values: ['A'] } }, null);
    for (let i = 1; i <= 9; i++) measure.row(i, { ZONE: i % 3 === 0 ? null : i % 3 === 1 ? 'A' : 'Z' });
    for (let i = 10; i < 20; i++) measure.rejected(i, `column D: "${i}" is no date`);
    measure.rejected(20, 'no geometry');
    const examples = measure.examples();
    expect(measure.quality('2026')).toMatchObject({
      vintage: '2026',
      rows: 9,
      nulls: { ZONE: 3 },
      unlisted: { ZONE: 3 },
      placed: null,
    });
    expect(examples.rejected).toEqual(['row 10: column D: "10" is no date (10 rows alike)', 'row 20: no geometry']);
    expect(examples['unlisted/ZONE']).toEqual(['"Z" in row 2', '"Z" in row 5', '"Z" in row 8']);
  });
});

describe('expectations', () => {
  it('are the place’s over the dataset’s over the defaults, column by column', () => {
    const dataset = { rejected: 0.5, nulls: { A: 0.1, B: 0.2 } };
    const place = { nulls: { B: 0 }, because: 'a test' };
    expect(expectationOf(dataset, place)).toEqual({
      ...DEFAULT_EXPECTATION,
      rejected: 0.5,
      nulls: { A: 0.1, B: 0 },
    });
    expect(loosened(dataset, place)).toEqual([]);
    expect(
      loosened(dataset, {
        rejected: 0.6,
        fewer: 0.01,
        nulls: { A: 0.2, C: 0.9 },
        hits: { C: 0.5, D: 0 },
        unlisted: { A: 0.1 },
      }),
    ).toEqual(['rejected', 'nulls.A', 'hits.D', 'unlisted.A']);
  });

  it.each([
    [{ rejected: 0.02 }, 'rejected: looser than the dataset has it, so say why in "because"'],
    [{ rejected: 2, because: 'x' }, '2 must be <= 1'],
    [{ nulls: { HEIGHT: 0.1 } }, '"HEIGHT" is none of BUILD_ID, IMAGE_DATE, OCC_CLS, of which nulls can be told'],
    [{ unlisted: { IMAGE_DATE: 0.1 }, because: 'x' }, '"IMAGE_DATE" is none of OCC_CLS, of which unlisted can be told'],
    [{ reject: 0.02 }, 'unknown key "reject"'],
  ])('%j in a place: %s', (expect_, message) => {
    const problems = checkPlace(having({ expect: expect_ as object }));
    expect(problems.map(p => p.message).join('\n')).toContain(message);
    expect(problems[0]!.path.slice(0, 3)).toEqual(['layers', 0, 'expect']);
  });

  it('that are tighter, or looser for a reason, are valid', () => {
    expect(checkPlace(having({ expect: { rejected: 0, fewer: 0, hits: { OCC_CLS: 0.9 } } }))).toEqual([]);
    expect(checkPlace(having({ expect: { rejected: 0.1, because: 'a test' } }))).toEqual([]);
  });
});
