import { describe, expect, it } from 'vitest';
import type { VectorLayer } from '../../../../datasets/dataset.ts';
import { createFixture, dataset, field, rectangle } from '../../release-fixture.ts';

const main: VectorLayer = {
  kind: 'vector',
  geometry: 'polygon',
  joinKey: null,
  partition: 'national',
  columns: { code: { type: 'string' }, n: { type: 'number' }, zero: { type: 'number' }, none: { type: 'number' } },
};
const medium = { confidence: 'const(medium)' };
const min = { confidence: 'min_inputs' };
const areas = dataset(
  'areas',
  { main, other: main },
  {
    n: field('polygon_attr(areas, n)', medium),
    code: field('polygon_attr(areas, code)', { type: 'string' }),
    none: field('polygon_attr(areas, none)'),
    broken: field('polygon_attr(areas:other, n)'),
    sum: field('derived(expr[100 * (a + b - 1) / 3], a=@n, b=polygon_attr(areas, n))', min),
    fraction: field('derived(expr[a / 3], a=@n)', { ...min, unit: 'fraction' }),
    log: field('derived(expr[ln(a)], a=@n)', min),
    log_zero: field('derived(expr[ln(a)], a=polygon_attr(areas, zero))', min),
    divided: field('derived(expr[a / b], a=@n, b=polygon_attr(areas, zero))', min),
    prefix: field('derived(expr[left(c, 2)], c=@code)', { ...min, type: 'string' }),
    joined: field("derived(expr[join(' ', c, n)], c=@code, n=@n)", { ...min, type: 'string' }),
    of_none: field('derived(expr[a + b], a=@none, b=@n)', min),
    of_broken: field('derived(expr[a + b], a=@broken, b=@none)', min),
    of_text: field('derived(expr[c + 1], c=@code)', min),
    chain: field('derived(expr[s * 2], s=@sum)', min),
  },
);

describe('derived', () => {
  it('computes, takes the lowest confidence, and passes absence and failure on', async () => {
    const fixture = await createFixture([areas], {
      areas: {
        main: [
          { features: [{ geometry: rectangle([0, 0, 1, 1]), code: '0102', n: 2, zero: 0, none: null }], source: 's1' },
        ],
      },
    });
    try {
      const a = await fixture.ask([...fixture.catalog.fields.keys()], { lng: 0.5, lat: 0.5 });
      expect(a.sum).toMatchObject({ status: 'ok', value: 100, confidence: 'medium', source: 's1' });
      expect(a.chain).toMatchObject({ status: 'ok', value: 200, confidence: 'medium' });
      expect(a.fraction!.value).toBe(0.6667);
      expect(a.log!.value).toBeCloseTo(Math.LN2, 12);
      expect(a.log_zero).toMatchObject({ status: 'absent', notes: 'logarithm of a number that is not positive' });
      expect(a.divided).toMatchObject({ status: 'absent', value: null, notes: 'division by zero' });
      expect(a.prefix!.value).toBe('01');
      expect(a.joined!.value).toBe('0102 2');
      expect(a.of_none).toMatchObject({
        status: 'absent',
        notes: expect.stringMatching(
          /^no ".*" \(none\), from which it is calculated: the source leaves it empty \(none\)$/,
        ),
        confidence: 'medium',
      });
      expect(a.of_broken).toMatchObject({ status: 'failed', retryable: false, confidence: 'low' });
      expect(a.of_broken!.error).toContain('(broken), from which it is calculated, failed: data of areas:other');
      expect(a.of_text!.value).toBe(103);
    } finally {
      fixture.remove();
    }
  });
});
