import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { catalog } from '../../../datasets/catalog.ts';
import { parcelId } from '../../../query/format/parcel-id.ts';
import { Calculated } from '../../../query/parcel/calculated-values.ts';
import { createCache } from '../../../query/release/cache.ts';
import { type AcceptedCorrection, correctionsPath } from '../../../query/release/corrections/correction-list.ts';
import { Layers } from '../../../query/release/layers.ts';
import { openRelease } from '../../../query/release/open-release.ts';
import { Columns } from '../../../query/search/columns/columns.ts';
import { folder } from '../../pipelines/world/truth.ts';
import { syntheticHome } from '../../synthetic-home.ts';

it('a column that is read while something is corrected is kept for nobody who asks later', async () => {
  const home = folder();
  cpSync((await syntheticHome()).home, home, { recursive: true });
  const release = openRelease(home);
  const [county] = release.layer('parcel_store', 'main')!.partitions;
  const cache = createCache(64 * 1024 * 1024);
  const request = async () => {
    const layers = new Layers(release, cache);
    const { file } = await layers.features(county!);
    return {
      file,
      columns: new Columns(layers, new Calculated(layers, catalog, county!), county!, file.count, () => {}),
    };
  };
  const test = { name: 'usecode', kind: 'string' } as const;
  const early = await request();
  const { parcel_key: key, centroid_lat: lat, centroid_lon: lng } = early.file.properties(0);
  const entry = {
    ...{ correction_id: 'cor_1', field: 'usecode', also: [], dataset: 'parcel_store', value: 'ZZ', lat, lng },
    ...{ parcel_id: parcelId(key!), evidence_url: null, accepted_at: '2026-11-26T06:00:00.000Z' },
  } as AcceptedCorrection;
  writeFileSync(correctionsPath(home), `${JSON.stringify(entry)}\n`);
  await sleep(250);
  await early.columns.held(test);
  const late = await request();
  expect(late.columns.heldAlready(test)).toBeNull();
  await late.columns.held(test);
  expect(late.columns.heldAlready(test)).not.toBeNull();
  rmSync(home, { recursive: true });
});
