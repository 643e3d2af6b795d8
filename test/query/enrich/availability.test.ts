import { beforeAll, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { enrichCatalogOf } from '../../../datasets/enrich/enrich.ts';
import type { LayerVersion, Manifest } from '../../../datasets/release.ts';
import { Availability } from '../../../query/enrich/availability.ts';
import { Calculated } from '../../../query/parcel/calculated-values.ts';
import { parcelCounts } from '../../../query/parcel/parcel-counts.ts';
import { createCache } from '../../../query/release/cache.ts';
import type { InstalledSource } from '../../../query/release/installed.ts';
import { Layers } from '../../../query/release/layers.ts';
import { currentId, openReleaseById, type Release, releaseOf } from '../../../query/release/open-release.ts';
import { availabilityOf, differences, parcelPoints } from '../../agreement/availability.ts';
import { storedParcels } from '../../agreement/parcels.ts';
import { syntheticHome } from '../../synthetic-home.ts';

let whole: Release;
beforeAll(async () => {
  const { home } = await syntheticHome();
  whole = openReleaseById(home, currentId(home)!);
}, 120_000);

/** The release with other layers: those that are null are left out. */
function cut(change: (id: string, layer: LayerVersion, place: number) => LayerVersion | null): Release {
  const { manifest } = whole;
  let place = 0;
  const datasets: Record<string, Record<string, LayerVersion>> = {};
  for (const [dataset, layers] of Object.entries(manifest.datasets))
    for (const [name, layer] of Object.entries(layers)) {
      const left = change(`${dataset}:${name}`, layer, place++);
      if (left) datasets[dataset] = { ...datasets[dataset], [name]: left };
    }
  const { shards: _, counts: __, ...rest } = manifest;
  return releaseOf(whole.home, {
    ...rest,
    format: 1,
    datasets,
    overlays: undefined,
    ingests: [],
  } as unknown as Manifest);
}

/** A layer of which no source publishes some of its columns. */
const without = (layer: LayerVersion, isLeftOut: (column: string) => boolean): LayerVersion => ({
  version: layer.version,
  columns: layer.columns,
  partitions: layer.partitions.map(partition => {
    const unpublished = [...partition.unpublished, ...layer.columns.filter(isLeftOut)];
    return {
      ...partition,
      unpublished,
      ...(partition.parts ? { parts: partition.parts.map(part => ({ ...part, unpublished })) } : {}),
    };
  }),
});

it('says of every field of the whole area that it can be answered, and it is', async () => {
  expect(await differences(whole, await parcelPoints(whole, 4))).toEqual({ found: [], lacking: 0 });
});

it.each([0, 1])('says of a release without every other layer what it cannot answer (%i)', async odd => {
  const { found, lacking } = await differences(
    cut((id, layer, place) => (place % 2 === odd && id !== 'parcel_store:main' ? null : layer)),
    await parcelPoints(whole, 2),
  );
  expect(found).toEqual([]);
  expect(lacking).toBeGreaterThan(100);
});

it.each([0, 1])('says it where no source publishes every other column (%i)', async odd => {
  const { found, lacking } = await differences(
    cut((_, layer) => without(layer, column => column.length % 2 === odd)),
    await parcelPoints(whole, 2),
  );
  expect(found).toEqual([]);
  expect(lacking).toBeGreaterThan(50);
});

it('knows what enrichment cannot answer: attributes, and what is calculated of them', () => {
  const lacking = availabilityOf(cut((_, layer) => without(layer, column => column === 'owner')));
  for (const name of ['owner', 'parcel_owner', 'owner_assemblage'])
    expect(lacking.lack(name), name).toEqual({
      reason: expect.stringMatching(/this copy .* lacks it \(owner\)/),
      of: 'copy',
    });
  expect(lacking.lackOf('apn')).toBeNull();
  const nothing = availabilityOf(cut(() => null));
  for (const name of ['owner', 'geometry', 'elevation', 'parcel_constraint_zones'])
    expect(nothing.lack(name), name).toEqual({ reason: expect.stringMatching(/not installed/), of: 'release' });
});

it('cites the product of this release, not the one of the catalog', () => {
  const stand = cut((_, layer) => ({
    ...layer,
    partitions: layer.partitions.map(partition => ({
      ...partition,
      provenance: { ...partition.provenance, source: 'older_tracts', vintage: '2010' },
    })),
  }));
  const cited = availabilityOf(stand).sourcesOf('tract_geoid');
  expect(new Set(cited.map(({ layer, source, vintage }) => `${layer} ${source} ${vintage}`))).toEqual(
    new Set(['tract older_tracts 2010']),
  );
});

it('counts the parcels that have a value, of columns, calculations and tables by area', async () => {
  const cache = createCache(256);
  const layers = new Layers(whole, cache);
  const [county] = whole.layer('parcel_store', 'main')!.partitions;
  const parcels = (await storedParcels(whole.home)).filter(({ state }) => county!.key.startsWith(state));
  const counts = await parcelCounts(layers, catalog, county!, () => {});
  expect(counts.parcels).toBe(parcels.length);
  const columns = Object.keys(parcels[0]!.properties).filter(name => name in counts.values);
  const calculated = new Calculated(layers, catalog, county!);
  const fields = [...calculated.fields()].filter(name => calculated.locate(name) !== null);
  const found = new Map<string, number>(fields.map(name => [name, 0]));
  for (let ord = 0; ord < parcels.length; ord++)
    for (const [name, { status }] of await calculated.findings(ord, fields))
      if (status === 'ok') found.set(name, found.get(name)! + 1);
  for (const name of columns) {
    const filled = parcels.filter(({ properties }) => (properties[name] ?? '') !== '').length;
    expect(counts.values[name], name).toBe(Math.max(filled, found.get(name) ?? 0));
  }
  for (const [name, count] of found) if (!columns.includes(name)) expect(counts.values[name], name).toBe(count);
  expect(columns.length).toBeGreaterThan(100);
  expect(fields.length).toBeGreaterThan(300);
  for (const name of fields) if (counts.values[name] === 0) expect(counts.reasons[name], name).toMatch(/\w/);
  // What cannot be answered has no value; what has none can be answered, but for what nobody publishes.
  const availability = availabilityOf(whole);
  for (const name of enrichCatalogOf(catalog).fields.keys())
    if (availability.lackOf(name) !== null) expect(counts.values[name], name).toBe(0);
  cache.clear();
});

it('no copy speaks for the places of another', () => {
  const sources = ['one', 'other'].map(source => ({
    ...{ dataset: 'parcel_store', layer: 'main', state: null, county: null, source, notes: [] },
    unpublished: ['owner'],
  })) as unknown as readonly InstalledSource[];
  const lackOf = (own: readonly InstalledSource[]) => new Availability(catalog, whole, own).lackOf('owner');
  expect(lackOf(sources.slice(1))).toBe('this copy (other) lacks it (owner)');
  expect(lackOf(sources)).toBe('no copy of parcels (parcel_store) in this release has it (owner)');
});
