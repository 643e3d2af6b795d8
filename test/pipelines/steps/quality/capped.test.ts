import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { run } from '../../../../pipelines/run.ts';
import { cappedBy } from '../../../../pipelines/steps/quality/capped.ts';
import { zipOf } from '../../../ingest/readers/zip.ts';
import { SILENT } from '../../silent.ts';
import { feature, folder, square, village, writeFiles, zoning } from '../../village.ts';

const found = { notes: [], capped: null, isAnswer: true };
const of = (more: object = {}) => ({ layer: { ...zoning, ...more }, place: village });

it('exactly 1,000 or 2,000 rows of a service are a part, unless the place expects them', () => {
  expect(cappedBy(of(), 1000, found)).toMatch('exactly 1000 rows');
  expect(cappedBy(of(), 2000, found)).toMatch('expectRows: 2000');
  expect(cappedBy(of(), 1999, found)).toBeNull();
  expect(cappedBy(of(), 2000, { ...found, isAnswer: false })).toBeNull();
  expect(cappedBy(of({ expectRows: 2000 }), 2000, found)).toBeNull();
  const url = 'https://data.example.org/resource/abcd-1234.csv';
  expect(cappedBy(of({ provenance: { ...zoning.provenance, url } }), 1000, undefined)).toMatch('exactly 1000');
});

it('a capped file is refused, or taken with --accept and noted', async () => {
  const [home, sources] = [folder(), folder()];
  writeFiles(sources, { 'boundary.geojson': [feature('Polygon', [square(-69, 44, 0.2)])] });
  const features = [feature('Polygon', [square(-68.9, 44.1)], { zone: 'r' })];
  const text = JSON.stringify({ type: 'FeatureCollection', features, exceededTransferLimit: true });
  writeFileSync(join(sources, 'zoning.geojson'), text);
  const options = { home, sources, place: { ...village, layers: [zoning] }, threads: 0, progress: SILENT };
  await expect(run(options)).rejects.toThrow('--accept village/local_zoning:main/capped');
  const report = await run({ ...options, accept: ['village/local_zoning:main/capped'] });
  expect(report.accepted).toMatchObject([{ what: expect.stringContaining('exceededTransferLimit') }]);
  expect(report.counts[0]!.capped).toContain('more rows than it sent');
  for (const path of [home, sources]) rmSync(path, { recursive: true });
});

it('a joined file that a server capped, and one in a zip, are no less a part', async () => {
  const [home, sources] = [folder(), folder()];
  writeFiles(sources, { 'boundary.geojson': [feature('Polygon', [square(-69, 44, 0.2)])] });
  const textOf = (more: object) =>
    JSON.stringify({
      type: 'FeatureCollection',
      features: [feature('Polygon', [square(-68.9, 44.1)], { zone: 'r', id: 1 })],
      ...more,
    });
  const capped = textOf({ exceededTransferLimit: true });
  writeFileSync(join(sources, 'zoning.geojson'), textOf({}));
  writeFileSync(join(sources, 'names.geojson'), capped);
  writeFileSync(join(sources, 'zoning.zip'), await zipOf({ 'data/zoning.geojson': capped }));
  const joined = { file: 'names.geojson', prefix: 'names', key: 'id', to: 'id' };
  for (const [layer, what] of [
    [{ ...zoning, join: joined }, 'names.geojson: the server says exceededTransferLimit'],
    [{ ...zoning, file: 'zoning.zip' }, 'the server says exceededTransferLimit'],
  ] as const) {
    const place = { ...village, layers: [layer] };
    const report = await run({ home, sources, place, threads: 0, progress: SILENT, accept: ['village'] });
    expect(report.counts[0]!.capped).toContain(what);
  }
  for (const path of [home, sources]) rmSync(path, { recursive: true });
});
