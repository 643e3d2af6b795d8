import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TaskFailed } from '../../../query/engine/failure.ts';
import { mapId } from '../../../server/tiles/match-map.ts';
import { type Fixture, openFixture } from '../service-fixture.ts';

const STATE = { field: 'state', op: 'eq', value: 'ME' };
const SQUARE = {
  type: 'Polygon',
  coordinates: [
    [
      [-68.12345678901235, 44],
      [-68, 44],
      [-68, 44.1],
      [-68.12345678901235, 44],
    ],
  ],
};
const HOUR = 3_600_000;
const BYTES = new Uint8Array(700).fill(9);

let fixture: Fixture;
beforeEach(async () => {
  fixture = await openFixture({ corsOrigins: ['https://maps.example.org'] });
  fixture.engine.matchDrawn = { bytes: BYTES, unknown: 0, unread: false, notices: [] };
});
afterEach(() => fixture[Symbol.asyncDispose]());

async function make(filters: readonly object[] = [STATE], token = fixture.token, more = {}) {
  const reply = await fixture.app.inject({
    method: 'POST',
    url: '/v1/search/tiles',
    headers: { authorization: `Bearer ${token}` },
    payload: { filters, ...more },
  });
  return { status: reply.statusCode, body: reply.json(), headers: reply.headers };
}
/** The path of a tile of an address. */
const at = (address: string, z = 12, x = 1273, y = 1476) =>
  new URL(address.replace('{z}', `${z}`).replace('{x}', `${x}`).replace('{y}', `${y}`)).pathname;
const get = (url: string, headers: Record<string, string> = {}) => fixture.app.inject({ url, headers });

describe('POST /v1/search/tiles', () => {
  it('answers an address that shows the matches to whoever has it, for an hour', async () => {
    const { status, body, headers } = await make();
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['tiles', 'expires_at', 'unknown', 'warnings']);
    expect(body.tiles).toMatch(/^http:\/\/.+\/tiles\/matches\/[A-Za-z0-9_-]{24}\/\{z\}\/\{x\}\/\{y\}\.mvt$/);
    expect(Date.parse(body.expires_at)).toBe(fixture.clock.now() + HOUR);
    expect(headers['x-service-release']).toBe('r1');
    const reply = await get(at(body.tiles));
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, 'application/vnd.mapbox-vector-tile']);
    expect(reply.headers['cache-control']).toBe('private, max-age=3600');
    expect(reply.rawPayload.equals(Buffer.from(BYTES))).toBe(true);
    const zipped = await get(at(body.tiles), { 'accept-encoding': 'gzip' });
    expect(gunzipSync(zipped.rawPayload).equals(Buffer.from(BYTES))).toBe(true);
    const tag = reply.headers.etag as string;
    expect((await get(at(body.tiles), { 'if-none-match': tag })).statusCode).toBe(304);
    fixture.clock.time += HOUR - 1000;
    expect((await get(at(body.tiles))).headers['cache-control']).toBe('private, max-age=1');
    fixture.clock.time += 1000;
    const over = await get(at(body.tiles));
    expect([over.statusCode, over.json().detail.error]).toEqual([404, 'tile_not_found']);
  });

  it('gives every call another address, and the store holds none', async () => {
    const [one, two] = [await make(), await make()];
    expect(one.body.tiles).not.toBe(two.body.tiles);
    const [, secret] = /matches\/([^/]+)/.exec(one.body.tiles)!;
    expect(await fixture.state.matchMaps.map(secret!, fixture.clock.now())).toBeNull();
  });

  it('asks the engine for its account, in the release of the map, with the filters as they were sent', async () => {
    const { body } = await make([STATE, { field: 'geometry', op: 'intersects', value: SQUARE }]);
    await get(at(body.tiles));
    const [judged, drawn] = fixture.engine.tilesAsked as [object, object];
    expect(judged).toMatchObject({ tile: null });
    expect(drawn).toEqual({ ...judged, outputs: [], tile: { z: 12, x: 1273, y: 1476 } });
    const [, { geometry }] = (drawn as { filters: [object, { geometry: { xy: Float64Array } }] }).filters;
    expect([...geometry.xy.subarray(0, 2)]).toEqual([-68.12345678901235, 44]);
    // What was drawn once is kept.
    await get(at(body.tiles));
    expect(fixture.engine.tilesAsked).toHaveLength(2);
  });

  it('says what the filters could not tell', async () => {
    fixture.engine.matchDrawn = { bytes: null, unknown: 2, unread: true, notices: [{ kind: 'no_county' }] };
    const { body } = await make();
    expect(body.unknown).toBe(2);
    expect(body.warnings).toEqual([
      'This release holds no parcels of a county that the filters leave.',
      expect.stringMatching(/^Not all parcels .* the map is of those that were\.$/),
    ]);
  });

  it('refuses as a search does, and keeps nothing then', async () => {
    const issue = { path: 'filters[1].value', description: 'Self-intersection.', hint: 'Mend it.' };
    expect((await make([])).body.detail).toMatchObject({ error: 'search_invalid_request' });
    expect((await make([STATE], fixture.token, { limit: 5 })).body.detail.issues[0].path).toBe('body');
    expect((await make([STATE], fixture.token, { release: '20200101-00000000' })).body.detail.error).toBe(
      'release_not_kept',
    );
    fixture.engine.matchDrawn = { issues: [issue] };
    expect((await make()).body.detail.issues).toEqual([issue]);
    fixture.engine.matchDrawn = { uncounted: 'the time for this request was up' };
    expect((await make()).body.detail.error).toBe('search_unavailable');
    expect(await fixture.state.matchMaps.prune(Number.MAX_SAFE_INTEGER)).toBe(0);
  });

  it('keeps a hundred maps of an account: a further one ends the oldest, and nobody else loses any', async () => {
    const other = await fixture.state.openAccount('other@example.org', 'free');
    const theirs = await make([STATE], await fixture.tokens.issue(other));
    const kept = async ({ body }: { readonly body: { readonly tiles: string } }) => {
      const [, secret] = /matches\/([^/]+)/.exec(body.tiles)!;
      return (await fixture.state.matchMaps.map(mapId(secret!)!, fixture.clock.now())) !== null;
    };
    const own: Awaited<ReturnType<typeof make>>[] = [];
    for (let i = 0; i < 101; i++) {
      fixture.clock.time += 1;
      own.push(await make());
    }
    const standing = await Promise.all(own.map(kept));
    expect(standing).toEqual([false, ...Array.from({ length: 100 }, () => true)]);
    expect(await kept(theirs)).toBe(true);
    expect((await get(at(own[0]!.body.tiles))).statusCode).toBe(404);
    expect((await get(at(own[1]!.body.tiles))).statusCode).toBe(200);
  });
});

describe('tiles of a map', () => {
  it('may be read by pages of other origins as other tiles may', async () => {
    const { body } = await make();
    const reply = await get(at(body.tiles), { origin: 'https://maps.example.org' });
    expect(reply.headers['access-control-allow-origin']).toBe('https://maps.example.org');
  });

  it('are 204 where no match lies in them', async () => {
    const { body } = await make();
    fixture.engine.matchDrawn = { bytes: null, unknown: 0, unread: false, notices: [] };
    const reply = await get(at(body.tiles));
    expect([reply.statusCode, reply.body]).toEqual([204, '']);
  });

  it.each([
    ['an address that is none', (tiles: string) => at(tiles).replace(/matches\/./, 'matches/~')],
    [
      'an address that nobody was given',
      (tiles: string) => at(tiles).replace(/matches\/[^/]{24}/, `matches/${'x'.repeat(24)}`),
    ],
    ['a zoom beyond that of parcels', (tiles: string) => at(tiles, 17)],
    ['a place beyond the grid', (tiles: string) => at(tiles, 2, 4)],
  ])('are 404 tile_not_found: %s', async (_, url) => {
    const { body } = await make();
    const reply = await get(url(body.tiles));
    expect([reply.statusCode, reply.json().detail.error]).toEqual([404, 'tile_not_found']);
  });

  it('are 503 where parcels could not be read or no worker was free, and 404 once their release is gone', async () => {
    const { body } = await make();
    fixture.engine.matchDrawn = { bytes: null, unknown: 0, unread: true, notices: [] };
    const reply = await get(at(body.tiles));
    expect([reply.statusCode, reply.json().detail.error]).toEqual([503, 'tile_unavailable']);
    expect(reply.headers['retry-after']).toBeDefined();
    fixture.engine.before = async () => {
      throw new TaskFailed({ failed: 'all workers are busy', late: false });
    };
    expect((await get(at(body.tiles))).statusCode).toBe(503);
    fixture.engine.before = async () => {};
    fixture.engine.matchDrawn = { bytes: BYTES, unknown: 0, unread: false, notices: [] };
    fixture.engine.current = { ...fixture.engine.current, release: 'r2' };
    fixture.engine.kept = ['r2'];
    expect((await get(at(body.tiles))).json().detail.error).toBe('tile_not_found');
  });
});
