import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TileLoader } from '../../web/map/tile-loader.ts';

const ADDRESS = 'plat-tile://roads,water/14/1/2';

let asked: string[];
/** What the server answers a request to, by its URL. */
let answer: (url: string) => Response;
beforeEach(() => {
  asked = [];
  vi.useFakeTimers();
  vi.stubGlobal('fetch', async (url: string, { signal }: { signal: AbortSignal }) => {
    signal.throwIfAborted();
    asked.push(url);
    return answer(url);
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** A loader of a map that shows a release, and whose server has another. */
function loading(shown: string, current = shown) {
  const troubles: boolean[] = [];
  let looks = 0;
  const loader = new TileLoader({
    release: () => shown,
    follow: async () => {
      looks++;
      shown = current;
    },
    onTrouble: hasTrouble => troubles.push(hasTrouble),
  });
  const gone = new AbortController();
  return { load: () => loader.load(ADDRESS, gone.signal), gone, troubles, looks: () => looks };
}

it('follows a release that was published while the map was shown, with one look for all tiles', async () => {
  const { load, troubles, looks } = loading('old', 'new');
  answer = url => (url.endsWith('release=new') ? new Response('tile') : new Response(null, { status: 404 }));
  const tiles = await Promise.all([load(), load(), load()]);
  expect(tiles.map(bytes => new TextDecoder().decode(bytes))).toEqual(['tile', 'tile', 'tile']);
  expect(looks()).toBe(1);
  expect(asked.at(-1)).toBe('/tiles/roads,water/14/1/2.mvt?release=new');
  expect(troubles).toEqual([]);
});

it.each([429, 503, 404, 0])('asks again for a tile after %d until it comes, and says so meanwhile', async status => {
  const { load, troubles } = loading('old');
  answer = () => {
    if (asked.length === 4) return new Response(null, { status: 200 });
    if (status === 0) throw new TypeError('Failed to fetch');
    return new Response(null, { status, headers: { 'retry-after': '2' } });
  };
  const tile = load();
  await vi.advanceTimersByTimeAsync(400);
  expect(troubles).toEqual([]);
  await vi.advanceTimersByTimeAsync(4_000);
  if (status !== 0) expect(asked.length).toBeLessThanOrEqual(3);
  await vi.advanceTimersByTimeAsync(20_000);
  expect((await tile).byteLength).toBe(0);
  expect(asked).toHaveLength(4);
  expect(troubles).toEqual([true, false]);
});

it('lets go of a tile that is no longer wanted', async () => {
  const { load, gone, troubles } = loading('old');
  answer = () => new Response(null, { status: 503 });
  const tile = expect(load()).rejects.toThrow();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(troubles).toEqual([true]);
  gone.abort();
  await tile;
  const until = asked.length;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toHaveLength(until);
  expect(troubles).toEqual([true, false]);
});
