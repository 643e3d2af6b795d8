import { writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RasterLayer } from '../../../../../datasets/dataset.ts';
import { cellOf, cellsWithin, type DegreeGrid } from '../../../../oracle/grid.ts';
import { createFixture, dataset, type Fixture, field } from '../../../release-fixture.ts';

const LONG = process.env.PLAT_TEST === 'long';

const layer: RasterLayer = { kind: 'raster', bands: 1, sampling: 'nearest', nodata: [250], partition: 'state' };
const zonal = (layerName: string, args: string) => field(`raster_zonal(cover:${layerName}, 1, ${args})`);
const cover = dataset(
  'cover',
  { whole: layer, split: layer, overlap: layer, wide: layer },
  {
    mean: zonal('whole', 'stat=mean, over=radius:150'),
    range: zonal('whole', 'stat=range, over=radius:150'),
    majority: zonal('whole', 'stat=majority, over=radius:150'),
    fraction: zonal('whole', 'stat=fraction, over=radius:150, where[value in (41,42)]'),
    mean_41: zonal('whole', 'stat=mean, over=radius:150, where[value > 40]'),
    none: zonal('whole', 'stat=mean, over=radius:150, where[value > 400]'),
    name: field('raster_zonal(cover:whole, 1, stat=majority, over=radius:150, map=nlcd_classes)', { type: 'string' }),
    tiny: zonal('whole', 'stat=mean, over=radius:1'),
    split_mean: zonal('split', 'stat=mean, over=radius:150'),
    split_fraction: zonal('split', 'stat=fraction, over=radius:150, where[value in (41,42)]'),
    overlap_mean: zonal('overlap', 'stat=mean, over=radius:150'),
    wide: zonal('wide', 'stat=fraction, over=radius:20000, where[value = 11]'),
    unknown: zonal('whole', 'stat=median, over=radius:150'),
    unasked: zonal('whole', 'stat=fraction, over=radius:150'),
    band2: field('raster_zonal(cover:whole, 2, stat=mean, over=radius:150)'),
  },
);

const CELL = 0.00025;
const CODES = [11, 21, 41, 42, 250];
const [width, height] = [90, 70];
const make = (cell: number): DegreeGrid => ({
  west: -112,
  north: 48,
  cell,
  width,
  height,
  values: Float32Array.from({ length: width * height }, (_, i) => CODES[((i * 7919 + (i >> 4)) >>> 3) % CODES.length]!),
});
const grid = make(CELL);
const seen = (g: DegreeGrid): DegreeGrid => ({
  ...g,
  values: Float64Array.from(g.values, v => (v === 250 ? Number.NaN : v)),
});
const crop = (column0: number, column1: number, row0: number, row1: number): DegreeGrid => {
  const across = column1 - column0;
  return {
    ...grid,
    west: grid.west + column0 * CELL,
    north: grid.north - row0 * CELL,
    width: across,
    height: row1 - row0,
    values: Float32Array.from({ length: across * (row1 - row0) }, (_, i) =>
      cellOf(grid, column0 + (i % across), row0 + Math.floor(i / across)),
    ),
  };
};
const tile = (name: string, raster: DegreeGrid) => ({ raster, place: name, source: name, coverage: 'extent' as const });

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture([cover], {
    cover: {
      whole: [{ raster: grid, coverage: 'extent' }],
      split: [
        tile('nw', crop(0, 47, 0, 33)),
        tile('ne', crop(47, width, 0, 33)),
        tile('sw', crop(0, 47, 33, height)),
        tile('se', crop(47, width, 33, height)),
      ],
      overlap: [tile('left', crop(0, 50, 0, height)), tile('right', crop(44, width, 0, height))],
      wide: [{ raster: make(0.02), coverage: 'extent' }],
    },
  });
});
afterAll(() => fixture.remove());

const at = (lng: number, lat: number, ...names: string[]) => fixture.ask(names, { lng, lat });
const place = (column: number, row: number): [number, number] => [grid.west + column * CELL, grid.north - row * CELL];

/** The statistics by plain loops over the cells of the disc. */
function truth(g: DegreeGrid, lng: number, lat: number, metres: number) {
  const cells = cellsWithin(seen(g), lng, lat, metres).map(([c, r]) => cellOf(seen(g), c, r));
  const valid = cells.filter(v => !Number.isNaN(v));
  const count = (code: number) => valid.filter(v => v === code).length;
  const ordered = [...CODES].sort((a, b) => count(b) - count(a) || a - b);
  return {
    enough: valid.length * 2 >= cells.length,
    valid,
    mean: valid.reduce((a, b) => a + b, 0) / valid.length,
    range: Math.max(...valid) - Math.min(...valid),
    majority: ordered[0]!,
    share: (codes: number[]) => valid.filter(v => codes.includes(v)).length / valid.length,
  };
}

describe('raster_zonal', () => {
  it('agrees with plain loops over the cells whose centre lies in the disc', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.double({ min: 0, max: width, noNaN: true }),
        fc.double({ min: 0, max: height, noNaN: true }),
        async (x, y) => {
          const [lng, lat] = place(x, y);
          const answers = await at(lng, lat, 'mean', 'range', 'majority', 'fraction', 'mean_41');
          const t = truth(grid, lng, lat, 150);
          if (!answers.mean!.notes?.includes('outside')) {
            if (!t.enough) {
              for (const answer of Object.values(answers)) expect(answer.notes).toMatch(/under half$/);
              return;
            }
            expect(answers.mean!.value).toBeCloseTo(t.mean, 9);
            expect(answers.range!.value).toBe(t.range);
            expect(answers.majority!.value).toBe(t.majority);
            expect(answers.fraction!.value).toBe(Math.round(t.share([41, 42]) * 1e4) / 1e4);
            const tall = t.valid.filter(v => v > 40);
            expect(answers.mean_41!.value).toBeCloseTo(tall.reduce((a, b) => a + b, 0) / tall.length, 9);
          }
        },
      ),
      { seed: 7, numRuns: LONG ? 60 : 20 },
    );
  });

  it('names the majority, and breaks a tie to the smaller code', async () => {
    const values = new Float32Array(width * height).map((_, i) =>
      ((i % width) + Math.floor(i / width)) % 2 ? 42 : 41,
    );
    const chess = await createFixture([cover], {
      cover: { whole: [{ raster: { ...grid, values }, coverage: 'extent' }] },
    });
    try {
      // About a corner of four cells the disc is symmetric: as many of each colour.
      const [lng, lat] = place(45, 35);
      const t = truth({ ...grid, values }, lng, lat, 150);
      expect(t.share([41])).toBe(0.5);
      const { majority, name } = await chess.ask(['majority', 'name'], { lng, lat });
      expect(majority!.value).toBe(41);
      expect(name!.value).toBe('Deciduous Forest');
    } finally {
      chess.remove();
    }
  });

  it('reads a disc over four tiles, or overlapping ones, as over one', async () => {
    for (const [x, y] of [
      [46.7, 32.8],
      [44.1, 36.2],
      [51.9, 20.4],
    ] as const) {
      const [lng, lat] = place(x, y);
      const answers = await at(lng, lat, 'mean', 'split_mean', 'fraction', 'split_fraction', 'overlap_mean');
      expect(answers.split_mean!.value).toBe(answers.mean!.value);
      expect(answers.overlap_mean!.value).toBe(answers.mean!.value);
      expect(answers.split_fraction!.value).toBe(answers.fraction!.value);
    }
    const [lng, lat] = place(46.7, 32.8);
    const { split_mean } = await at(lng, lat, 'split_mean');
    expect(split_mean!.source.split(';').sort()).toEqual(['ne', 'nw', 'se', 'sw']);
  });

  it('keeps to the disc where cells narrow towards the pole', async () => {
    const coarse = make(0.02);
    const [lng, lat] = [-112 + 45.2 * 0.02, 48 - 30.7 * 0.02];
    const { wide } = await at(lng, lat, 'wide');
    expect(wide!.value).toBe(Math.round(truth(coarse, lng, lat, 20_000).share([11]) * 1e4) / 1e4);
  });

  it('goes on across 180 degrees', async () => {
    const half = (west: number) => ({
      ...grid,
      west,
      north: 52,
      values: new Float32Array(width * height).fill(west < 0 ? 41 : 11),
    });
    const line = await createFixture([cover], {
      cover: {
        split: [tile('before', half(180 - width * CELL)), tile('beyond', half(-180))],
      },
    });
    try {
      for (const [lng, expected] of [
        [179.9999, 0.47],
        [-179.9999, 0.53],
      ] as const) {
        const { split_fraction } = await line.ask(['split_fraction'], { lng, lat: 52 - 35.2 * CELL });
        expect(split_fraction!.value).toBeCloseTo(expected, 1);
        expect(split_fraction!.source.split(';').sort()).toEqual(['before', 'beyond']);
      }
    } finally {
      line.remove();
    }
  });

  it('is absent where too little is known, and fails what it cannot do', async () => {
    const corner = await at(...place(0.2, 0.2), 'mean');
    expect(corner.mean).toMatchObject({ status: 'absent', value: null });
    expect(corner.mean!.notes).toMatch(/only \d+ of \d+ cells have data, under half/);
    const middle = await at(...place(45.5, 35.1), 'none', 'unknown', 'unasked', 'band2');
    expect(middle.none).toMatchObject({
      status: 'absent',
      notes: 'cover:whole (source_of_somewhere): no cell meets the condition',
    });
    expect(middle.unknown!.error).toContain('no statistic median');
    expect(middle.unasked!.error).toContain('needs a condition');
    expect(middle.band2!.error).toContain('no band 2');
    const between = await at(...place(45, 35), 'tiny');
    expect(between.tiny).toMatchObject({
      status: 'absent',
      notes: 'no cell of cover:whole (source_of_somewhere) has its center within 1 m',
    });
    expect((await at(0, 0, 'mean')).mean!.notes).toBe('outside the coverage of cover:whole');
  });

  it('fails only where a damaged tile is needed', async () => {
    const other = await createFixture([cover], {
      cover: { split: [tile('nw', crop(0, 47, 0, 33)), tile('ne', crop(47, width, 0, 33))] },
    });
    try {
      writeFileSync(other.path('cover', 'split', 'raster', 1), 'not a raster');
      const [far] = [await other.ask(['split_mean'], { lng: place(20.5, 16.5)[0], lat: place(20.5, 16.5)[1] })];
      const near = await other.ask(['split_mean'], { lng: place(45.5, 16.5)[0], lat: place(45.5, 16.5)[1] });
      expect(near.split_mean).toMatchObject({ status: 'failed', retryable: true });
      expect(near.split_mean!.error).toContain('is damaged');
      expect(far.split_mean!.status).toBe('ok');
    } finally {
      other.remove();
    }
  });
});
