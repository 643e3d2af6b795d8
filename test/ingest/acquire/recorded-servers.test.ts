import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '../../../ingest/acquire/client.ts';
import { take } from '../../../ingest/acquire/take.ts';
import { TakenFiles } from '../../../ingest/acquire/taken.ts';
import { openSource } from '../../../ingest/format.ts';
import { type EsriRow, mapServer } from './map-server.ts';
import { Publisher } from './publisher.ts';

const publisher = new Publisher();
const folder = mkdtempSync(join(tmpdir(), 'plat-recorded-'));
const PATH = '/arcgis/rest/services/Parcels/MapServer/0';

beforeAll(async () => {
  await publisher.start();
});
afterAll(async () => {
  await publisher.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('recorded map servers of counties', () => {
  const at = fileURLToPath(new URL('recorded/', import.meta.url));
  const ways = readdirSync(at).flatMap(name => [[name, 'as it was'] as const, [name, 'with pages that fail'] as const]);
  it.each(ways)('%s comes whole, %s', async (name, way) => {
    const sources = mkdtempSync(join(folder, 's-'));
    const { metadata, ids, page, isNaNBare = false } = JSON.parse(readFileSync(join(at, name), 'utf8'));
    const oid = metadata.fields.find(({ type }: { type: string }) => type === 'esriFieldTypeOID')?.name;
    const field = ids?.objectIdFieldName ?? oid;
    const features: EsriRow[] = page.features;
    const rowIds = features.map(({ attributes }, i) => Number(attributes?.[field] ?? ids?.objectIds[i] ?? i + 1));
    // One row always ends in an error page, and the first answer with rows is cut off.
    const fails = way === 'with pages that fail' && features.length > 1;
    const failing = fails && ids !== null ? rowIds.at(-1)! : null;
    let cuts = fails ? 1 : 0;
    mapServer(publisher, PATH, {
      rows: features,
      field,
      ids: rowIds,
      failing: new Map(failing === null ? [] : [[failing, 'page']]),
      // Its own words alone: none that the double adds.
      description: Object.fromEntries(
        [
          ...'currentVersion type name fields maxRecordCount supportedQueryFormats editingInfo'.split(' '),
          ...Object.keys(metadata),
        ].map(key => [key, metadata[key]]),
      ),
      spatialReference: page.spatialReference,
      answersIds: ids === null ? 'ignored' : ids.objectIdFieldName ? 'named' : 'unnamed',
      counts: ids === null ? 'ignored' : 'counted',
      statistics: ids === null ? 'ignored' : 'by SQL',
      offsets: 'ignored',
      written: text => {
        const plain = isNaNBare ? text.replaceAll('"NaN"', 'NaN') : text;
        return cuts-- > 0 ? plain.slice(0, plain.length >> 1) : plain;
      },
    });
    const { taken } = await take({
      sources,
      file: 'layer.geojson',
      located: { via: 'arcgis', url: `${publisher.origin}${PATH}`, where: '', resource: null, vintage: null },
      taken: new TakenFiles(sources),
      client: new Client({ wait: async () => {}, retries: 2 }),
      now: () => new Date('2026-11-28T06:00:00Z'),
    });
    const expected = features.filter((_, i) => rowIds[i] !== failing);
    expect(taken.rows).toBe(expected.length);
    expect(taken.unread).toEqual(failing === null ? undefined : [String(failing)]);
    const got = JSON.parse(readFileSync(join(sources, 'layer.geojson'), 'utf8'));
    const texts = (rows: readonly unknown[]) => rows.map(row => JSON.stringify(row)).sort();
    expect(texts(got.features.map(({ properties }: { properties: unknown }) => properties))).toEqual(
      texts(expected.map(({ attributes }) => attributes)),
    );
    const { wkid, wkt } = page.spatialReference;
    expect(got.crs.properties.name).toBe(wkid ? `EPSG:${wkid}` : wkt);
    const source = await openSource(join(sources, 'layer.geojson'), { format: 'geojson', options: {} });
    let rows = 0;
    for await (const batch of source.rows()) rows += batch.filter(row => row.geometry !== null).length;
    await source.close();
    expect(rows).toBe(expected.filter(({ geometry }) => geometry && geometry.x !== 'NaN').length);
  });
});
