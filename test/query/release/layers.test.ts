import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Manifest, Partition, ReleaseFile } from '../../../datasets/release.ts';
import { createFlatGeobuf } from '../../../ingest/writers/flatgeobuf.ts';
import { createCache } from '../../../query/release/cache.ts';
import { Layers } from '../../../query/release/layers.ts';
import { type Release, releaseOf } from '../../../query/release/open-release.ts';

const home = mkdtempSync(join(tmpdir(), 'plat-layers-'));
const folder = join(home, 'releases', 'files', '00');
afterAll(() => rmSync(home, { recursive: true, force: true }));

async function coverageFile(name: string, ring: readonly number[]): Promise<ReleaseFile> {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  const writer = await createFlatGeobuf(path, { name, columns: {}, geometryType: 'polygon', order: 'input' });
  const ends = Uint32Array.of(ring.length / 2);
  writer.write({
    geometry: { type: 'Polygon', xy: Float64Array.from(ring), ends, parts: Uint32Array.of(1) },
    properties: {},
  });
  await writer.finish();
  const bytes = readFileSync(path);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  renameSync(path, join(folder, `${sha256}.fgb`));
  return { role: 'coverage', path: `files/00/${sha256}.fgb`, sha256, bytes: bytes.length, rows: 1 };
}

const provenance = {
  source: 'test',
  title: 'Test',
  publisher: 'Test',
  url: null,
  licence: 'CC0-1.0',
  vintage: '2026',
  note: null,
  retrievedAt: '2026-01-01T00:00:00Z',
  synthetic: true,
};
const partition = (place: string, file: ReleaseFile): Partition => ({
  key: `ME/${place}`,
  place,
  rows: 0,
  box: null,
  files: [file],
  coverage: 'polygon',
  provenance,
  unpublished: [],
});

let release: Release;
beforeAll(async () => {
  const triangle = await coverageFile('triangle', [-70, 44, -69, 44, -69, 45, -70, 44]);
  const square = await coverageFile('square', [-68, 44, -67, 44, -67, 45, -68, 45, -68, 44]);
  const west = await coverageFile('west', [-180, 50, -179, 50, -179, 51, -180, 51, -180, 50]);
  const partitions = [partition('triangle', triangle), partition('square', square), partition('west', west)];
  const manifest: Manifest = {
    format: 1,
    id: 'r1',
    createdAt: '',
    asOf: '2026-01-01',
    previous: null,
    datasets: { d: { main: { version: '1', columns: [], partitions } } },
    ingests: [],
  };
  release = releaseOf(home, manifest);
});

it('covers by polygons, the first time and once their boxes are known, and asks no file whose box is elsewhere', async () => {
  const cache = createCache(16);
  const at = async (lng: number, lat: number) =>
    (await new Layers(release, cache).at('d', 'main', lng, lat)).covering.map(({ place }) => place);
  for (let time = 0; time < 2; time++) {
    expect(await at(-69.2, 44.2)).toEqual(['triangle']);
    // In the triangle's box, beside it.
    expect(await at(-69.8, 44.8)).toEqual([]);
    expect(await at(-67.5, 44.5)).toEqual(['square']);
    expect(await at(-67, 45)).toEqual(['square']);
    expect(await at(-60, 40)).toEqual([]);
    // One meridian.
    expect(await at(180, 50.5)).toEqual(['west']);
    expect(await at(-180, 50.5)).toEqual(['west']);
  }
  const { path } = release.manifest.datasets.d!.main!.partitions[1]!.files[0]!;
  rmSync(join(home, 'releases', path));
  expect(await at(-60, 40)).toEqual([]);
  expect(await at(-69.2, 44.2)).toEqual(['triangle']);
});
