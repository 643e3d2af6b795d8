import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createEngine } from '../../../query/engine/engine.ts';
import { parcelId } from '../../../query/format/parcel-id.ts';
import { createCache } from '../../../query/release/cache.ts';
import { correctionsPath } from '../../../query/release/corrections/correction-list.ts';
import { Layers } from '../../../query/release/layers.ts';
import { openRelease } from '../../../query/release/open-release.ts';
import { folder } from '../../pipelines/world/truth.ts';
import { syntheticHome } from '../../synthetic-home.ts';

it('a parcel number is suggested with the address that was accepted for its parcel', async () => {
  const home = folder();
  cpSync((await syntheticHome()).home, home, { recursive: true });
  const release = openRelease(home);
  const [county] = release.layer('parcel_store', 'main')!.partitions;
  const { file } = await new Layers(release, createCache(64)).features(county!);
  const { parcel_key: key, apn, address, centroid_lat: lat, centroid_lon: lng } = file.properties(0);
  const id = parcelId(key!);
  const engine = await createEngine({ home, workers: 1, queue: 10, memoryMb: 128 });
  const shown = async () => {
    const request = {
      text: String(apn),
      point: { lat: Number(lat), lng: Number(lng) },
      kinds: ['parcel'],
      limit: 10,
    } as const;
    const found = await engine.suggest(request, { deadline: Date.now() + 60_000 });
    return found.find(({ parcelId: of }) => of === id)?.text;
  };
  try {
    expect(await shown()).toBe([apn, address].filter(Boolean).join(', '));
    const entry = {
      ...{ correction_id: 'cor_1', field: 'address', also: ['parcel_address'], dataset: 'parcel_store', lat, lng },
      ...{ value: '1 CORRECTED LN', parcel_id: id, evidence_url: null, accepted_at: '2026-11-26T06:00:00.000Z' },
    };
    writeFileSync(correctionsPath(home), `${JSON.stringify(entry)}\n`);
    await expect.poll(shown, { timeout: 10_000 }).toBe(`${apn}, 1 CORRECTED LN`);
  } finally {
    await engine.close();
    rmSync(home, { recursive: true });
  }
});
