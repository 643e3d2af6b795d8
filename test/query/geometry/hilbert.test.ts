import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hilbert, hilbertOf } from '../../../query/geometry/hilbert.ts';

const cell = fc.integer({ min: 0, max: 0xffff });

describe('hilbert', () => {
  it('starts at the lower left corner and ends at the lower right, as FlatGeobuf has it', () => {
    expect([hilbert(0, 0), hilbert(0, 0xffff), hilbert(0xffff, 0xffff), hilbert(0xffff, 0)]).toEqual([
      0, 0x55555555, 0xaaaaaaaa, 0xffffffff,
    ]);
    // Computed with the public-domain source that FlatGeobuf cites.
    expect(hilbert(12345, 54321)).toBe(1555040834);
    expect(hilbert(40000, 100)).toBe(3958386352);
  });

  it('gives neighbours on the curve to cells that touch', () => {
    // The whole 2^4-cell corner: a curve of lower level fills it before it goes anywhere else.
    const cells: [number, number][] = [];
    for (let x = 0; x < 16; x++) for (let y = 0; y < 16; y++) cells[hilbert(x, y)] = [x, y];
    expect(Object.keys(cells)).toHaveLength(256);
    for (let i = 1; i < 256; i++) {
      const [a, b] = [cells[i - 1]!, cells[i]!];
      expect(Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1])).toBe(1);
    }
  });

  it('keeps a whole number of 32 bits and tells different cells apart', () => {
    fc.assert(
      fc.property(cell, cell, cell, cell, (a, b, c, d) => {
        const first = hilbert(a, b);
        expect(Number.isInteger(first) && first >= 0 && first <= 0xffffffff).toBe(true);
        expect(hilbert(c, d) === first).toBe(a === c && b === d);
      }),
    );
  });
});

describe('hilbertOf', () => {
  it('puts the corners of the world on the corners of the grid, and what lies outside on its edge', () => {
    expect(hilbertOf(-180, -90)).toBe(0);
    expect(hilbertOf(180, -90)).toBe(0xffffffff);
    expect(hilbertOf(-190, -95)).toBe(0);
    expect(hilbertOf(0, 0)).toBe(hilbert(32767, 32767));
  });
});
