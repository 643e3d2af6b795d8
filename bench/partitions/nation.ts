// A manifest of made-up counties with up to 100 layers each: names, hashes and boxes, no data but the coverages.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { Box } from '../../datasets/geometry.ts';
import type { LayerVersion, Manifest, Partition, ReleaseFile } from '../../datasets/release.ts';
import { createFlatGeobuf } from '../../ingest/writers/flatgeobuf.ts';
import { countListsOf, layerOf, listsFrom } from '../../pipelines/release/lists.ts';
import { withShards } from '../../query/release/home/shards.ts';
import type { Store } from '../../query/release/home/store.ts';

/** Counties lie in rows of so many, each half a degree wide and high; a state is a square of so many each way. */
export const [ACROSS, SIDE, STATE] = [80, 0.5, 8];
const CORNER = [-120, 25] as const;

/** South-western corner of a county, lng,lat. */
export const cornerOf = (county: number): readonly [number, number] => [
  CORNER[0] + SIDE * (county % ACROSS),
  CORNER[1] + SIDE * Math.floor(county / ACROSS),
];

/** Two letters. */
function stateOf(county: number): string {
  const [column, row] = [Math.floor((county % ACROSS) / STATE), Math.floor(county / ACROSS / STATE)];
  return String.fromCharCode(65 + column, 65 + row);
}

const boxOf = (county: number): Box => {
  const [west, south] = cornerOf(county);
  return [west, south, west + SIDE, south + SIDE];
};

/** A county's coverage, a square, in the store of `home`. */
export async function coverageFile(home: string, county: number): Promise<ReleaseFile> {
  const folder = join(home, 'releases', 'files', '00');
  mkdirSync(folder, { recursive: true });
  const [west, south, east, north] = boxOf(county);
  const path = join(folder, `${county}.part`);
  const writer = await createFlatGeobuf(path, {
    name: 'coverage',
    columns: {},
    geometryType: 'polygon',
    order: 'input',
    durable: false,
  });
  const xy = Float64Array.of(west, south, east, south, east, north, west, north, west, south);
  writer.write({
    geometry: { type: 'Polygon', xy, ends: Uint32Array.of(5), parts: Uint32Array.of(1) },
    properties: {},
  });
  await writer.finish();
  const bytes = readFileSync(path);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  renameSync(path, join(folder, `${sha256}.fgb`));
  const box = boxOf(county);
  return { role: 'coverage', path: `files/00/${sha256}.fgb`, sha256, bytes: bytes.length, rows: 1, box };
}

/** A county's partition of a layer. @param edition of its features, which differ by it. */
export function partitionOf(county: number, layer: number, coverage: ReleaseFile, edition = 1): Partition {
  const name = String(county).padStart(5, '0');
  const sha256 = createHash('sha256').update(`${county} ${layer} ${edition}`).digest('hex');
  const path = `files/${sha256.slice(0, 2)}/${sha256}.fgb`;
  return {
    key: `${stateOf(county)}/${name}`,
    place: `county-${name}-xx`,
    county: name,
    rows: 1_000 + layer,
    box: boxOf(county),
    files: [{ role: 'features', path, sha256, bytes: 123_456 + county, rows: 1_000 + layer }, coverage],
    coverage: 'polygon',
    provenance: {
      source: `synthetic:layer${layer}`,
      title: `Layer ${layer} of made-up counties`,
      publisher: `County ${name} and its office for layer ${layer}`,
      url: `https://example.org/${name}/layer${layer}`,
      licence: 'CC0-1.0',
      vintage: `2026-01-${String((county % 28) + 1).padStart(2, '0')}`,
      note: null,
      retrievedAt: '2026-01-01T00:00:00.000Z',
      synthetic: true,
    },
    unpublished: [],
  };
}

/** A release of so many counties with so many layers each, its shards in the store. @param coverages of the counties. */
export async function nationOf(
  store: Store,
  counties: number,
  layers: number,
  coverages: readonly ReleaseFile[],
): Promise<Manifest> {
  const made: Record<string, LayerVersion> = {};
  for (let layer = 0; layer < layers; layer++) {
    const partitions = coverages.slice(0, counties).map((file, county) => partitionOf(county, layer, file));
    made[`layer${layer}`] = layerOf(['name'], listsFrom({ version: '', columns: ['name'], partitions }));
  }
  const countOf = (county: number, layer: number) => ({
    place: `county-${String(county).padStart(5, '0')}-xx`,
    dataset: 'made',
    layer: `layer${layer}`,
    file: `layer${layer}.geojson`,
    read: 1_000,
    written: 1_000,
    skipped: 0,
    rejected: 0,
    repaired: 0,
    dissolvedTo: null,
  });
  const counts = Array.from({ length: counties }, (_, county) =>
    countListsOf(
      Array.from({ length: layers }, (_, layer) => countOf(county, layer)),
      stateOf(county),
    ),
  ).flat();
  return withShards(store, {
    format: 3,
    id: `20260101-${String(counties * layers).padStart(8, '0')}`,
    createdAt: '2026-01-01T00:00:00.000Z',
    asOf: '2026-01-01',
    previous: null,
    datasets: { made },
    counts,
    ingests: [],
  });
}
