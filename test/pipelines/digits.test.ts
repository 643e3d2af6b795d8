import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect, it } from 'vitest';
import { catalog } from '../../datasets/catalog.ts';
import type { Place } from '../../datasets/place/place.ts';
import { run } from '../../pipelines/run.ts';
import { matchParcel } from '../../query/engine/match-task.ts';
import { search } from '../../query/engine/search-task.ts';
import { createCache } from '../../query/release/cache.ts';
import { openRelease } from '../../query/release/open-release.ts';
import type { WrittenPage } from '../../query/search/page/written-page.ts';
import { BUDGET } from '../query/search/agreement.ts';
import { textOf } from '../query/search/page-text.ts';
import { SILENT } from './silent.ts';
import { feature, folder, provenance, square, village, writeFiles } from './village.ts';

/** Nine numbers of 17 digits, which doubles make five of. */
const NUMBERS = Array.from({ length: 9 }, (_, i) => `1234567890123456${i}`);

it('parcel numbers of 17 digits keep them through to Parquet, searches and answers', async () => {
  const [home, sources] = [folder(), folder()];
  writeFiles(sources, { 'boundary.geojson': [feature('Polygon', [square(-69, 44, 0.2)])] });
  const lots = NUMBERS.map((_, i) => feature('Polygon', [square(-68.9 + i * 0.01, 44.1, 0.001)], { pin: `@${i}` }));
  const text = JSON.stringify({ type: 'FeatureCollection', features: lots });
  writeFileSync(
    join(sources, 'lots.geojson'),
    text.replace(/"@(\d)"/g, (_, i) => NUMBERS[i]!),
  );
  const place: Place = {
    ...village,
    layers: [{ dataset: 'parcel_store', layer: 'main', file: 'lots.geojson', columns: { apn: 'pin' }, provenance }],
  };
  await run({ home, sources, place, threads: 0, progress: SILENT, overlay: { memoryMb: 256 } });
  const release = openRelease(home);
  const db = await (await DuckDBInstance.create()).connect();
  const files = readdirSync(join(home, 'releases'), { recursive: true, encoding: 'utf8' });
  const parcels = release.manifest.datasets.parcel_store!.main!.partitions[0]!.files.find(f => f.role === 'rows')!;
  expect(files).toContain(parcels.path);
  const sql = 'SELECT apn FROM read_parquet($file) ORDER BY apn';
  const stored = await db.runAndReadAll(sql, { file: join(home, 'releases', parcels.path) });
  expect(stored.getRowsJS().flat()).toEqual(NUMBERS);
  db.closeSync();
  const cache = createCache(64);
  const asked = { release, catalog, cache, deadline: Date.now() + 60_000, stopped: () => false };
  const page = (await search(
    {
      filters: { tests: [{ name: 'state', kind: 'state', op: 'eq', operands: ['ME'] }], areas: [] },
      outputs: [],
      countyByFips: false,
      limit: 100,
      after: null,
      budget: BUDGET,
    },
    asked,
  )) as WrittenPage;
  const numbers = JSON.parse(Buffer.from(textOf(page.matches)).toString()).map(({ apn }: { apn: string }) => apn);
  expect(numbers.sort()).toEqual(NUMBERS);
  const found = await matchParcel({ point: { lng: -68.8695, lat: 44.1005 }, address: null, geometry: false }, asked);
  expect(found).toMatchObject({ status: 'matched', parcel: { apn: NUMBERS[3] } });
  for (const path of [home, sources]) rmSync(path, { recursive: true });
}, 60_000);
