// Measures `plat place new` to a verified release of the synthetic county with 11,000 parcels, whose publishers stand on this machine
// under their real addresses: place file, downloads, ingest without overlays, verification. Then it compares the answers of all
// fields at 500 points with those of the place file of the area, whose files somebody gathered. Where files end near the county
// line, an answer that says so is told apart from one that is wrong.
// `BENCH_PARCELS` names another number.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { catalog, inputFields, walk } from '../../datasets/catalog.ts';
import type { Field } from '../../datasets/dataset.ts';
import synthetic from '../../datasets/places/synthetic.ts';
import { Client } from '../../ingest/acquire/client.ts';
import { parseMirror } from '../../ingest/acquire/mirror.ts';
import { ingestPlace } from '../../pipelines/refresh/ingest-place.ts';
import { run } from '../../pipelines/run.ts';
import { worldFiles } from '../../pipelines/world/layer.ts';
import { makeWorld } from '../../pipelines/world/world.ts';
import { writeFiles } from '../../pipelines/world/write-files.ts';
import { type BatchPoint, evaluateBatch } from '../../query/evaluate/batch-evaluate.ts';
import { FeatureFile } from '../../query/format/flatgeobuf.ts';
import { createCache } from '../../query/release/cache.ts';
import { openRelease } from '../../query/release/open-release.ts';
import { Publisher } from '../../test/ingest/acquire/publisher.ts';
import { newSyntheticCounty, publishCounty } from '../../test/pipelines/place/new/county-publisher.ts';
import { SILENT } from '../../test/pipelines/silent.ts';
import { report } from '../report.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Half of them are the county's. */
const PARCELS = 2 * Number(process.env.BENCH_PARCELS ?? 11_000);
const POINTS = 500;
/** Layers that the county has from other publishers than the area: parcels and addresses of the state, roads of its own alone. */
const OTHERS = ['parcel_store:main', 'usdot_nad:main', 'census_tiger:road_graph'];

const folder = mkdtempSync(join(tmpdir(), 'plat-bench-county-'));
const publisher = await new Publisher().start();

/** Layers that a field reads, those of the fields in it included. */
const layersOf = ({ expression }: Field): string[] => {
  const layers: string[] = [];
  walk(expression, ({ sources }) => {
    for (const { dataset, layer } of sources) layers.push(`${dataset}:${layer}`);
  });
  return [...layers, ...inputFields(expression).flatMap(name => layersOf(catalog.fields.get(name)!))];
};

/** Points of parcels of the county. */
function parcelPoints(home: string): BatchPoint[] {
  const release = openRelease(home);
  const points: BatchPoint[] = [];
  for (const { files } of release.layer('parcel_store', 'main')!.partitions) {
    const file = new FeatureFile(release.pathOf(files.find(({ role }) => role === 'features')!));
    for (let ord = 0; ord < file.count; ord++) {
      const { geoid, centroid_lon: lng, centroid_lat: lat } = file.properties(ord);
      if (geoid === '23999') points.push({ lng: Number(lng), lat: Number(lat) });
    }
    file.close();
  }
  const step = points.length / POINTS;
  return Array.from({ length: Math.min(POINTS, points.length) }, (_, i) => points[Math.floor(i * step)]!);
}

const answersOf = (home: string, names: readonly string[], points: readonly BatchPoint[]) =>
  evaluateBatch(names, points, { release: openRelease(home), catalog, cache: createCache(512) });

try {
  const world = worldFiles(await makeWorld({ parcels: PARCELS, seed: 11 }));
  const [sources, hand, home] = ['world', 'hand', 'home'].map(name => join(folder, name)) as [string, string, string];
  await writeFiles(world, sources);
  await run({ home: hand, sources, place: synthetic, progress: SILENT, threads: 2 });
  const { place } = newSyntheticCounty();
  await publishCounty(publisher, place, world, sources);

  const began = performance.now();
  const fresh = newSyntheticCounty().place;
  const client = new Client({ mirror: parseMirror(`*=${publisher.origin}`), perHost: 2 });
  const options = { home, sources: join(folder, 'sources'), place: fresh, client, datasets: [], threads: 2 };
  await ingestPlace({ ...options, progress: SILENT });
  await client.close();
  execFileSync(join(ROOT, 'plat'), ['release', 'verify'], {
    env: { ...process.env, PLAT_HOME: home },
    stdio: 'ignore',
  });
  const minutes = (performance.now() - began) / 60_000;

  const layers = new Set(fresh.layers.map(({ dataset, layer }) => `${dataset}:${layer}`));
  const names = [...catalog.fields.values()]
    // The parcels of the state have eight attributes, those of the area a whole roll.
    .filter(
      field =>
        !catalog.parcelRecord.has(field.name) &&
        layersOf(field).every(layer => layers.has(layer) && !OTHERS.includes(layer)),
    )
    .map(({ name }) => name);
  const points = parcelPoints(hand);
  const [expected, made] = [await answersOf(hand, names, points), await answersOf(home, names, points)];
  let [equal, bounded, present] = [0, 0, 0];
  const unequal = new Map<string, string>();
  for (const name of names)
    for (const [i, { value }] of expected.get(name)!.entries()) {
      const { value: own, notes } = made.get(name)![i]!;
      if (JSON.stringify(value) === JSON.stringify(own)) equal++;
      else if (notes?.some(note => note.includes('ends nearer'))) bounded++;
      else
        unequal.set(
          name,
          `${JSON.stringify(value)} and ${JSON.stringify(own)} at ${points[i]!.lat}, ${points[i]!.lng}`,
        );
      if (value !== null) present++;
    }
  for (const [name, values] of unequal) process.stdout.write(`unequal: ${name}: ${values}\n`);
  const parcels = openRelease(home)
    .layer('parcel_store', 'main')!
    .partitions.reduce((sum, { rows }) => sum + rows, 0);
  const none = { peer: null, ratio: null };
  report('place-new', { plat: 'this checkout' }, [
    { case: 'parcels of the county', unit: 'parcels', ours: parcels, ...none },
    { case: 'layers of its release', unit: 'layers', ours: layers.size, ...none },
    {
      case: 'place file, downloads, ingest, verification',
      unit: 'minutes',
      ours: minutes,
      peer: 10,
      ratio: 10 / minutes,
    },
    {
      case: `answers of ${names.length} fields at ${points.length} points`,
      unit: 'answers',
      ours: names.length * points.length,
      ...none,
    },
    {
      case: 'of them equal to the place file of the area',
      unit: '%',
      ours: (100 * equal) / (names.length * points.length),
      ...none,
    },
    {
      case: 'of the others that say how far they know',
      unit: 'answers',
      ours: bounded,
      ...none,
    },
    { case: 'of them that know a value', unit: '%', ours: (100 * present) / (names.length * points.length), ...none },
  ]);
  if (unequal.size > 0 || minutes > 10) process.exitCode = 1;
} finally {
  await publisher.stop();
  rmSync(folder, { recursive: true, force: true });
}
