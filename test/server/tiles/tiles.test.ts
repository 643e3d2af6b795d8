import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EngineBusy } from '../../../query/engine/engine-interface.ts';
import { TileFailed } from '../../../query/engine/tile/tile-task.ts';
import { type Fixture, openFixture } from '../service-fixture.ts';

describe('tiles over HTTP', () => {
  let fixture: Fixture;
  beforeAll(async () => {
    fixture = await openFixture();
  });
  afterAll(() => fixture[Symbol.asyncDispose]());
  beforeEach(() => {
    fixture.engine.reset();
    fixture.engine.drawn = new Uint8Array(2000).fill(7);
  });
  const get = (url: string, headers: Record<string, string> = {}) => fixture.app.inject({ url, headers });
  let next = 0;
  /** A tile that was not asked for before. */
  const fresh = (query = '') => `/tiles/parcels/16/${next++}/5.mvt${query}`;

  it('need no token, and are kept for good where their address names the release', async () => {
    const url = fresh('?release=r1');
    const reply = await get(url);
    expect(reply.statusCode).toBe(200);
    expect(reply.headers['content-type']).toBe('application/vnd.mapbox-vector-tile');
    expect(reply.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(reply.rawPayload.length).toBe(2000);
    expect((await get(url, { 'if-none-match': reply.headers.etag as string })).statusCode).toBe(304);
    const zipped = await get(url, { 'accept-encoding': 'gzip' });
    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect(zipped.rawPayload.length).toBeLessThan(200);
  });

  it('are asked for again soon where their address names none', async () => {
    expect((await get(fresh())).headers['cache-control']).toBe('public, max-age=60');
  });

  it('are 204 where nothing lies in them', async () => {
    fixture.engine.drawn = new Uint8Array(0);
    const reply = await get(fresh('?release=r1'));
    expect([reply.statusCode, reply.body]).toEqual([204, '']);
    expect(reply.headers['cache-control']).toContain('immutable');
  });

  it.each([
    ['/tiles/wells/10/1/1.mvt', 'no layer'],
    ['/tiles/parcels,water/10/1/1.mvt', 'no layer'],
    ['/tiles/__proto__/10/1/1.mvt', 'no layer'],
    ['/tiles/parcels/17/1/1.mvt', 'deepest zoom is 16'],
    ['/tiles/parcels/2/4/0.mvt', 'no such place'],
    ['/tiles/parcels/x/1/1.mvt', 'no such place'],
    ['/tiles/parcels/1e1/1/1.mvt', 'no such place'],
    ['/tiles/parcels/10/1/1.mvt?release=r0', 'not the current one'],
  ])('%s is 404 tile_not_found', async (url, why) => {
    const reply = await get(url);
    expect([reply.statusCode, reply.json().detail.error]).toEqual([404, 'tile_not_found']);
    expect(reply.json().detail.message).toContain(why);
  });

  it('are refused while workers are busy, and when a file cannot be read, with when to come back', async () => {
    fixture.engine.before = async () => {
      throw new EngineBusy('full');
    };
    const busy = await get(fresh());
    expect([busy.statusCode, busy.json().detail.error]).toEqual([429, 'tiles_busy']);
    fixture.engine.before = async () => {
      throw new TileFailed('features file is damaged');
    };
    const failed = await get(fresh());
    expect([failed.statusCode, failed.json().detail.error]).toEqual([503, 'tile_unavailable']);
    expect([busy.headers['retry-after'], failed.headers['retry-after']]).toEqual(['1', '5']);
    expect(failed.body).not.toContain('damaged');
  });

  it('/tiles.json says which layers there are, and its address names the release', async () => {
    const reply = await get('/tiles.json');
    const index = reply.json();
    expect(index.tilejson).toBe('3.0.0');
    expect(index.tiles[0]).toMatch(/\/tiles\/roads,parcels\/\{z\}\/\{x\}\/\{y\}\.mvt\?release=r1$/);
    expect(index.vector_layers.map((layer: { id: string }) => layer.id)).toEqual(['roads', 'parcels']);
    expect([index.minzoom, index.maxzoom]).toEqual([9, 16]);
  });
});
