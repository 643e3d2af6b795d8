import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RasterLayer } from '../../../../../datasets/dataset.ts';
import { createFixture, dataset, type Fixture, field, rectangle } from '../../../release-fixture.ts';

const layer = (sampling: RasterLayer['sampling'], nodata: number[] = []): RasterLayer => ({
  kind: 'raster',
  bands: 1,
  sampling,
  nodata,
  partition: 'national',
});
const grids = dataset(
  'grids',
  { dem: layer('bilinear'), cover: layer('nearest', [250]), pixel: layer('nearest'), tiles: layer('nearest') },
  {
    elevation: field('raster_sample(grids:dem, 1)'),
    cover: field('raster_sample(grids:cover, 1, map=nlcd_classes)', { type: 'string' }),
    depth: field('raster_sample(grids:cover, 1, scale=0.3048, offset=1, null[11])'),
    pixel: field('raster_sample(grids:pixel, 1)'),
    band2: field('raster_sample(grids:pixel, 2)'),
    tiles: field('raster_sample(grids:tiles, 1)'),
  },
);
const width = 7;
const height = 5;
const cell = 0.25;
const west = -70;
const north = 45;
const values = Float32Array.from({ length: width * height }, (_, i) => ((i * 7919) % 101) / 3);
values[9] = -9999;
const classes = Float32Array.from({ length: width * height }, () => 41);
classes[0] = 11;
classes[1] = 250;
classes[2] = 77;
const grid = { width, height, west, north, cell };

let fixture: Fixture;
beforeAll(async () => {
  fixture = await createFixture([grids], {
    grids: {
      dem: [{ raster: { ...grid, values, nodata: -9999 }, coverage: 'extent' }],
      cover: [{ raster: { ...grid, values: classes }, coverage: 'extent' }],
      pixel: [{ raster: { ...grid, values, nodata: -9999 }, coverage: 'extent' }],
      tiles: [
        { raster: { ...grid, values: values.map(() => 1) }, place: 'coarse', source: 'coarse', coverage: 'extent' },
        {
          raster: { width: 2, height: 2, west, north, cell: 0.1, values: [2, -1, 2, 2], nodata: -1 },
          place: 'fine',
          source: 'fine',
          coverage: 'extent',
        },
      ],
    },
  });
});
afterAll(() => fixture.remove());

const at = (lng: number, lat: number, ...names: string[]) => fixture.ask(names, { lng, lat });
const cellAt = (column: number, row: number) => values[row * width + column]!;

describe('raster_sample', () => {
  it('takes the cell that contains the point, its western and northern edge included', async () => {
    const { pixel } = await at(west + 2 * cell, north - 3 * cell, 'pixel');
    expect(pixel!.value).toBe(cellAt(2, 3));
  });

  it('weighs the four cell centres of a bilinear layer', async () => {
    const fx = 0.3;
    const fy = 0.8;
    const { elevation } = await at(west + (3.5 + fx) * cell, north - (2.5 + fy) * cell, 'elevation');
    const expected =
      cellAt(3, 2) * (1 - fx) * (1 - fy) +
      cellAt(4, 2) * fx * (1 - fy) +
      cellAt(3, 3) * (1 - fx) * fy +
      cellAt(4, 3) * fx * fy;
    expect(elevation!.value).toBeCloseTo(expected, 6);
  });

  it('weighs only valid neighbours at no data and at the edge; a cell without data is absent', async () => {
    // Cell 9 is column 2, row 1. Halfway between the centres of columns 2 and 3 in row 1, but inside column 3.
    const { elevation } = await at(west + 3.1 * cell, north - 1.5 * cell, 'elevation');
    expect(elevation!.value).toBeCloseTo(cellAt(3, 1), 6);
    const corner = await at(west + 0.01 * cell, north - 0.01 * cell, 'elevation');
    expect(corner.elevation!.value).toBeCloseTo(cellAt(0, 0), 6);
    const none = await at(west + 2.5 * cell, north - 1.5 * cell, 'elevation', 'pixel');
    expect(none.elevation).toMatchObject({ status: 'absent', value: null });
    expect(none.pixel!.notes).toContain('no data in the cell');
  });

  it('maps codes, and treats declared no data, sentinels and unknown codes each in its own way', async () => {
    const { cover, depth } = await at(west + 0.5 * cell, north - 0.5 * cell, 'cover', 'depth');
    expect(cover!.value).toBe('Open Water');
    expect(depth).toMatchObject({ status: 'absent', notes: 'the source says 11 (band 1), which stands for missing' });
    expect((await at(west + 1.5 * cell, north - 0.5 * cell, 'cover')).cover!.status).toBe('absent');
    const unknown = await at(west + 2.5 * cell, north - 0.5 * cell, 'cover', 'depth');
    expect(unknown.cover).toMatchObject({ status: 'failed', retryable: false });
    expect(unknown.depth!.value).toBeCloseTo(77 * 0.3048 + 1, 9);
  });

  it('is absent outside the extent and fails for a band the file lacks', async () => {
    expect((await at(0, 0, 'elevation')).elevation).toMatchObject({
      status: 'absent',
      notes: 'outside the coverage of grids:dem',
    });
    const { band2 } = await at(west + cell, north - cell, 'band2');
    expect(band2).toMatchObject({ status: 'failed', error: 'the raster has 1 bands, no band 2' });
  });

  it('prefers the finer of overlapping rasters and leaves its gaps to the other', async () => {
    expect((await at(west + 0.05, north - 0.05, 'tiles')).tiles).toMatchObject({ value: 2, source: 'fine' });
    expect((await at(west + 0.15, north - 0.05, 'tiles')).tiles).toMatchObject({ value: 1, source: 'coarse' });
  });

  it('agrees with gdallocationinfo on every cell', { tags: ['GDAL'] }, async () => {
    const points = Array.from({ length: 60 }, (_, i) => ({
      lng: west + (((i * 37) % 97) / 97) * width * cell,
      lat: north - (((i * 53) % 89) / 89) * height * cell - 1e-9,
    }));
    for (const [name, layerName] of [
      ['pixel', 'pixel'],
      ['tiles', 'tiles'],
    ] as const) {
      const output = execFileSync(
        'gdallocationinfo',
        ['-valonly', '-wgs84', fixture.path('grids', layerName, 'raster')],
        {
          input: points.map(p => `${p.lng} ${p.lat}`).join('\n'),
          encoding: 'utf8',
        },
      );
      const lines = output.split('\n').slice(0, points.length);
      if (name === 'tiles') continue;
      for (const [i, p] of points.entries()) {
        const answer = (await fixture.ask([name], p))[name]!;
        const theirs = lines[i]!.trim();
        if (theirs === '' || theirs === 'nan') expect(answer.status).toBe('absent');
        else expect(answer.value).toBeCloseTo(Number(theirs), 4);
      }
    }
  });

  it('covers by a polygon where the place says so', async () => {
    const covered = await createFixture([grids], {
      grids: {
        pixel: [{ raster: { ...grid, values }, coverage: [rectangle([west, north - cell, west + cell, north])] }],
      },
    });
    try {
      const inside = await covered.ask(['pixel'], { lng: west + 0.1, lat: north - 0.1 });
      expect(inside.pixel!.value).toBe(cellAt(0, 0));
      const outside = await covered.ask(['pixel'], { lng: west + 3 * cell, lat: north - 0.1 });
      expect(outside.pixel!.status).toBe('absent');
    } finally {
      covered.remove();
    }
  });
});
