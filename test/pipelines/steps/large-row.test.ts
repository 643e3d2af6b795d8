import { rmSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import type { Place } from '../../../datasets/place/place.ts';
import { readLimits, setReadLimits } from '../../../ingest/read-limits.ts';
import { run } from '../../../pipelines/run.ts';
import { listRejects } from '../../../pipelines/steps/rejected/list.ts';
import { openRelease } from '../../../query/release/open-release.ts';
import { SILENT } from '../silent.ts';
import { FILES, feature, folder, square, village, wetlands, writeFiles, zoning } from '../village.ts';

const usual = readLimits();
afterAll(() => setReadLimits(usual));

it('rows that pass a limit are rejected by name and counted, whatever a layer leaves out', async () => {
  setReadLimits({ ...usual, valueMb: 1 });
  const [home, sources] = [folder(), folder()];
  const note = 'x'.repeat(1.2 * 2 ** 20);
  const large = feature('Polygon', [square(-68.9, 44.05)], { zone: 'urd-1', note });
  writeFiles(sources, {
    ...FILES,
    'zoning.geojson': [...FILES['zoning.geojson'], large],
    'boundary.geojson': FILES['boundary.geojson'],
  });
  const expectation = { expect: { rejected: 0.5, because: 'one of its four rows is too large' } };
  const place: Place = { ...village, layers: [wetlands, { ...zoning, ...expectation, where: "zone = 'urd-1'" }] };
  const { counts } = await run({ home, sources, place, threads: 0, progress: SILENT, overlay: { memoryMb: 256 } });
  const count = counts.find(({ dataset }) => dataset === 'local_zoning')!;
  expect(count).toMatchObject({ read: 4, written: 2, skipped: 1, rejected: 1 });
  const release = openRelease(home);
  const listed = [];
  for await (const { file, row, action, reason } of listRejects(`${home}/releases`, release.manifest, {
    layer: 'local_zoning:main',
    place: 'village',
    repaired: false,
  }))
    listed.push({ file, row, action, reason });
  expect(listed).toEqual([
    {
      file: 'zoning.geojson',
      row: 4,
      action: 'rejected',
      reason:
        'one feature, record or value passes the limit of 1 MB; if the file is what its publisher meant, raise PLAT_READ_VALUE_MB',
    },
  ]);
  for (const path of [home, sources]) rmSync(path, { recursive: true });
}, 60_000);
