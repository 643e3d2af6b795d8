import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import type { RasterLayer, Value, VectorLayer } from '../../../../datasets/dataset.ts';
import { createFixture, dataset, type FeatureSpec, type Fixture, field, rectangle } from '../../release-fixture.ts';
import { bothForms } from './forms.ts';

const LONG = process.env.PLAT_TEST === 'long';

const zones: VectorLayer = {
  kind: 'vector',
  geometry: 'polygon',
  joinKey: null,
  partition: 'county',
  columns: { CODE: { type: 'string' } },
};
const crops: RasterLayer = {
  kind: 'raster',
  bands: 1,
  sampling: 'nearest',
  nodata: [0],
  partition: 'national',
};
const text = { type: 'string', confidence: 'parcel_match' } as const;
const land = dataset(
  'land',
  { zones, crops },
  {
    zone: field('polygon_attr(land:zones, CODE, over=parcel, stat=majority)', text),
    shares: field('polygon_attr(land:zones, CODE, over=parcel, stat=shares)', text),
    dated: field('polygon_attr(land:zones, CODE, over=parcel, stat=vintage)', text),
    crop: field('raster_zonal(land:crops, 1, stat=majority, over=parcel)', { confidence: 'parcel_match' }),
    crop_share: field('raster_zonal(land:crops, 1, stat=share, over=parcel)', { confidence: 'parcel_match' }),
  },
);
const parcels = dataset('parcel_store', { main: { ...zones, columns: { apn: { type: 'string' } } } });

/** Degrees: some 111 m a side. */
const SIDE = 0.001;
const lot = { geometry: rectangle([0, 0, SIDE, SIDE]), apn: 'lot' };
const MIDDLE = { lng: SIDE / 2, lat: SIDE / 2 };

interface Strip {
  /** Shares of the lot's width from its west edge. */
  readonly from: number;
  readonly to: number;
  readonly code: string | null;
}

const strip = ({ from, to, code }: Strip): FeatureSpec => ({
  geometry: rectangle([from * SIDE, -SIDE, to * SIDE, 2 * SIDE]),
  CODE: code,
});

/** Share of the lot that strips of one code cover together: strips reach beyond it, so widths alone count. */
function shareOf(strips: readonly Strip[], code: string): number {
  const ends = strips.filter(s => s.code === code).map(({ from, to }) => [Math.max(0, from), Math.min(1, to)] as const);
  ends.sort((a, b) => a[0] - b[0]);
  let [share, east] = [0, 0];
  for (const [from, to] of ends) {
    if (to <= east) continue;
    share += to - Math.max(from, east);
    east = to;
  }
  return share;
}

/** Square metres of the lot, within a square metre. */
const LOT = 12_308.8;

let fixture: Fixture | null = null;
afterEach(() => {
  fixture?.remove();
  fixture = null;
});

interface Drawn {
  readonly cells?: readonly number[];
  readonly accuracyM?: number;
}

async function answersOf(strips: readonly Strip[], { cells = new Array(100).fill(1), accuracyM = 0 }: Drawn = {}) {
  const values = Float32Array.from({ length: 100 }, (_, i) => cells[i]!);
  fixture = await createFixture([land, parcels], {
    parcel_store: { main: [{ key: 'ME/23019', features: [lot] }] },
    land: {
      zones: [{ key: 'ME/23019', features: strips.map(strip), vintage: '2020-02-03', accuracyM }],
      crops: [{ raster: { width: 10, height: 10, west: 0, north: SIDE, cell: SIDE / 10, values } }],
    },
  });
  const [answers] = await bothForms(fixture, ['zone', 'shares', 'dated', 'crop', 'crop_share'], [MIDDLE]);
  fixture.remove();
  return answers!;
}

describe('the majority of a parcel', () => {
  it.each<[string, Strip[], Value]>([
    ['a zone that covers 0.03 % of the lot is not its zone', [{ from: 0.9997, to: 2, code: 'R1' }], null],
    ['nor is one that covers 40 %, the rest being unmapped', [{ from: 0, to: 0.4, code: 'R1' }], null],
    ['half of the whole lot is enough', [{ from: 0, to: 0.5, code: 'R1' }], 'R1'],
    [
      'a polygon without a code counts as unmapped',
      [
        { from: 0, to: 0.45, code: 'R1' },
        { from: 0.45, to: 1, code: null },
      ],
      null,
    ],
    [
      'polygons of one code cover together',
      [
        { from: 0, to: 0.3, code: 'R1' },
        { from: 0.2, to: 0.55, code: 'R1' },
        { from: 0.55, to: 1, code: 'C' },
      ],
      'R1',
    ],
    [
      'of three none may cover half',
      [
        { from: 0, to: 0.4, code: 'R1' },
        { from: 0.4, to: 0.75, code: 'C' },
        { from: 0.75, to: 1, code: 'I' },
      ],
      null,
    ],
  ])('%s', async (_, strips, value) => {
    const { zone, dated } = await answersOf(strips);
    expect(zone!.value).toBe(value);
    expect(zone!.status).toBe(value === null ? 'absent' : 'ok');
    expect(dated!.value).toBe(value === null ? null : '2020-02-03');
    if (value === null)
      expect(zone!.notes).toMatch(/on half of the parcel: the largest part is .*, on [\d.]+ % of it$/);
  });

  it('is no sliver, nor are slivers among the shares', async () => {
    // 4 cm of the next zone, as where two people drew one line.
    const { shares } = await answersOf([
      { from: -1, to: 0.00004, code: 'C' },
      { from: 0.00004, to: 1, code: 'R1' },
    ]);
    expect(shares!.value).toBe('R1:1');
    const alone = await answersOf([{ from: -1, to: 0.00004, code: 'C' }]);
    expect(alone.shares).toMatchObject({ status: 'absent', value: null });
  });

  it('has every share of a square metre, those below the accuracy of the map with low confidence', async () => {
    // 0.4 % of the lot are 49 m²; the square of 12 m has 144.
    const strips = [
      { from: 0.004, to: 1, code: 'X' },
      { from: -1, to: 0.004, code: 'AE' },
    ];
    const { shares, zone } = await answersOf(strips, { accuracyM: 12 });
    expect(shares).toMatchObject({ value: 'X:0.996;AE:0.004', confidence: 'low' });
    expect(shares!.notes).toBe(
      'the part of AE is smaller than a square of 12 m, the accuracy of the source, and may not be there',
    );
    expect(zone).toMatchObject({ value: 'X', confidence: 'high', notes: null });
    // Another map, which is as accurate as the part is wide.
    expect((await answersOf(strips, { accuracyM: 7 })).shares).toMatchObject({ confidence: 'high', notes: null });
    // Half of a lot and more is there, however inaccurate the map.
    expect((await answersOf([{ from: 0, to: 0.5, code: 'AE' }], { accuracyM: 1000 })).shares).toMatchObject({
      value: 'AE:0.5',
      confidence: 'high',
    });
  });

  it('tells a share that four decimals would round to zero', async () => {
    const { shares } = await answersOf([
      { from: 0.00009, to: 1, code: 'R1' },
      { from: -1, to: 0.00009, code: 'C' },
    ]);
    expect(shares!.value).toBe('R1:0.9999;C:0.000090');
  });

  it('is what strips over the lot say, whatever they leave open', async () => {
    const code = fc.constantFrom('A', 'B', 'C', null);
    const one = fc.record({
      from: fc.double({ min: -0.2, max: 1, noNaN: true }),
      wide: fc.double({ min: 0.0001, max: 0.8, noNaN: true }),
      code,
    });
    await fc.assert(
      fc.asyncProperty(fc.array(one, { minLength: 1, maxLength: 6 }), async drawn => {
        const strips = drawn.map(({ from, wide, code }) => ({ from, to: from + wide, code }));
        const answers = await answersOf(strips);
        const known = ['A', 'B', 'C'].map(code => ({ code, share: shareOf(strips, code) }));
        known.sort((a, b) => b.share - a.share);
        const [first] = known;
        if (Math.abs(first!.share - 0.5) > 1e-6 && Math.abs(first!.share - known[1]!.share) > 1e-6)
          expect(answers.zone!.value).toBe(first!.share > 0.5 ? first!.code : null);
        const told = new Map(
          String(answers.shares!.value ?? '')
            .split(';')
            .map(part => part.split(':') as [string, string]),
        );
        for (const { code, share } of known)
          if (Math.abs(share * LOT - 1) > 0.01) {
            expect(told.has(code), `${code} ${share}`).toBe(share * LOT > 1);
            if (told.has(code)) expect(Number(told.get(code))).toBeCloseTo(share, 3);
          }
      }),
      { seed: 24, numRuns: LONG ? 60 : 20 },
    );
  });

  it('of cells counts those without data as of no class', async () => {
    const cells = (corn: number, soy: number) =>
      Array.from({ length: 100 }, (_, i) => (i < corn ? 1 : i < corn + soy ? 5 : 0));
    expect(await answersOf([], { cells: cells(60, 0) })).toMatchObject({
      crop: { value: 1 },
      crop_share: { value: 0.6 },
    });
    expect(await answersOf([], { cells: cells(50, 30) })).toMatchObject({
      crop: { value: 1 },
      crop_share: { value: 0.5 },
    });
    for (const [corn, soy] of [
      [49, 10],
      [35, 40],
    ] as const) {
      const { crop, crop_share } = await answersOf([], { cells: cells(corn, soy) });
      expect(crop).toMatchObject({ status: 'absent', value: null, notes: expect.stringContaining('has half of') });
      expect(crop_share).toMatchObject({ status: 'absent', value: null });
    }
  });
});
