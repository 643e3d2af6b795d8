import { beforeAll, describe, expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { PARCEL_ATTRIBUTES, type ParcelAttributeName } from '../../../datasets/parcel/parcel-attributes.ts';
import synthetic from '../../../datasets/places/synthetic.ts';
import { fillOf } from '../../../docs/parcels.ts';
import { enrichParcel } from '../../../query/enrich/enrich.ts';
import { createCache } from '../../../query/release/cache.ts';
import { Layers } from '../../../query/release/layers.ts';
import { openRelease, type Release } from '../../../query/release/open-release.ts';
import { syntheticHome } from '../../synthetic-home.ts';

const NAMES = Object.keys(PARCEL_ATTRIBUTES) as ParcelAttributeName[];
const cache = createCache(128);
let release: Release;
/** Every attribute's statuses and notes over all parcels. */
const seen = new Map<string, { readonly statuses: Set<string>; readonly notes: Set<string> }>();

async function read(of: Release, every: number, take: (name: string, entry: Entry) => void): Promise<void> {
  const layers = new Layers(of, cache);
  const environment = { release: of, catalog, cache, layers, deadline: Date.now() + 60_000 };
  for (const { key, rows } of of.layer('parcel_store', 'main')!.partitions)
    for (let ord = 0; ord < rows; ord += every) {
      const { fields } = await enrichParcel(environment, { partition: key, ord }, NAMES);
      const map = JSON.parse(new TextDecoder().decode(fields)) as Record<string, Entry>;
      for (const [name, entry] of Object.entries(map)) take(name, entry);
    }
}
interface Entry {
  readonly status: string;
  readonly notes: string | null;
}

beforeAll(async () => {
  release = openRelease((await syntheticHome()).home);
  for (const name of NAMES) seen.set(name, { statuses: new Set(), notes: new Set() });
  await read(release, 1, (name, { status, notes }) => {
    seen.get(name)!.statuses.add(status);
    if (status !== 'ok') seen.get(name)!.notes.add(notes!);
  });
});

describe('the table of what fills the attributes of parcels', () => {
  it('is right of every attribute of the synthetic place: filled means that parcels have it, absent that none has', () => {
    expect(NAMES).toHaveLength(177);
    for (const name of NAMES) {
      const { by, absent } = fillOf(synthetic, name);
      const { statuses, notes } = seen.get(name)!;
      expect([name, by !== null], `${by} ${absent}`).toEqual([name, statuses.has('ok')]);
      expect(statuses.has('failed'), name).toBe(false);
      if (by !== null) continue;
      const said = [...notes].join();
      if (absent === 'not published') expect(said, name).toContain(`lacks it (${name})`);
      else if (absent!.startsWith('needs ')) {
        expect(said, name).toContain(`lacks it (${name})`);
        for (const layer of absent!.slice('needs '.length).split(', '))
          expect(said, name).toContain(`(${layer.replace(/:main$/, '')})`);
      } else expect(said, name).toMatch(/names no one year/);
    }
    const counts = Object.groupBy(NAMES, name => fillOf(synthetic, name).by ?? 'absent');
    expect(counts.source!.length).toBeGreaterThan(50);
    expect(counts.overlay!.length).toBeGreaterThan(20);
    expect(counts.absent!.length).toBeGreaterThan(80);
  });

  it('says of a computed attribute that a release has not computed it yet', async () => {
    const { overlays: _, ...manifest } = release.manifest;
    const said = new Set<string>();
    await read({ ...release, id: 'plain', manifest }, 60, (name, { status, notes }) => {
      if (name === 'census_tract') said.add(`${status}: ${notes}`);
    });
    expect([...said].join()).toMatch(
      /^absent: [Tt]his copy \(\S+\) lacks it \(census_tract\), and it was not computed for this release/,
    );
  });
});
