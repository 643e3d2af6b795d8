import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openSource } from '../../ingest/format.ts';
import { cappedBy } from '../../pipelines/steps/quality/capped.ts';
import { folder, village, zoning } from '../pipelines/village.ts';

const home = folder();
afterAll(() => rmSync(home, { recursive: true, force: true }));

const ROWS = 5;
const points = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    type: 'Feature',
    properties: { pin: `P${i}` },
    geometry: { type: 'Point', coordinates: [-68.9, 44.1] },
  }));
const geojson = (before: object, after: object = {}) =>
  JSON.stringify({ type: 'FeatureCollection', ...before, features: points(ROWS), ...after });
const esri = (more: object, count = ROWS) =>
  JSON.stringify({
    geometryType: 'esriGeometryPoint',
    spatialReference: { wkid: 4326 },
    fields: [{ name: 'pin', type: 'esriFieldTypeString' }],
    features: Array.from({ length: count }, (_, i) => ({
      attributes: { pin: `P${i}` },
      geometry: { x: -68.9, y: 44.1 },
    })),
    ...more,
  });
const gml = (attributes: string) => {
  const member = (i: number) =>
    `<wfs:member><a:lot gml:id="l${i}"><a:pin>P${i}</a:pin><a:at><gml:Point gml:id="p${i}" srsName="urn:ogc:def:crs:EPSG::4326">` +
    '<gml:pos>44.1 -68.9</gml:pos></gml:Point></a:at></a:lot></wfs:member>';
  return (
    '<?xml version="1.0"?><wfs:FeatureCollection xmlns:wfs="http://www.opengis.net/wfs/2.0" ' +
    `xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:a="http://a" ${attributes}>` +
    `${Array.from({ length: ROWS }, (_, i) => member(i)).join('')}</wfs:FeatureCollection>`
  );
};

/** Why a file with this text is only a part. */
async function cappedIn(name: string, text: string, rows = ROWS): Promise<string | null> {
  const path = join(home, name);
  writeFileSync(path, text);
  const source = await openSource(path);
  try {
    let read = 0;
    for await (const batch of source.rows()) read += batch.length;
    expect(read).toBe(rows);
    return cappedBy({ layer: zoning, place: village }, read, source.findings);
  } finally {
    await source.close();
  }
}

const EXCEEDED = 'exceededTransferLimit';
const COUNTED = 'found 9 rows (numberMatched) and sent 5';
const NEXT = 'names a next page';
const link = (rel: string) => ({ links: [{ rel, href: 'http://example.org/items?offset=5' }] });

it.each([
  ['a.geojson', geojson({ exceededTransferLimit: true }), EXCEEDED],
  ['a.geojson', geojson({}, { exceededTransferLimit: 'true' }), EXCEEDED],
  ['a.geojson', geojson({}, { properties: { exceededTransferLimit: true } }), EXCEEDED],
  ['a.geojson', geojson({ numberMatched: 9, numberReturned: 5 }), COUNTED],
  ['a.geojson', geojson({}, { numberMatched: '9', numberReturned: '5' }), COUNTED],
  // A server that counts what it found need not count what it sent.
  ['a.geojson', geojson({}, { numberMatched: 9 }), COUNTED],
  ['a.geojson', geojson({ totalFeatures: 9 }), COUNTED],
  ['a.geojson', geojson({}, { totalFeatures: 9, numberMatched: 'unknown', numberReturned: 5 }), COUNTED],
  ['a.geojson', geojson({}, link('next')), NEXT],
  ['a.esri.json', esri({ exceededTransferLimit: true }), EXCEEDED],
  ['a.json', esri({ properties: { exceededTransferLimit: true } }), EXCEEDED],
  ['a.gml', gml('numberMatched="9" numberReturned="5"'), COUNTED],
  ['a.gml', gml('numberMatched="unknown" numberReturned="5" next="http://example.org/?startIndex=5"'), NEXT],
])('%s that a server capped says so, in whatever form: %#', async (name, text, why) => {
  expect(await cappedIn(name, text)).toContain(why);
});

it('exactly a thousand rows of Esri JSON are a part, which is always an answer of a service', async () => {
  expect(await cappedIn('b.json', esri({}, 1000), 1000)).toContain('exactly 1000 rows');
});

it.each([
  ['c.geojson', geojson({ numberMatched: 5, numberReturned: 5 })],
  ['c.geojson', geojson({ totalFeatures: 'unknown' })],
  ['c.geojson', geojson({}, link('prev'))],
  ['c.json', esri({ exceededTransferLimit: false })],
  ['c.gml', gml('numberMatched="unknown" numberReturned="5"')],
  ['c.gml', gml('numberOfFeatures="5"')],
])('%s that is whole is no part: %#', async (name, text) => {
  expect(await cappedIn(name, text)).toBeNull();
});
