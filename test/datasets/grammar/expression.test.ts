import { describe, expect, test } from 'vitest';
import { OPERATORS, parseExpression } from '../../../datasets/grammar/expression.ts';

describe('parseExpression', () => {
  test('source, argument, options, sentinels and condition', () => {
    const parsed = parseExpression(
      "nearest_attr(eia_atlas:transmission_lines, `Odd, Name`, max_km=300, scale=1e-3, null[-999999, 'NOT AVAILABLE'], where[STATUS = 'IN SERVICE'])",
    );
    expect(parsed).toMatchObject({
      op: 'nearest_attr',
      sources: [{ dataset: 'eia_atlas', layer: 'transmission_lines', where: null }],
      argument: 'Odd, Name',
      options: { max_km: 300, scale: 0.001 },
      nulls: [-999999, 'NOT AVAILABLE'],
      where: { kind: 'compare', column: 'STATUS', op: '=', value: 'IN SERVICE' },
      formula: null,
    });
  });

  test('a dataset without layer is its main one, and bare options are text', () => {
    const parsed = parseExpression('area_key_attr(fema_nri, key=tract_geoid, RISK_SCORE, agg=mean)');
    expect(parsed.sources).toEqual([{ dataset: 'fema_nri', layer: 'main', where: null }]);
    expect(parsed.argument).toBe('RISK_SCORE');
    expect(parsed.options).toEqual({ key: 'tract_geoid', agg: 'mean' });
  });

  test('several sources, each with its condition', () => {
    const { sources } = parseExpression(
      "overlap_fraction(any_of[usfws_nwi; fema_nfhl:S_FLD where A = ' where ; ' and B > 1], over=parcel)",
    );
    expect(sources).toEqual([
      { dataset: 'usfws_nwi', layer: 'main', where: null },
      {
        dataset: 'fema_nfhl',
        layer: 'S_FLD',
        where: {
          kind: 'and',
          terms: [
            { kind: 'compare', column: 'A', op: '=', value: ' where ; ' },
            { kind: 'compare', column: 'B', op: '>', value: 1 },
          ],
        },
      },
    ]);
  });

  test('derived binds every input, to a field or to another call', () => {
    const { formula, inputs, sources } = parseExpression(
      'derived(expr[elevation - z], elevation=@elevation, z=nearest_attr(nhd:flow, MinElevSmo, max_km=5, scale=0.01))',
    );
    expect(formula).toMatchObject({ kind: 'binary', op: '-' });
    expect(inputs.elevation).toEqual({ field: 'elevation' });
    expect(inputs.z).toMatchObject({ op: 'nearest_attr', argument: 'MinElevSmo', options: { max_km: 5, scale: 0.01 } });
    expect(sources).toEqual([]);
  });

  test('parcel_attr has a column and no source', () => {
    expect(parseExpression('parcel_attr(@area_m2)')).toMatchObject({ argument: '@area_m2', sources: [] });
  });

  test('the mark of a name still to be confirmed is dropped', () => {
    const parsed = parseExpression('area_key_attr(eia_861:reliability?, key=utility_eia_id, `SAIDI With MED?`)');
    expect(parsed.argument).toBe('SAIDI With MED');
    expect(parsed.sources[0]!.layer).toBe('reliability');
  });

  test.each([
    ['nearest_distance', /no operator call/],
    ['constructor(a)', /no operator call/],
    ['distance_to(a, max_km=1)', /no operator call/],
    ['nearest_distance(a)', /needs max_km/],
    ['nearest_distance(a, b, max_km=1)', /takes 1 positional/],
    ['polygon_attr(a, b, max_km=1)', /does not take max_km/],
    ['polygon_attr(a,, b)', /Nothing before/],
    ['polygon_attr(a, b', /no operator call/],
    ['polygon_attr(a, b, where[c = (1])', /Unbalanced|expected/],
    ['polygon_attr(A b, c)', /no dataset/],
    ['polygon_attr(a, b, null[abc])', /no number and no quoted text/],
    ['derived(expr[a + b], a=@x)', /unbound input b/],
    ['derived(expr[toString + a], a=@x)', /unbound input toString/],
    ['derived(expr[a], a=@x, b=@y)', /never uses input b/],
  ])('refuses %s', (text, message) => {
    expect(() => parseExpression(text)).toThrow(SyntaxError);
    expect(() => parseExpression(text)).toThrow(message);
  });

  test('every operator of the grammar can be written with only what it needs', () => {
    for (const [name, signature] of Object.entries(OPERATORS)) {
      const positional = Array.from({ length: signature.positional }, (_, i) => (i === 0 ? 'some_data' : 'column'));
      const required = signature.required.map(key => (key === 'expr' ? 'expr[1]' : `${key}=1`));
      expect(parseExpression(`${name}(${[...positional, ...required].join(', ')})`).op).toBe(name);
    }
  });
});
