import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TaskFailed } from '../../../query/engine/failure.ts';
import { TileFailed } from '../../../query/engine/tiles.ts';
import type { InstalledSource } from '../../../query/release/installed.ts';
import { type Fixture, openFixture } from '../service-fixture.ts';

const PARCELS = gzipSync(Buffer.alloc(2000, 7));
const ROADS = gzipSync(Buffer.alloc(30, 8));

describe('tiles over HTTP', () => {
  let fixture: Fixture;
  beforeAll(async () => {
    fixture = await openFixture();
  });
  afterAll(() => fixture[Symbol.asyncDispose]());
  beforeEach(() => {
    fixture.engine.reset();
    fixture.engine.tiles = { parcels: PARCELS };
  });
  const get = (url: string, headers: Record<string, string> = {}) => fixture.app.inject({ url, headers });
  const url = (query = '', layers = 'parcels') => `/tiles/${layers}/14/3/5.mvt${query}`;

  it('need no token, and are kept for good where their address names the release', async () => {
    const kept = url('?release=r1');
    const reply = await get(kept);
    expect(reply.statusCode).toBe(200);
    expect(reply.headers['content-type']).toBe('application/vnd.mapbox-vector-tile');
    expect(reply.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(reply.rawPayload.length).toBe(2000);
    expect((await get(kept, { 'if-none-match': reply.headers.etag as string })).statusCode).toBe(304);
  });

  it('of one layer are sent as they are stored, to clients that take gzip', async () => {
    const zipped = await get(url('?release=r1'), { 'accept-encoding': 'gzip' });
    expect(zipped.headers['content-encoding']).toBe('gzip');
    expect(zipped.rawPayload.equals(PARCELS)).toBe(true);
    const tag = zipped.headers.etag as string;
    expect((await get(url(), { 'accept-encoding': 'gzip', 'if-none-match': tag })).statusCode).toBe(304);
  });

  it('of several layers come one behind the other, without those whose deepest zoom is less deep', async () => {
    fixture.engine.tiles = { parcels: PARCELS, roads: ROADS };
    const both = Buffer.concat([gunzipSync(ROADS), gunzipSync(PARCELS)]);
    expect((await get(url('', 'roads,parcels'))).rawPayload.equals(both)).toBe(true);
    const zipped = await get(url('', 'roads,parcels'), { 'accept-encoding': 'gzip' });
    expect(gunzipSync(zipped.rawPayload).equals(both)).toBe(true);
    expect((await get('/tiles/roads,parcels/16/3/5.mvt')).rawPayload.equals(gunzipSync(PARCELS))).toBe(true);
  });

  it('are asked for again soon where their address names none', async () => {
    expect((await get(url())).headers['cache-control']).toBe('public, max-age=60');
  });

  it('are 204 where nothing lies in them', async () => {
    fixture.engine.tiles = {};
    const reply = await get(url('?release=r1'));
    expect([reply.statusCode, reply.body]).toEqual([204, '']);
    expect(reply.headers['cache-control']).toContain('immutable');
  });

  it.each([
    ['/tiles/wells/10/1/1.mvt', 'no layer'],
    ['/tiles/parcels,water/10/1/1.mvt', 'plat ingest overlay'],
    ['/tiles/roads/15/1/1.mvt', 'deepest zoom is 14'],
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

  it('are refused when an archive cannot be read, with when to come back', async () => {
    fixture.engine.before = async () => {
      throw new TileFailed('tiles file is damaged');
    };
    const failed = await get(url());
    expect([failed.statusCode, failed.json().detail.error]).toEqual([503, 'tile_unavailable']);
    expect(failed.headers['retry-after']).toBe('5');
    expect(failed.body).not.toContain('damaged');
  });

  it('/tiles.json says which layers there are, and its address names the release', async () => {
    const reply = await get('/tiles.json');
    const index = reply.json();
    expect(index.tilejson).toBe('3.0.0');
    expect(index.tiles[0]).toMatch(/\/tiles\/roads,parcels\/\{z\}\/\{x\}\/\{y\}\.mvt\?release=r1$/);
    expect(index.vector_layers.map((layer: { id: string }) => layer.id)).toEqual(['roads', 'parcels']);
    expect([index.minzoom, index.maxzoom]).toEqual([9, 16]);
    expect(index.vector_layers.map((layer: { maxzoom: number }) => layer.maxzoom)).toEqual([14, 16]);
    expect(index.attribution).toBeUndefined();
  });

  it('/tiles.json names the publishers of what is drawn with their licences, as plain text', async () => {
    const source = (dataset: string, publisher: string, licence: string) =>
      ({ dataset, layer: 'main', publisher, licence, box: null, county: null }) as unknown as InstalledSource;
    fixture.engine.sources = [
      source('parcel_store', 'County <b>Assessor</b> & Clerk', 'CC BY 4.0'),
      source('parcel_store', 'County <b>Assessor</b> & Clerk', 'CC BY 4.0'),
      source('koppen', 'Nobody draws it', 'none'),
    ];
    expect((await get('/tiles.json')).json().attribution).toBe('County bAssessor/b and Clerk (CC BY 4.0)');
    fixture.engine.sources = [];
  });

  describe('of the ground', () => {
    const TERRAIN = { dataset: 'usgs_3dep', layer: 'main', publisher: 'USGS', licence: 'public domain', county: null };
    beforeEach(() => {
      fixture.engine.sources = [{ ...TERRAIN, box: [-70, 43, -69, 44] } as unknown as InstalledSource];
      fixture.engine.terrainTile = new Uint8Array([1, 2, 3]);
    });
    afterAll(() => {
      fixture.engine.sources = [];
    });

    it('are in /tiles.json with their box and whose they are, and kept for good like others', async () => {
      const index = (await get('/tiles.json')).json();
      expect(index.ground.heights).toMatchObject({ encoding: 'terrarium', minzoom: 11, maxzoom: 13 });
      expect(index.ground.heights.tiles[0]).toMatch(/\/tiles\/terrain\/\{z\}\/\{x\}\/\{y\}\.png\?release=r1$/);
      expect(index.ground.bounds).toEqual([-70, 43, -69, 44]);
      expect(index.credits).toEqual([{ text: 'USGS (public domain)', layers: ['terrain'], box: [-70, 43, -69, 44] }]);
      // It is no source of the vector tiles.
      expect([index.attribution, index.imagery]).toEqual([undefined, undefined]);
      const reply = await get('/tiles/terrain/12/5/5.png?release=r1');
      expect([reply.statusCode, reply.headers['content-type'], [...reply.rawPayload]]).toEqual([
        200,
        'image/png',
        [1, 2, 3],
      ]);
      expect(reply.headers['cache-control']).toContain('immutable');
      const again = await get('/tiles/terrain/12/5/5.png', { 'if-none-match': reply.headers.etag as string });
      expect(again.statusCode).toBe(304);
      expect((await get('/tiles/contours/14/5/5.mvt?unit=m')).headers['content-type']).toContain('vector-tile');
    });

    it.each([
      ['/tiles/terrain/10/1/1.png', 'zooms are 11 to 13'],
      ['/tiles/terrain/14/1/1.png', 'zooms are 11 to 13'],
      ['/tiles/contours/15/1/1.mvt', 'zooms are 12 to 14'],
      ['/tiles/contours/13/1/1.mvt?unit=yd', 'ft or m'],
      ['/tiles/terrain/12/4096/0.png', 'no such place'],
      ['/tiles/terrain/12/1e1/0.png', 'no such place'],
      ['/tiles/terrain/12/1/1.png?release=r0', 'not the current one'],
    ])('%s is 404 tile_not_found', async (url, why) => {
      const reply = await get(url);
      expect([reply.statusCode, reply.json().detail.error]).toEqual([404, 'tile_not_found']);
      expect(reply.json().detail.message).toContain(why);
    });

    it('are 204 where nothing is known of it, 404 without terrain, and refused when a file cannot be read', async () => {
      fixture.engine.terrainTile = null;
      expect((await get('/tiles/terrain/12/9/9.png')).statusCode).toBe(204);
      fixture.engine.before = async () => {
        throw new TaskFailed({ failed: 'raster file is damaged', late: false });
      };
      const failed = await get('/tiles/terrain/12/9/8.png');
      expect([failed.statusCode, failed.json().detail.error]).toEqual([503, 'tile_unavailable']);
      expect(failed.body).not.toContain('damaged');
      fixture.engine.sources = [];
      expect((await get('/tiles/terrain/12/9/9.png')).json().detail.message).toContain('no terrain');
      expect((await get('/tiles.json')).json().ground).toBeUndefined();
    });
  });
});
