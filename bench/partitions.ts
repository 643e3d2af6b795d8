// Which partitions hold a point or meet a box, and what opening and publishing cost, in releases of 10 to 320,000 partitions: a
// manifest of made-up counties with up to 100 layers each. No data but the coverages, one a county, which its layers share.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Box } from '../datasets/geometry.ts';
import type { ReleaseFile } from '../datasets/release.ts';
import { compose } from '../pipelines/release/manifest.ts';
import { createCache } from '../query/release/cache.ts';
import { Coverage } from '../query/release/coverage.ts';
import { publish } from '../query/release/home/publish.ts';
import { currentId, readManifest } from '../query/release/home/releases.ts';
import { withShards } from '../query/release/home/shards.ts';
import { Store } from '../query/release/home/store.ts';
import { Layers } from '../query/release/layers.ts';
import { countsOfPlace } from '../query/release/lists/layer-lists.ts';
import { PartitionSet } from '../query/release/lists/partition-set.ts';
import { openReleaseById } from '../query/release/open-release.ts';
import { partitionsHolding, partitionsMeeting } from '../query/release/partitions-about.ts';
import { cornerOf, coverageFile, nationOf, partitionOf, SIDE, STATE } from './partitions/nation.ts';
import { randomFrom } from './proximity/roads.ts';
import { type BenchRow, percentile, report } from './report.ts';

/** Counties and layers of each. */
const SIZES = [
  [10, 1],
  [10, 10],
  [100, 10],
  [100, 100],
  [1_000, 100],
  [3_200, 100],
] as const;
const POINTS = 300;
/** Degrees of latitude in a kilometre. */
const KM = 1 / 111;

const rows: BenchRow[] = [];
function add(name: string, unit: string, ours: number): void {
  rows.push({ case: name, unit, ours, peer: null, ratio: null });
  process.stderr.write(`${name}: ${ours.toPrecision(3)} ${unit}\n`);
}

/** What opening took in a process of its own: the best of three. */
function opened(home: string, what: 'release' | 'engine'): { seconds: number; mb: number } {
  const script = fileURLToPath(new URL('./partitions/open.ts', import.meta.url));
  const tries = [1, 2, 3].map(() => {
    const args = ['--expose-gc', '--import', 'tsx', script, home, what];
    return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as { seconds: number; mb: number };
  });
  return {
    seconds: Math.min(...tries.map(t => t.seconds)),
    mb: percentile(
      tries.map(t => t.mb),
      50,
    ),
  };
}

/**
 * Times of asking every layer about places drawn anew, at the median: ms for all layers in counties that nobody asked about
 * before, and µs a layer in the same counties again.
 */
async function asked(layers: number, about: (layer: string, county: number) => Promise<void> | void, counties: number) {
  const random = randomFrom(1);
  const drawn = Array.from({ length: POINTS }, () => Math.floor(random() * counties));
  const round = async () => {
    const times: number[] = [];
    for (const county of drawn) {
      const began = performance.now();
      for (let layer = 0; layer < layers; layer++) await about(`layer${layer}`, county);
      times.push(performance.now() - began);
    }
    return times;
  };
  const [fresh, again] = [await round(), await round()];
  return { first: fresh[0]!, fresh: percentile(fresh, 50), each: (1000 * percentile(again, 50)) / layers };
}

async function finding(name: string, home: string, id: string, counties: number, layers: number): Promise<void> {
  const release = openReleaseById(home, id);
  const cache = createCache(512);
  const random = randomFrom(2);
  let request = new Layers(release, cache);
  let point = [0, 0] as readonly [number, number];
  let last = -1;
  const at = async (layer: string, county: number) => {
    // One request a place: the first layer begins another.
    if (layer === 'layer0') {
      const [west, south] = cornerOf(county);
      [request, point, last] = [new Layers(release, cache), [west + random() * SIDE, south + random() * SIDE], county];
    }
    if (county !== last) throw new Error('a request asks about one county');
    const found = request.at('made', layer, ...point);
    const { covering, searched } = found instanceof Promise ? await found : found;
    if (covering.length !== 1) throw new Error(`${covering.length} partitions cover the point`);
    if (partitionsHolding(searched, ...point)[0] !== covering[0]) throw new Error('another partition holds the point');
  };
  const points = await asked(layers, at, counties);
  add(`${name}, a point, first request`, 'ms', points.first);
  add(`${name}, a point in a county that nobody asked about, all layers`, 'ms', points.fresh);
  add(`${name}, a point, a layer`, 'µs', points.each);
  for (const [of, side] of [
    ['of 1 km', KM],
    ['of a state', SIDE * STATE],
  ] as const) {
    const meeting = (layer: string, county: number) => {
      const [west, south] = cornerOf(county);
      const box: Box = [west + 0.2, south + 0.2, west + 0.2 + side, south + 0.2 + side];
      const version = release.layer('made', layer)!;
      const covering = request.coveringAbout(Coverage.of(version), box);
      if (!covering.length || covering.length !== partitionsMeeting(PartitionSet.of(version), box).length)
        throw new Error('coverages and partitions of a box differ');
    };
    const boxes = await asked(layers, meeting, counties);
    add(`${name}, a box ${of}, a layer`, 'µs', boxes.each);
  }
}

/** A county's layers with new features, published on top of the current release. */
async function publishing(
  name: string,
  home: string,
  layers: number,
  coverages: readonly ReleaseFile[],
): Promise<void> {
  const releases = join(home, 'releases');
  const took: number[] = [];
  for (let edition = 2; edition < 5; edition++) {
    const began = performance.now();
    const previous = readManifest(releases, currentId(releases)!);
    const county = 5;
    const contributions = Array.from({ length: layers }, (_, layer) => ({
      dataset: 'made',
      layer: `layer${layer}`,
      columns: ['name'],
      partitions: [partitionOf(county, layer, coverages[county]!, edition)],
    }));
    const { place } = contributions[0]!.partitions[0]!;
    const counts = countsOfPlace(previous, place);
    const composed = compose(previous, place, contributions, counts, new Date());
    await publish(releases, await withShards(new Store(home), composed));
    took.push((performance.now() - began) / 1000);
  }
  add(`${name}, publishing a county's ${layers} layers`, 's', Math.min(...took));
}

const most = Math.max(...SIZES.map(([counties]) => counties));
/** So many partitions alone. */
const only = process.argv[2] ? Number(process.argv[2]) : null;
for (const [counties, layers] of SIZES.filter(([a, b]) => only === null || a * b === only)) {
  const home = mkdtempSync(join(tmpdir(), 'plat-bench-partitions-'));
  try {
    const coverages: ReleaseFile[] = [];
    for (let county = 0; county < Math.min(most, counties); county++) coverages.push(await coverageFile(home, county));
    const manifest = await nationOf(new Store(home), counties, layers, coverages);
    await publish(join(home, 'releases'), manifest);
    const name = `${(counties * layers).toLocaleString('en-US')} partitions (${counties} counties × ${layers} layers)`;
    for (const what of ['release', 'engine'] as const) {
      const { seconds, mb } = opened(home, what);
      add(`${name}, opening ${what === 'engine' ? 'with two workers' : 'in one thread'}`, 's', seconds);
      add(`${name}, memory of that`, 'MB', mb);
    }
    await finding(name, home, manifest.id, counties, layers);
    await publishing(name, home, layers, coverages);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
report('partitions', { node: process.version }, rows);
