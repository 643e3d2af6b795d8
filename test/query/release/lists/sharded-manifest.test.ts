import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { IngestCount, Manifest, Overlay, Partition } from '../../../../datasets/release.ts';
import { withCalculations } from '../../../../pipelines/release/lists.ts';
import { compose, identified } from '../../../../pipelines/release/manifest.ts';
import { verify } from '../../../../pipelines/release/verify.ts';
import { publish } from '../../../../query/release/home/publish.ts';
import { readManifest } from '../../../../query/release/home/releases.ts';
import { withShards } from '../../../../query/release/home/shards.ts';
import { filesOf, Store } from '../../../../query/release/home/store.ts';
import {
  countsOfPlace,
  eachPartition,
  LayerLists,
  listsOf,
  summaryOf,
  summaryOfLayer,
} from '../../../../query/release/lists/layer-lists.ts';
import { manifestText } from '../../../../query/release/manifest.ts';

const homes: string[] = [];
function newHome(): { home: string; releases: string; store: Store } {
  const home = mkdtempSync(join(tmpdir(), 'plat-shards-'));
  homes.push(home);
  mkdirSync(join(home, 'releases'));
  return { home, releases: join(home, 'releases'), store: new Store(home) };
}
afterAll(() => {
  for (const home of homes) rmSync(home, { recursive: true, force: true });
});

const hex = (text: string) => Buffer.from(text).toString('hex').padEnd(64, '0').slice(0, 64);

/** A partition without files on the disk. @param edition of its content. */
function partitionOf(place: string, key: string, layer: string, edition: number): Partition {
  const sha256 = hex(`${edition} ${key} ${layer} ${place}`);
  return {
    key,
    place,
    rows: edition,
    box: [edition, 0, edition + 1, 1],
    files: [{ role: 'features', path: `files/${sha256.slice(0, 2)}/${sha256}.fgb`, sha256, bytes: 5, rows: edition }],
    coverage: 'everywhere',
    provenance: {
      source: `source of ${place} “é”`,
      title: layer,
      publisher: 'a test\nof lines',
      url: null,
      licence: 'CC0-1.0',
      vintage: `202${edition}`,
      note: null,
      retrievedAt: '2026-01-01T00:00:00.000Z',
      synthetic: true,
    },
    unpublished: [],
  };
}

const countOf = (place: string, layer: string, edition: number): IngestCount => ({
  ...{ place, dataset: 'd', layer, file: `${layer}.geojson`, read: edition, written: edition },
  ...{ skipped: 0, rejected: 0, repaired: 0, dissolvedTo: null },
});

/** What a place brings: layer → key → edition; places of one name in several states are usual. */
type Brought = Readonly<Record<string, Readonly<Record<string, number>>>>;
interface Step {
  readonly place: string;
  readonly brought: Brought;
}

const KEYS = ['US', 'ME', 'ME/23019', 'ME/23021', 'NH/33001', 'VT'];
const step: fc.Arbitrary<Step> = fc.record({
  place: fc.constantFrom('orono', 'bangor', 'national', 'keene'),
  brought: fc.dictionary(
    fc.constantFrom('a', 'b', 'c'),
    fc.dictionary(fc.constantFrom(...KEYS), fc.integer({ min: 1, max: 4 }), { minKeys: 1 }),
    { maxKeys: 3 },
  ),
});

const contributionsOf = ({ place, brought }: Step) =>
  Object.entries(brought).map(([layer, keys]) => ({
    dataset: 'd',
    layer,
    columns: ['x'],
    partitions: Object.entries(keys).map(([key, edition]) => partitionOf(place, key, layer, edition)),
  }));

const countsOf = ({ place, brought }: Step) =>
  Object.entries(brought).map(([layer, keys]) => countOf(place, layer, Object.keys(keys).length));

/** Ingests places one after another. */
async function after(
  steps: readonly Step[],
  { store, releases }: ReturnType<typeof newHome>,
): Promise<Manifest | null> {
  let manifest: Manifest | null = null;
  for (const one of steps) {
    const next = compose(manifest, one.place, contributionsOf(one), countsOf(one), new Date('2026-01-02'));
    if (next === manifest) continue;
    await publish(releases, await withShards(store, next));
    manifest = readManifest(releases, next.id);
  }
  return manifest;
}

/** Layer → its partitions, as the steps say: each place's last ones, in stored order. */
function expected(steps: readonly Step[]): Record<string, Partition[]> {
  const last = new Map(steps.map(one => [one.place, one]));
  const layers: Record<string, Partition[]> = {};
  for (const { layer, partitions } of [...last.values()].flatMap(contributionsOf))
    layers[layer] = [...(layers[layer] ?? []), ...partitions];
  const order = ({ key, place }: Partition) => `${key}\0${place}`;
  for (const list of Object.values(layers)) list.sort((a, b) => (order(a) < order(b) ? -1 : 1));
  return layers;
}

const layersOf = (manifest: Manifest | null) => Object.entries(manifest?.datasets.d ?? {});

describe('a manifest with shards', () => {
  it('is read as it was written, whatever was ingested before', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), async steps => {
        const at = newHome();
        const manifest = await after(steps, at);
        const wanted = expected(steps);
        const read = () => readManifest(at.releases, manifest!.id);
        if (!manifest) return expect(wanted).toEqual({});
        const walked = layersOf(read()).map(([name, layer]) => [name, [...eachPartition(layer)]]);
        expect(Object.fromEntries(walked)).toEqual(wanted);
        expect(Object.fromEntries(layersOf(read()).map(([name, { partitions }]) => [name, partitions]))).toEqual(
          wanted,
        );
        for (const [name, layer] of layersOf(read())) {
          expect(summaryOfLayer(layer)).toEqual(summaryOf(wanted[name]!));
          expect(LayerLists.of(layer).all.map(({ inMemory }) => inMemory)).toEqual(listsOf(layer)!.map(() => null));
        }
        const last = [...new Map(steps.map(one => [one.place, one])).values()];
        for (const one of last) expect(new Set(countsOfPlace(read(), one.place))).toEqual(new Set(countsOf(one)));
        expect(new Set(read().ingests)).toEqual(new Set(last.flatMap(countsOf)));
        expect(manifestText(read())).toBe(readFileSync(join(at.releases, `${manifest.id}.json`), 'utf8'));
        const files = Object.values(wanted).flatMap(partitions => partitions.flatMap(p => p.files));
        const shards = Object.values(manifest.shards!).map(({ file }) => file);
        expect(new Set(filesOf(read()).map(f => f.path))).toEqual(new Set([...files, ...shards].map(f => f.path)));

        // One who ingests the same at once names the same shards.
        const fresh = await after(last, newHome());
        const layered = (of: Manifest) =>
          layersOf(of)
            .map(([name, layer]) => [name, layer.version, listsOf(layer)])
            .sort();
        const shardsOf = (of: Manifest) => Object.entries(of.shards!).map(([name, { file }]) => [name, file.rows]);
        expect(shardsOf(fresh!)).toEqual(shardsOf(manifest));
        expect(layered(fresh!).map(([name, version]) => [name, version])).toEqual(
          layered(manifest).map(([name, version]) => [name, version]),
        );
      }),
      { numRuns: 8 },
    );
  });

  const two: Step[] = [
    { place: 'orono', brought: { a: { 'ME/23019': 1 }, b: { 'ME/23019': 2 } } },
    { place: 'keene', brought: { a: { 'NH/33001': 1 } } },
  ];

  it('leaves the shards of other states as they are', async () => {
    const at = newHome();
    const before = (await after(two, at))!;
    const later = (await after([...two, { place: 'keene', brought: { a: { 'NH/33001': 3 } } }], at))!;
    expect(Object.keys(later.shards!)).toEqual(['ME', 'NH']);
    expect(later.shards!.ME).toEqual(before.shards!.ME);
    expect(later.shards!.NH).not.toEqual(before.shards!.NH);
  });

  it('takes over a release that has none', async () => {
    const at = newHome();
    const { shards: _, counts: __, ...sharded } = (await after(two, at))!;
    const old = JSON.parse(JSON.stringify({ ...sharded, format: 1 })) as Manifest;
    await publish(at.releases, { ...old, id: '20260101-00000000' });
    const previous = readManifest(at.releases, '20260101-00000000');
    expect(previous.datasets).toEqual(old.datasets);
    const next = compose(previous, 'keene', contributionsOf(two[1]!), countsOf(two[1]!), new Date('2026-01-03'));
    await publish(at.releases, await withShards(at.store, next));
    const read = readManifest(at.releases, next.id);
    expect(Object.fromEntries(layersOf(read).map(([name, { partitions }]) => [name, partitions]))).toEqual(
      expected(two),
    );
    expect(read.ingests).toEqual(old.ingests);
  });

  it('never answers from a damaged shard, and says which one it is', async () => {
    const at = newHome();
    const { id, shards } = (await after(two, at))!;
    const path = join(at.releases, shards!.ME!.file.path);
    const good = readFileSync(path);
    for (const [spoil, problem] of [
      [() => writeFileSync(path, good.subarray(0, 40)), /^expected \d+ bytes, found 40$/],
      [() => rmSync(path), /^the file is missing$/],
      [() => writeFileSync(path, Buffer.from(good).fill(0x39, 60, 62)), /^its content has changed/],
    ] as const) {
      spoil();
      const { a, b } = readManifest(at.releases, id).datasets.d!;
      expect(() => a!.partitions).toThrow(/^lists file [0-9a-f]{12} (is damaged|cannot be read \(ENOENT\))/);
      const { damage } = await verify(at.releases, readManifest(at.releases, id));
      expect(damage).toEqual([{ path: shards!.ME!.file.path, problem: expect.stringMatching(problem) }]);
      // Layers whose lines are whole answer.
      expect(summaryOfLayer(b!).rows).toBe(2);
    }
    writeFileSync(path, good);
    expect(readManifest(at.releases, id).datasets.d!.a!.partitions).toHaveLength(2);
  });

  it('keeps the calculations of each county in a shard of its state, which changes with them alone', async () => {
    const at = newHome();
    const [maine, keene] = [partitionOf('orono', 'ME/23019', 'main', 1), partitionOf('keene', 'NH/33001', 'main', 1)];
    const bringing = (one: Partition) => [
      { dataset: 'parcel_store', layer: 'main', columns: ['x'], partitions: [one] },
    ];
    const later = new Date('2026-01-02');
    const first = compose(null, 'orono', bringing(maine), [countOf('orono', 'main', 1)], later);
    const both = compose(first, 'keene', bringing(keene), [countOf('keene', 'main', 1)], later);
    const [ofMaine, ofKeene] = [maine, keene].map(({ files }) => files[0]!.sha256) as [string, string];
    const overlay = (inputs: string): Record<string, Overlay> => ({
      slope: { inputs, fields: ['slope_degrees'], files: [{ ...maine.files[0]!, role: 'records' }] },
    });
    const put = async (from: Manifest, overlays: Manifest['overlays']) => {
      const next = await withShards(at.store, identified(withCalculations(from, overlays!)));
      await publish(at.releases, next);
      return readManifest(at.releases, next.id);
    };
    const before = await put(await withShards(at.store, both), { [ofMaine]: overlay('a'), [ofKeene]: overlay('b') });
    const head = readFileSync(join(at.releases, `${before.id}.json`), 'utf8');
    expect(head).not.toContain('slope_degrees');
    expect(before.overlays).toEqual({ [ofMaine]: overlay('a'), [ofKeene]: overlay('b') });
    const names = Object.keys(before.shards!);
    expect(names).toEqual(['ME', 'ME calculations', 'NH', 'NH calculations']);
    // Anybody's gunzip shows the lines.
    const { path, rows } = before.shards!['ME calculations']!.file;
    const lines = gunzipSync(readFileSync(join(at.releases, path))).toString();
    expect([rows, lines]).toEqual([1, `${JSON.stringify(overlay('a'))}\n`]);

    const after = await put(before, { [ofMaine]: overlay('a'), [ofKeene]: overlay('c') });
    const changed = names.filter(name => after.shards![name]!.file.path !== before.shards![name]!.file.path);
    expect(changed).toEqual(['NH calculations']);
    expect(after.overlays![ofKeene]!.slope!.inputs).toBe('c');

    // A damaged shard is told by its name, and the other county's are read.
    writeFileSync(join(at.releases, after.shards!['NH calculations']!.file.path), 'x'.repeat(400));
    const damaged = readManifest(at.releases, after.id);
    expect(() => damaged.overlays![ofKeene]).toThrow(/^lists file [0-9a-f]{12} is damaged/);
    expect(damaged.overlays![ofMaine]).toEqual(overlay('a'));
  });

  it('with calculations in its head, as an earlier build wrote it, keeps them when the next is made', async () => {
    const at = newHome();
    const parcels = partitionOf('orono', 'ME/23019', 'main', 1);
    const { sha256 } = parcels.files[0]!;
    const layers = [{ dataset: 'parcel_store', layer: 'main', columns: ['x'], partitions: [parcels] }];
    const made = await withShards(
      at.store,
      compose(null, 'orono', layers, [countOf('orono', 'main', 1)], new Date('2026-01-02')),
    );
    const overlays = { [sha256]: { slope: { inputs: 'a', fields: ['slope_degrees'], files: [] } } };
    const path = join(at.releases, '20260101-00000000.json');
    const { calculations: _, sha256: __, ...head } = JSON.parse(manifestText({ ...made, id: '20260101-00000000' }));
    const old = { ...head, format: 2, overlays };
    const sum = createHash('sha256').update(JSON.stringify(old)).digest('hex');
    writeFileSync(path, JSON.stringify({ ...old, sha256: sum }));
    const read = readManifest(at.releases, '20260101-00000000');
    expect(read.overlays).toEqual(overlays);
    const next = await withShards(at.store, identified(withCalculations(read, { ...read.overlays })));
    await publish(at.releases, next);
    expect(readManifest(at.releases, next.id).overlays).toEqual(overlays);
  });
});
