// Which partitions of a layer hold a point, in releases of 10 to 320,000 partitions: a manifest of made-up counties with 100
// layers each, every county with a coverage of its own that its layers share. No data but the coverages.
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LayerVersion, Manifest, Partition, ReleaseFile } from '../datasets/release.ts';
import { createFlatGeobuf } from '../ingest/writers/flatgeobuf.ts';
import { createCache } from '../query/release/cache.ts';
import { Layers } from '../query/release/layers.ts';
import { releaseOf } from '../query/release/open-release.ts';
import { randomFrom } from './proximity/roads.ts';
import { type BenchRow, percentile, report } from './report.ts';

const COUNTIES = [1, 10, 100, 1_000, 3_200];
const LAYERS = [1, 10, 100];
const POINTS = 300;
/** Counties lie in rows of so many, each half a degree wide and high. */
const ACROSS = 80;
const SIDE = 0.5;
const CORNER = [-120, 25] as const;

const home = mkdtempSync(join(tmpdir(), 'plat-bench-partitions-'));
const folder = join(home, 'releases', 'files', '00');
mkdirSync(folder, { recursive: true });

const cornerOf = (county: number) =>
  [CORNER[0] + SIDE * (county % ACROSS), CORNER[1] + SIDE * Math.floor(county / ACROSS)] as const;

async function coverageFile(county: number): Promise<ReleaseFile> {
  const [west, south] = cornerOf(county);
  const path = join(folder, `${county}.part`);
  const writer = await createFlatGeobuf(path, {
    name: 'coverage',
    columns: {},
    geometryType: 'polygon',
    order: 'input',
  });
  const [east, north] = [west + SIDE, south + SIDE];
  const xy = Float64Array.of(west, south, east, south, east, north, west, north, west, south);
  writer.write({
    geometry: { type: 'Polygon', xy, ends: Uint32Array.of(5), parts: Uint32Array.of(1) },
    properties: {},
  });
  await writer.finish();
  const bytes = readFileSync(path);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const name = `${sha256}.fgb`;
  renameSync(path, join(folder, name));
  return { role: 'coverage', path: `files/00/${name}`, sha256, bytes: bytes.length, rows: 1 };
}

const provenance = {
  source: 'synthetic:counties',
  title: 'Made-up counties',
  publisher: 'Plat',
  url: null,
  licence: 'CC0-1.0',
  vintage: 'synthetic',
  note: null,
  retrievedAt: '2026-01-01T00:00:00Z',
  synthetic: true,
};

function partitionOf(county: number, file: ReleaseFile): Partition {
  const [west, south] = cornerOf(county);
  const name = String(county).padStart(5, '0');
  const box = [west, south, west + SIDE, south + SIDE] as const;
  return {
    key: `XX/${name}`,
    place: name,
    county: name,
    rows: 1,
    box,
    files: [file],
    coverage: 'polygon',
    provenance,
    unpublished: [],
  };
}

function manifestOf(counties: number, layers: number, files: readonly ReleaseFile[]): Manifest {
  const made: Record<string, LayerVersion> = {};
  for (let layer = 0; layer < layers; layer++) {
    const partitions = files.slice(0, counties).map((file, county) => partitionOf(county, file));
    made[`layer${layer}`] = { version: `${counties}.${layers}.${layer}`, columns: [], partitions };
  }
  return {
    format: 1,
    id: `r${counties}x${layers}`,
    createdAt: '',
    asOf: '2026-01-01',
    previous: null,
    datasets: { made },
    ingests: [],
  };
}

const rows: BenchRow[] = [];
function add(name: string, unit: string, ours: number): void {
  rows.push({ case: name, unit, ours, peer: null, ratio: null });
  process.stderr.write(`${name}: ${ours.toPrecision(3)} ${unit}\n`);
}

try {
  const files: ReleaseFile[] = [];
  for (let county = 0; county < Math.max(...COUNTIES); county++) files.push(await coverageFile(county));
  const cache = createCache(512);
  for (const counties of COUNTIES)
    for (const layers of LAYERS) {
      const release = releaseOf(home, manifestOf(counties, layers, files));
      const random = randomFrom(1);
      const times: number[] = [];
      let first = 0;
      for (let i = 0; i < POINTS; i++) {
        const [west, south] = cornerOf(Math.floor(random() * counties));
        const [lng, lat] = [west + random() * SIDE, south + random() * SIDE];
        const began = performance.now();
        const opened = new Layers(release, cache);
        for (let layer = 0; layer < layers; layer++) {
          const { covering } = await opened.at('made', `layer${layer}`, lng, lat);
          if (covering.length !== 1) throw new Error(`${covering.length} partitions hold the point`);
        }
        const took = performance.now() - began;
        if (i === 0) first = took;
        else times.push((1000 * took) / layers);
      }
      const name = `${(counties * layers).toLocaleString('en-US')} partitions: ${counties} counties × ${layers} layers`;
      add(`${name}, first request`, 'ms', first);
      add(`${name}, a layer of a request, p50`, 'µs', percentile(times, 50));
    }
} finally {
  rmSync(home, { recursive: true, force: true });
}
report('partitions', { node: process.version }, rows);
