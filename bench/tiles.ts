// Vector tiles of a county of 200,000 generated parcels with all layers of the map: what drawing all of them takes and
// weighs, what they take after a change elsewhere, what reading one takes, and how long eight people wait for those of a city.
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Box } from '../datasets/geometry.ts';
import { MAP_LAYERS, type MapLayerId, type MapSource } from '../datasets/map-layers.ts';
import type { Manifest } from '../datasets/release.ts';
import type { Progress } from '../pipelines/progress.ts';
import { tiled } from '../pipelines/steps/tiles/tiled.ts';
import { Workforce } from '../pipelines/steps/workforce.ts';
import { createEngine } from '../query/engine/engine.ts';
import type { Engine } from '../query/engine/engine-interface.ts';
import { publish } from '../query/release/home/publish.ts';
import { Store } from '../query/release/home/store.ts';
import { currentId, openRelease } from '../query/release/open-release.ts';
import { EXTENT, type TileName, xIn, yIn } from '../query/tile/tile-grid.ts';
import { tileAt } from '../server/tiles/operation.ts';
import { randomFrom } from './proximity/roads.ts';
import { type BenchRow, percentile, report } from './report.ts';
import { generateHome } from './search/home.ts';

const PARCELS = Number(process.env.BENCH_PARCELS ?? 200_000);
/** Tiles of one zoom that are read. */
const SAMPLE = 300;
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

/** Tells how long each map layer takes. */
const timed: Progress = {
  expect() {},
  start: name => {
    const started = performance.now();
    return {
      advance() {},
      done: note => tell(`${name}: ${note}`, 's', (performance.now() - started) / 1000),
    };
  },
  close() {},
};
const silent: Progress = { ...timed, start: () => ({ advance() {}, done() {} }) };

/** Draws all map layers. @param before the release whose archives may be used. */
async function draw(manifest: Manifest, before: Manifest | null, threads: number, progress: Progress) {
  const workforce = new Workforce(threads);
  const started = performance.now();
  const drawn = await tiled(new Store(home), manifest, before, { home, workforce, progress });
  await workforce.close();
  return { ...drawn, seconds: (performance.now() - started) / 1000 };
}

/** Draws the archives of the county in one thread and in two, and copies them as after a change elsewhere; publishes them. */
async function archives(): Promise<void> {
  const { tiles: _, ...bare } = openRelease(home).manifest;
  const one = await draw(bare, null, 1, timed);
  tell('all map layers, one thread', 's', one.seconds);
  tell('all map layers, two threads', 's', (await draw(bare, null, 2, silent)).seconds);
  tell('all archives', 'MB', one.report.bytes / 1e6);
  // As if a file far away had gone: everything here is taken from the archives before.
  const elsewhere = JSON.parse(JSON.stringify(one.manifest)) as typeof one.manifest;
  for (const layers of Object.values(elsewhere.datasets))
    for (const { partitions } of Object.values(layers)) {
      const files = partitions[0]!.files.map(file => ({ ...file, sha256: `0${file.sha256.slice(1)}` }));
      (partitions as unknown[]).push({ ...partitions[0]!, files, box: [10, 10, 11, 11] });
    }
  for (const archive of Object.values(elsewhere.tiles!)) (archive as { inputs: string }).inputs = 'others';
  const copied = await draw(bare, elsewhere, 1, silent);
  tell('all map layers after a change elsewhere, one thread', 's', copied.seconds);
  if (copied.manifest.id !== one.manifest.id) throw new Error('the copied archives differ from those that were drawn');
  await publish(join(home, 'releases'), one.manifest);
}

/** What reading takes: tiles of one layer as they are stored, and of all layers that are shown at a zoom. */
async function reading(): Promise<void> {
  const engine = await open(1);
  const box = boundsOf(engine);
  for (const z of [12, 14, 16]) {
    const layers = engine.mapLayers().filter(id => MAP_LAYERS[id].minZoom <= z && z <= MAP_LAYERS[id].maxZoom);
    for (const [of, names] of [
      ['one layer', layers.slice(-1)],
      ['all layers', layers],
    ] as const) {
      const times: number[] = [];
      let greatest = 0;
      for (const tile of sampled(tilesOf(box, z), SAMPLE)) {
        const started = performance.now();
        const bytes = await zipped(engine, names, tile);
        times.push(performance.now() - started);
        greatest = Math.max(greatest, bytes);
      }
      for (const p of [50, 95, 99]) tell(`zoom ${z}, ${of}, ${times.length} tiles: p${p}`, 'ms', percentile(times, p));
      tell(`zoom ${z}, ${of}: greatest`, 'kB gzip', greatest / 1e3);
    }
  }
  await engine.close();
}

/** Bytes of a tile as a client gets it. */
async function zipped(engine: Engine, layers: readonly MapLayerId[], { z, x, y }: TileName): Promise<number> {
  const tile = await tileAt(engine, { layers: layers.join(','), z: `${z}`, x: `${x}`, y: `${y}` }, undefined);
  return tile === null ? 0 : (await tile.zipped()).length;
}

/** The groups of layers that the explorer asks for together, with the zooms at which it asks. */
const groupsOf = (layers: readonly MapLayerId[]) =>
  [...new Set(layers.map(id => MAP_LAYERS[id].maxZoom))].map(deepest => ({
    deepest,
    layers: layers.filter(id => MAP_LAYERS[id].maxZoom === deepest),
    first: Math.min(...layers.filter(id => MAP_LAYERS[id].maxZoom === deepest).map(id => MAP_LAYERS[id].minZoom)),
  }));

/** A walk over the city: the tiles that a viewer's window shows at each step. */
function walk([west, south, east, north]: Box, seed: number): TileName[][] {
  const random = randomFrom(seed);
  let z = 14;
  let lng = (west + east) / 2 + ((random() - 0.5) * (east - west)) / 10;
  let lat = (south + north) / 2 + ((random() - 0.5) * (north - south)) / 10;
  return Array.from({ length: STEPS }, () => {
    const turn = random();
    if (turn < 0.15) z = Math.min(16, z + 1);
    else if (turn < 0.3) z = Math.max(13, z - 1);
    const degrees = 360 / 2 ** z;
    lng += (random() - 0.5) * ACROSS * degrees;
    lat += (random() - 0.5) * DOWN * degrees;
    const middle = spanOf([lng, lat, lng, lat], z);
    return Array.from({ length: ACROSS * DOWN }, (_, i) => ({
      z,
      x: middle.left - 2 + (i % ACROSS),
      y: middle.top - 1 + Math.floor(i / ACROSS),
    }));
  });
}

/** Eight viewers, half a second and more between their steps; a browser keeps what it has. */
async function lookingAround(): Promise<void> {
  const engine = await open(2);
  const box = boundsOf(engine);
  const groups = groupsOf(engine.mapLayers());
  const times: number[] = [];
  const one = async (layers: readonly MapLayerId[], tile: TileName) => {
    const started = performance.now();
    await zipped(engine, layers, tile);
    times.push(performance.now() - started);
  };
  /** What a view asks for that was not asked for before: of each group the tiles of its deepest zoom at most. */
  const wanted = (tiles: readonly TileName[], seen: Set<string>) =>
    groups.flatMap(({ deepest, layers, first }) =>
      tiles.flatMap(({ z, x, y }) => {
        const up = 2 ** Math.max(0, z - deepest);
        const tile = { z: Math.min(z, deepest), x: Math.floor(x / up), y: Math.floor(y / up) };
        const key = `${deepest} ${tile.z} ${tile.x} ${tile.y}`;
        if (z < first || seen.has(key)) return [];
        seen.add(key);
        return [{ layers, tile }];
      }),
    );
  const started = process.cpuUsage();
  await Promise.all(
    Array.from({ length: VIEWERS }, async (_, viewer) => {
      const pause = randomFrom(100 + viewer);
      const seen = new Set<string>();
      for (const tiles of walk(box, 1 + viewer)) {
        await Promise.all(wanted(tiles, seen).map(({ layers, tile }) => one(layers, tile)));
        await new Promise(resolve => setTimeout(resolve, 500 + 1000 * pause()));
      }
    }),
  );
  const { user, system } = process.cpuUsage(started);
  for (const p of [50, 95, 99]) tell(`${VIEWERS} viewers, ${times.length} tiles: p${p}`, 'ms', percentile(times, p));
  tell(`${VIEWERS} viewers: processor`, 's', (user + system) / 1e6);
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
await archives();
await reading();
await lookingAround();
const peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0) / 1024;
tell('memory of the process, peak', 'MB', peak);
report('tiles', {}, rows);
