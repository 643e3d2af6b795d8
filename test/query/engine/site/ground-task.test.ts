import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RasterLayer, VectorLayer } from '../../../../datasets/dataset.ts';
import { createEngine } from '../../../../query/engine/engine.ts';
import type { Engine } from '../../../../query/engine/engine-interface.ts';
import { createFixture, dataset, type Fixture, field, rectangle } from '../../release-fixture.ts';

const dem: RasterLayer = { kind: 'raster', bands: 1, sampling: 'nearest', partition: 'national' };
const zones: VectorLayer = {
  kind: 'vector',
  geometry: 'polygon',
  joinKey: null,
  partition: 'national',
  columns: { zone: { type: 'string' } },
};
const land = dataset(
  'land',
  { dem, zones, gone: zones },
  {
    zone: field('polygon_attr(land:zones, zone)', { type: 'string' }),
    ...Object.fromEntries(
      ['slope_percent', 'slope_degrees', 'tri', 'aspect_cardinal'].map(kind => [
        kind,
        field(`raster_terrain(land:dem, ${kind}, window_m=90)`, {
          type: kind.startsWith('aspect') ? 'string' : 'number',
        }),
      ]),
    ),
    gone: field('polygon_within(land:gone)', { type: 'boolean' }),
    position: field('raster_terrain(land:dem, tpi, window_m=900)'),
  },
);

const SIZE = 1_400;
const soon = () => ({ deadline: Date.now() + 60_000 });
const site = rectangle([-99.95, 39.66, -99.65, 39.95]);

describe('screening a site in a worker', () => {
  let fixture: Fixture;
  let engine: Engine;
  beforeAll(async () => {
    const values = Float32Array.from({ length: SIZE * SIZE }, (_, i) => 100 + 20 * Math.sin(i / 900) + (i % SIZE) / 40);
    fixture = await createFixture([land], {
      land: {
        dem: [
          { raster: { width: SIZE, height: SIZE, west: -100, north: 40, cell: 0.00028, values }, coverage: 'extent' },
        ],
        zones: [{ features: [{ geometry: rectangle([-101, 39, -99.8, 41]), zone: 'A' }] }],
      },
    });
    engine = await createEngine({ home: fixture.home, workers: 1, queue: 4, memoryMb: 256, catalog: fixture.catalog });
  });
  afterAll(async () => {
    await engine.close();
    fixture.remove();
  });

  it('answers every field with an area form from one release, parcels too, and others meanwhile', async () => {
    const order: string[] = [];
    const screening = engine.screenGround(site, soon()).finally(() => order.push('site'));
    // There is one worker: it has begun with the site.
    await new Promise(resolve => setTimeout(resolve, 60));
    const answers = await engine.fetch(['zone'], { lng: -99.9, lat: 39.8 }, soon());
    order.push('fetch');
    const ground = await screening;
    expect(order).toEqual(['fetch', 'site']);
    expect(answers.zone!.value).toBe('A');
    expect(ground.release).toBe('r1');
    expect(ground.point.lng).toBeCloseTo(-99.8, 1);
    expect(Object.keys(ground.areas).sort()).toEqual([
      'aspect_cardinal',
      'gone',
      'slope_degrees',
      'slope_percent',
      'tri',
      'zone',
    ]);
    expect(ground.areas.zone!.statistics).toMatchObject({ kind: 'shares', shares: [{ value: 'A', share: 0.5 }] });
    expect(ground.areas.slope_percent!.statistics).toMatchObject({ kind: 'range' });
    expect(ground.areas.gone).toMatchObject({ status: 'failed', retryable: false, statistics: null });
    expect(ground.areas.gone!.error).toMatch(/not installed/);
    expect(ground.parcels).toMatchObject({ status: 'failed', count: null, parcels: [] });
  });

  it('ends when nobody waits for it, and the worker goes on', async () => {
    const leaving = new AbortController();
    const screening = engine.screenGround(site, { ...soon(), signal: leaving.signal });
    setTimeout(() => leaving.abort(), 50);
    await expect(screening).rejects.toMatchObject({ name: 'AbortError' });
    expect((await engine.fetch(['zone'], { lng: -99.9, lat: 39.8 }, soon())).zone!.value).toBe('A');
  });

  it('what is unfinished when the time is up is failed, and the rest is answered', async () => {
    const within = async (ms: number) => (await engine.screenGround(site, { deadline: Date.now() + ms })).areas;
    let areas = await within(150);
    // A busy machine takes longer for the first field too.
    for (let ms = 300; areas.zone!.status !== 'ok' && ms < 10_000; ms *= 2) areas = await within(ms);
    expect(areas.zone!.status).toBe('ok');
    const late = Object.values(areas).filter(({ status, retryable }) => status === 'failed' && retryable);
    expect(late.length).toBeGreaterThan(0);
    expect(late[0]!.error).toMatch(/the time for this site was up/);
  });

  it('says what is wrong with a polygon, or its canonical form', async () => {
    const asked = { path: 'site', maxAcres: 200_000 };
    const small = rectangle([-99.9, 39.8, -99.89, 39.81]);
    const reading = await engine.readSite({ ...asked, geometry: small }, soon());
    expect(reading).toMatchObject({
      extent: [-99.9, 39.8, -99.89, 39.81],
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const large = await engine.readSite({ ...asked, geometry: rectangle([-99, 39, -98, 40]) }, soon());
    expect(large).toMatchObject({ issue: { description: expect.stringMatching(/acres, more than 200,000/) } });
  });
});

it('without a release nothing can be said of a site, which is an error of its own', async () => {
  const home = mkdtempSync(join(tmpdir(), 'plat-no-release-'));
  const engine = await createEngine({ home, workers: 1, queue: 4, memoryMb: 64 });
  try {
    await expect(engine.screenGround(site, soon())).rejects.toMatchObject({ name: 'SiteUnscreened' });
  } finally {
    await engine.close();
    rmSync(home, { recursive: true, force: true });
  }
});
