import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import synthetic from '../../../datasets/places/synthetic.ts';
import type { Manifest } from '../../../datasets/release.ts';
import { Client } from '../../../ingest/acquire/client.ts';
import { parseMirror } from '../../../ingest/acquire/mirror.ts';
import { ingestPlace } from '../../../pipelines/refresh/ingest-place.ts';
import { currentId, readManifest } from '../../../query/release/home/releases.ts';
import { Publisher } from '../../ingest/acquire/publisher.ts';
import { syntheticHome } from '../../synthetic-home.ts';
import { SILENT } from '../silent.ts';
import { publishArea, TODAY } from './area-publisher.ts';

const folder = mkdtempSync(join(tmpdir(), 'plat-publishers-'));
const publisher = new Publisher();

beforeAll(async () => void (await publisher.start()));
afterAll(async () => {
  await publisher.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** SHA-256 of every file of a release's layers, by layer. */
const hashesOf = ({ datasets }: Manifest) =>
  Object.fromEntries(
    Object.entries(datasets).flatMap(([dataset, layers]) =>
      Object.entries(layers).map(([layer, { partitions }]) => [
        `${dataset}:${layer}`,
        partitions.map(({ files }) => files.map(({ role, sha256 }) => `${role} ${sha256}`)),
      ]),
    ),
  );

it('the synthetic area, taken from its publishers with a fault on the way of most files, is the same release', async () => {
  const { home, sources } = await syntheticHome();
  const { place, published, byHand } = publishArea(publisher, synthetic, sources);
  // Many are published; of the others the publisher has another form than the file of the area.
  expect(published.length).toBeGreaterThan(70);
  expect(new Set(published.map(({ via }) => via))).toEqual(new Set(['http', 'arcgis']));
  const taken = join(folder, 'sources');
  for (const file of byHand) cpSync(join(sources, file), join(taken, file));
  vi.useFakeTimers({ now: TODAY, toFake: ['Date'] });
  const client = new Client({ mirror: parseMirror(`*=${publisher.origin}`), perHost: 2, wait: async () => {} });
  const options = { home: join(folder, 'home'), sources: taken, place, client, datasets: [], threads: 0 };
  const { release } = await ingestPlace({ ...options, progress: SILENT });
  const manifest = (at: string, id: string) => readManifest(join(at, 'releases'), id);
  const expected = hashesOf(manifest(home, currentId(join(home, 'releases'))!));
  const made = hashesOf(manifest(options.home, release));
  expect(Object.keys(made)).toEqual(Object.keys(expected));
  for (const [layer, hashes] of Object.entries(expected)) expect(made[layer], layer).toEqual(hashes);
  expect([...publisher.faults.values()].flat()).toEqual([]);

  // A second look costs a question a file and takes nothing.
  publisher.log.length = 0;
  expect(await ingestPlace({ ...options, progress: SILENT })).toMatchObject({ changed: false });
  vi.useRealTimers();
});
