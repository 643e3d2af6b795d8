// Vector tiles of a county of 200,000 generated parcels with all layers of the map: what drawing a tile takes that nobody asked
// for before, what drawing all of them once would take and weigh, as an archive made at ingest would, and what the tiles that
// a server keeps save where eight people look around in one city.
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Box } from '../datasets/geometry.ts';
import { MAP_LAYERS, type MapSource } from '../datasets/map-layers.ts';
import { createEngine } from '../query/engine/engine.ts';
import type { Engine } from '../query/engine/engine-interface.ts';
import { currentId, openRelease } from '../query/release/open-release.ts';
import { EXTENT, type TileName, xIn, yIn } from '../query/tile/tile-grid.ts';
import { createTiles } from '../server/tiles/operation.ts';
import { randomFrom } from './proximity/roads.ts';
import { type BenchRow, percentile, report } from './report.ts';
import { generateHome } from './search/home.ts';

const PARCELS = Number(process.env.BENCH_PARCELS ?? 200_000);
const ZOOMS = [10, 11, 12, 13, 14, 15, 16];
/** Tiles of one zoom that are drawn to tell how long it takes. */
const SAMPLE = 300;
/** The deepest zoom of which every tile is drawn; deeper ones are sampled. */
const WHOLE_ZOOM = 14;
const [VIEWERS, STEPS] = [8, 40];
/** Tiles that a window shows. */
const [ACROSS, DOWN] = [4, 3];

const folder = join(process.env.BENCH_CACHE ?? join(tmpdir(), 'plat-bench-tiles'), `parcels-${PARCELS}`);
const home = join(folder, 'home');
const sources: readonly MapSource[] = Object.values(MAP_LAYERS).flatMap(layer => layer.sources as readonly MapSource[]);
if (currentId(home) === null) await generateHome(folder, home, PARCELS, new Set(sources.map(source => source.dataset)));

const open = (workers: number) => createEngine({ home, workers, queue: 4096, memoryMb: 256 });
const rows: BenchRow[] = [];
const tell = (of: string, unit: string, ours: number) => rows.push({ case: of, unit, ours, peer: null, ratio: null });
const random = randomFrom(7);

/** The box of all parcels. */
function boundsOf(engine: Engine): Box {
  const boxes = engine
    .installed()
    .flatMap(source => (source.dataset === 'parcel_store' && source.box ? [source.box] : []));
  const side = (i: 0 | 1 | 2 | 3, pick: (...values: number[]) => number) => pick(...boxes.map(box => box[i]));
  return [side(0, Math.min), side(1, Math.min), side(2, Math.max), side(3, Math.max)];
}

/** First and last column and row of tiles at a zoom that meet a box. */
function spanOf([west, south, east, north]: Box, z: number) {
  const origin = { z, x: 0, y: 0 };
  const column = (lng: number) => Math.floor(xIn(lng, origin) / EXTENT);
  const row = (lat: number) => Math.floor(yIn(lat, origin) / EXTENT);
  return { left: column(west), right: column(east), top: row(north), bottom: row(south) };
}

function tilesOf(box: Box, z: number): TileName[] {
  const { left, right, top, bottom } = spanOf(box, z);
  const tiles: TileName[] = [];
  for (let x = left; x <= right; x++) for (let y = top; y <= bottom; y++) tiles.push({ z, x, y });
  return tiles;
}

function sampled<T>(list: readonly T[], count: number): T[] {
  const left = [...list];
  for (let i = left.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [left[i], left[j]] = [left[j]!, left[i]!];
  }
  return left.slice(0, count);
}

const terms = () => ({ deadline: Date.now() + 60_000, account: 'bench' });

/** Milliseconds and bytes in gzip of drawing tiles one after the other. */
async function drawn(engine: Engine, tiles: readonly TileName[]) {
  const layers = engine.mapLayers();
  const out: { readonly ms: number; readonly bytes: number }[] = [];
  for (const tile of tiles) {
    const started = performance.now();
    const { bytes, zipped } = await engine.tile({ layers, tile }, terms());
    out.push({ ms: performance.now() - started, bytes: bytes.length === 0 ? 0 : zipped.length });
  }
  return out;
}

/** Every tile of the county: how long each zoom takes, and what all would take and weigh. */
async function wholeCounty(): Promise<void> {
  const engine = await open(1);
  const box = boundsOf(engine);
  // Files are opened and verified by whoever asks first; that is told apart.
  const [first] = await drawn(engine, [tilesOf(box, 12)[0]!]);
  tell('the first tile, files opened', 'ms', first!.ms);
  await drawn(engine, sampled(tilesOf(box, 16), 50));
  const sum = { seconds: 0, megabytes: 0, tiles: 0 };
  for (const z of ZOOMS) {
    const all = tilesOf(box, z);
    const times = await drawn(engine, z <= WHOLE_ZOOM ? all : sampled(all, SAMPLE));
    const scale = all.length / times.length;
    for (const p of [50, 95, 99])
      tell(
        `zoom ${z}, ${all.length} tiles: p${p}`,
        'ms',
        percentile(
          times.map(t => t.ms),
          p,
        ),
      );
    tell(`zoom ${z}: greatest`, 'kB gzip', Math.max(...times.map(t => t.bytes)) / 1e3);
    sum.seconds += (scale * times.reduce((total, t) => total + t.ms, 0)) / 1e3;
    sum.megabytes += (scale * times.reduce((total, t) => total + t.bytes, 0)) / 1e6;
    sum.tiles += all.length;
    if (z >= WHOLE_ZOOM) {
      tell(`an archive of zooms 10 to ${z}: ${sum.tiles} tiles`, 's', sum.seconds);
      tell(`an archive of zooms 10 to ${z}`, 'MB', sum.megabytes);
    }
  }
  await engine.close();
}

/** A walk over the city: what one viewer's browser, which keeps what it has, asks for at each step. */
function walk([west, south, east, north]: Box, seed: number): TileName[][] {
  const random = randomFrom(seed);
  let z = 14;
  let lng = (west + east) / 2 + ((random() - 0.5) * (east - west)) / 10;
  let lat = (south + north) / 2 + ((random() - 0.5) * (north - south)) / 10;
  const seen = new Set<string>();
  return Array.from({ length: STEPS }, () => {
    const turn = random();
    if (turn < 0.15) z = Math.min(16, z + 1);
    else if (turn < 0.3) z = Math.max(13, z - 1);
    const degrees = 360 / 2 ** z;
    lng += (random() - 0.5) * ACROSS * degrees;
    lat += (random() - 0.5) * DOWN * degrees;
    const middle = spanOf([lng, lat, lng, lat], z);
    const fresh: TileName[] = [];
    for (let i = 0; i < ACROSS * DOWN; i++) {
      const tile = { z, x: middle.left - 2 + (i % ACROSS), y: middle.top - 1 + Math.floor(i / ACROSS) };
      const key = `${z}/${tile.x}/${tile.y}`;
      if (!seen.has(key)) fresh.push(tile);
      seen.add(key);
    }
    return fresh;
  });
}

/** Eight viewers, half a second and more between their steps. @param kept bytes of tiles that the server keeps. */
async function lookingAround(name: string, kept: number | undefined): Promise<void> {
  const engine = await open(2);
  const box = boundsOf(engine);
  await drawn(engine, sampled(tilesOf(box, 15), 100));
  const tileAt = createTiles(engine, kept);
  const layers = engine.mapLayers().join(',');
  const release = engine.status().release!;
  const times: number[] = [];
  const one = async ({ z, x, y }: TileName, viewer: string) => {
    const started = performance.now();
    await tileAt({ layers, z: `${z}`, x: `${x}`, y: `${y}` }, release, viewer, new AbortController().signal);
    times.push(performance.now() - started);
  };
  const started = process.cpuUsage();
  await Promise.all(
    Array.from({ length: VIEWERS }, async (_, viewer) => {
      const pause = randomFrom(100 + viewer);
      for (const tiles of walk(box, 1 + viewer)) {
        await Promise.all(tiles.map(tile => one(tile, `viewer ${viewer}`)));
        await new Promise(resolve => setTimeout(resolve, 500 + 1000 * pause()));
      }
    }),
  );
  const { user, system } = process.cpuUsage(started);
  for (const p of [50, 95, 99])
    tell(`${VIEWERS} viewers, ${name}, ${times.length} tiles: p${p}`, 'ms', percentile(times, p));
  tell(`${VIEWERS} viewers, ${name}: processor`, 's', (user + system) / 1e6);
  await engine.close();
}

const { manifest } = openRelease(home);
const wanted = new Set(sources.map(({ dataset, layer }) => `${dataset}:${layer}`));
let stored = 0;
for (const [dataset, layers] of Object.entries(manifest.datasets))
  for (const [layer, { partitions }] of Object.entries(layers))
    if (wanted.has(`${dataset}:${layer}`))
      for (const { files } of partitions) for (const file of files) if (file.role === 'features') stored += file.bytes;
tell('FlatGeobuf of the layers of the map', 'MB', stored / 1e6);
await wholeCounty();
for (const round of [1, 2]) {
  await lookingAround(`16 MB kept (${round})`, undefined);
  await lookingAround(`none kept (${round})`, 1);
}
const peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0) / 1024;
tell('memory of the process, peak', 'MB', peak);
report('tiles', {}, rows);
