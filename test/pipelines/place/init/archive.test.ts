import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, expect, it } from 'vitest';
import { openArchive } from '../../../../ingest/zip.ts';
import { initPlace } from '../../../../pipelines/place/init/init.ts';
import { placeYaml } from '../../../../pipelines/place/init/write.ts';
import { parsePlace } from '../../../../pipelines/place/place-schema.ts';
import type { Feature, Position } from '../../../../pipelines/world/format/feature.ts';
import { text, writeShapefile } from '../../../../pipelines/world/format/shapefile.ts';
import { zipOf } from '../../../ingest/readers/zip.ts';
import { folder, square } from '../../village.ts';

const sources = folder();
afterAll(() => rmSync(sources, { recursive: true, force: true }));

/** The files of a shapefile of 100 squares in Butler County, Ohio, with one column. */
async function shapefile(stem: string, column: string, value: (i: number) => string): Promise<[string, Buffer][]> {
  const path = join(sources, `${stem}.shp.zip`);
  const rows = Array.from({ length: 100 }, (_, i): Feature => {
    const ring = square(-84.56 + (i % 10) * 0.001, 39.4 + Math.floor(i / 10) * 0.001, 0.0009);
    return {
      properties: { [column]: value(i) },
      geometry: { type: 'Polygon', coordinates: [ring.map(([x, y]): Position => [x!, y!])] },
    };
  });
  await writeShapefile(path, rows, { geometry: 'polygon', columns: [text(column, 30)] });
  const archive = await openArchive(path);
  const files: [string, Buffer][] = [];
  for (const name of archive.names) files.push([name, await buffer(await archive.open(name))]);
  archive.close();
  rmSync(path);
  return files;
}

it('each of several shapefiles in a zip is a layer, which its member names', async () => {
  const members = [
    ...(await shapefile('tax_parcels', 'PARCELID', i => `A-${1000 + i}`)),
    ...(await shapefile('zoning_districts', 'ZONING', i => ['R-1', 'R-2', 'C-1'][i % 3]!)),
  ];
  const path = join(sources, 'county.zip');
  writeFileSync(path, await zipOf(Object.fromEntries(members)));
  const out = join(sources, 'butler.yaml');
  const result = await initPlace({ files: [path], sources, name: 'butler-oh', state: null, county: '39017' });
  const { layers } = parsePlace(placeYaml(result, out), out);
  expect(layers.map(({ dataset, file, options }) => [dataset, file, options?.member])).toEqual([
    ['parcel_store', 'county.zip', 'tax_parcels.shp'],
    ['local_zoning', 'county.zip', 'zoning_districts.shp'],
  ]);
});
