import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonBytes, Phrase } from '../../../query/format/json-bytes.ts';
import { toGeoJson, writeGeoJson } from '../../../query/search/page/geojson.ts';
import { fromGeoJSON, type Polygonal } from '../../oracle/geojson.ts';

/** What was written, as text. */
function text(write: (out: JsonBytes) => void): string {
  const out = JsonBytes.take();
  try {
    write(out);
    return Buffer.from(out.written()).toString();
  } finally {
    out.release();
  }
}

const viewOf = (of: string): DataView => {
  const { buffer, byteOffset, byteLength } = Buffer.from(of);
  return new DataView(buffer, byteOffset, byteLength);
};

describe('JSON written as bytes', () => {
  it('is what JSON.stringify writes, for any value', () => {
    const value = fc.oneof(
      fc.double(),
      fc.integer(),
      fc.tuple(fc.integer(), fc.integer({ min: 1, max: 7 })).map(([n, decimals]) => n / 10 ** decimals),
      fc.constantFrom(0, -0, 10, -10, 99, 100, 2 ** 31, -(2 ** 31), 2 ** 31 - 1, 1e21, 5e-324, 0.1 + 0.2),
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme' }),
      fc.boolean(),
      fc.constant(null),
    );
    fc.assert(
      fc.property(value, v => {
        expect(text(out => out.value(v))).toBe(JSON.stringify(v));
      }),
      { numRuns: 4000, seed: 4 },
    );
  });

  it('is what JSON.stringify writes, for positions', () => {
    const number = fc.oneof(fc.double({ min: -256, max: 256 }), fc.double(), fc.integer({ min: -300, max: 300 }));
    fc.assert(
      fc.property(number, number, (lng, lat) => {
        expect(text(out => out.position(lng, lat))).toBe(JSON.stringify([lng, lat]));
      }),
      { numRuns: 2000, seed: 6 },
    );
  });

  it('takes strings from UTF-8 that stands in other bytes', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'grapheme' }), fc.string()), s => {
        const bytes = viewOf(`<${s}>`);
        expect(text(out => out.text(bytes, 1, bytes.byteLength - 2))).toBe(JSON.stringify(s));
      }),
      { numRuns: 1000, seed: 5 },
    );
  });

  it('tells every byte that must be escaped, wherever it stands', () => {
    for (let code = 0; code < 256; code++)
      for (let at = 0; at < 9; at++) {
        const of = `${'a'.repeat(at)}${String.fromCharCode(code)}${'~ z'.repeat(3)}`;
        const bytes = viewOf(of);
        expect(text(out => out.text(bytes, 0, bytes.byteLength))).toBe(JSON.stringify(of));
      }
  });

  it('says phrases of every length, at the end of its memory too', () => {
    for (let length = 0; length < 12; length++) {
      const phrase = new Phrase('phrase ähnlich'.slice(0, length));
      expect(text(out => out.say(phrase))).toBe('phrase ähnlich'.slice(0, length));
    }
    const phrase = new Phrase('seven..');
    expect(
      text(out => {
        for (let i = 0; i < 10_000; i++) out.say(phrase);
      }),
    ).toBe('seven..'.repeat(10_000));
  });

  it('refuses bytes that are no UTF-8 and keeps what stood before', () => {
    const out = JsonBytes.take();
    out.string('a');
    const before = out.length;
    expect(() => out.text(new DataView(Uint8Array.of(0x61, 0xff, 0x61).buffer), 0, 3)).toThrow(TypeError);
    expect(out.length).toBe(before);
    out.release();
  });

  it('grows beyond the memory it begins with, and begins anew with memory that was used', () => {
    const long = 'x'.repeat(300_000);
    expect(text(out => out.string(long))).toBe(JSON.stringify(long));
    expect(text(out => out.null())).toBe('null');
  });

  it('writes boundaries as GeoJSON', () => {
    const ring = (x: number) => [
      [x, 0],
      [x + 1.5, 0],
      [x + 1, 1e-7],
      [x, 0],
    ];
    const turned = (x: number) => ring(x).reverse();
    // As files keep them, shells clockwise, and as RFC 7946 has them.
    for (const [shell, hole] of [
      [turned, ring],
      [ring, turned],
      [ring, ring],
      [turned, turned],
    ] as const)
      for (const [kept, right] of [
        [[[shell(0), hole(0.25)]], [[ring(0), turned(0.25)]]],
        [
          [[shell(-71.123456789)], [shell(2), hole(2.5)]],
          [[ring(-71.123456789)], [ring(2), turned(2.5)]],
        ],
      ] as const) {
        const polygon = (coordinates: typeof kept | typeof right) =>
          coordinates.length === 1
            ? { type: 'Polygon' as const, coordinates: coordinates[0]! }
            : { type: 'MultiPolygon' as const, coordinates };
        const stored = fromGeoJSON(polygon(kept) as unknown as Polygonal);
        expect(JSON.parse(text(out => writeGeoJson(out, stored)))).toEqual(polygon(right));
        expect(text(out => writeGeoJson(out, stored))).toBe(JSON.stringify(toGeoJson(stored)));
      }
  });
});
