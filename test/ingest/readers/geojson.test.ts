import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openSource } from '../../../ingest/format.ts';
import { failureOf, readRows, scratch } from './scratch.ts';

const write = scratch();
const feature = (properties: unknown, coordinates: unknown = [1, 2], more: object = {}) => ({
  type: 'Feature',
  properties,
  geometry: { type: 'Point', coordinates },
  ...more,
});
const collection = (features: unknown[], more: object = {}) =>
  JSON.stringify({ type: 'FeatureCollection', ...more, features });
const crsOf = async (text: string, options = {}) => (await openSource(write('crs.geojson', text), { options })).crs;

describe('GeoJSON', () => {
  it('reads features, flattening nested values and dropping Z', async () => {
    const text = collection([
      feature({ a: 1, b: 'é "{[,', c: null, d: { e: [1] }, f: true }, [1, 2, 3]),
      { type: 'Feature', properties: null, geometry: null },
    ]);
    for (const name of ['a.geojson', 'a.json', 'a.geojson.gz']) {
      const rows = await readRows(write(name, text));
      expect(rows.map(r => r.number)).toEqual([1, 2]);
      expect(rows[0]!.properties).toEqual({ a: 1, b: 'é "{[,', c: null, d: '{"e":[1]}', f: true });
      expect([...rows[0]!.geometry!.xy]).toEqual([1, 2]);
      expect(rows[1]).toMatchObject({ properties: {}, geometry: null });
    }
  });

  it('keeps the id where the properties have none', async () => {
    const rows = await readRows(
      write(
        'id.geojson',
        collection([feature({}, [0, 0], { id: 7 }), feature({ id: 'own' }, [0, 0], { id: 'other' })]),
      ),
    );
    expect(rows.map(r => r.properties.id)).toEqual([7, 'own']);
  });

  it('finds features behind other members and inside no other value', async () => {
    const text = `\uFEFF{"name":"features","x":{"features":[1]},"type" : "FeatureCollection" ,\n "features" : [ ${JSON.stringify(feature({ n: 1 }))} ,\r\n ${JSON.stringify(feature({ n: 2 }))} ] , "bbox":[0,0,1,1]}\n`;
    expect((await readRows(write('members.geojson', text))).map(r => r.properties.n)).toEqual([1, 2]);
  });

  it('reads an empty collection, a lone feature and a lone geometry', async () => {
    expect(await readRows(write('none.geojson', collection([])))).toEqual([]);
    const lone = await readRows(write('lone.geojson', JSON.stringify(feature({ n: 1 }))));
    expect(lone[0]!.properties).toEqual({ n: 1 });
    const bare = await readRows(write('bare.geojson', '{"type":"Point","coordinates":[3,4]}'));
    expect([...bare[0]!.geometry!.xy]).toEqual([3, 4]);
  });

  it('cuts values that span many chunks, with escapes at every place', async () => {
    const text = '\\"}{][,'.repeat(60_000);
    const features = Array.from({ length: 5 }, (_, n) => feature({ n, text: text + 'x'.repeat(n) }));
    const rows = await readRows(write('long.geojson', collection(features)));
    expect(rows.map(r => (r.properties.text as string).length)).toEqual([0, 1, 2, 3, 4].map(n => text.length + n));
  });

  it('yields batches of a thousand', async () => {
    const source = await openSource(
      write('many.geojson', collection(Array.from({ length: 2100 }, (_, n) => feature({ n })))),
    );
    const sizes: number[] = [];
    for await (const batch of source.rows()) sizes.push(batch.length);
    expect(sizes).toEqual([1000, 1000, 100]);
  });

  it('tells the CRS', async () => {
    const named = (name: string) => ({ crs: { type: 'name', properties: { name } } });
    expect(await crsOf(collection([]))).toBe('OGC:CRS84');
    expect(await crsOf(collection([], named('urn:ogc:def:crs:OGC:1.3:CRS84')))).toBe('OGC:CRS84');
    expect(await crsOf(collection([], named('urn:ogc:def:crs:EPSG::2264')))).toBe('EPSG:2264');
    expect(await crsOf(collection([], named('EPSG:2264')))).toBe('EPSG:2264');
    expect(await crsOf(collection([], { crs: null }))).toBeNull();
    expect(await crsOf(collection([]), { crs: 'EPSG:26912' })).toBe('EPSG:26912');
    expect(await crsOf(collection([], named('EPSG:2264')), { crs: 'EPSG:26912' })).toBe('EPSG:2264');
    expect(await crsOf(collection([], named('EPSG:2264')), { crs: 'EPSG:26912', overrideCrs: true })).toBe(
      'EPSG:26912',
    );
  });

  it('does not accept a CRS named after the features', async () => {
    const text = `{"type":"FeatureCollection","features":[],"crs":{"type":"name","properties":{"name":"EPSG:2264"}}}`;
    expect(await failureOf(write('late.geojson', text))).toMatchObject({ code: 'crs_unknown' });
    expect(await readRows(write('late.geojson', text), { crs: 'EPSG:2264' })).toEqual([]);
  });
});

describe('damaged GeoJSON', () => {
  const good = collection([feature({ n: 1 }), feature({ n: 2 })]);

  it('finds a file that was cut off, at any byte', async () => {
    for (let end = 0; end < good.length; end++) {
      const failure = await failureOf(write('cut.geojson', good.slice(0, end)));
      expect(failure, `cut at ${end}: ${failure.message}`).toMatchObject({ name: 'ReadError', code: 'file_truncated' });
    }
  });

  it('finds truncated and corrupt gzip', async () => {
    const bytes = gzipSync(good);
    const cut = write('cut.geojson.gz', bytes.subarray(0, bytes.length - 12));
    expect(await failureOf(cut)).toMatchObject({ code: 'file_truncated', file: cut });
    expect(await failureOf(write('no.geojson.gz', Buffer.from('not gzip at all')))).toMatchObject({
      code: 'file_corrupt',
    });
  });

  it.each([
    ['a feature that is no JSON', collection([feature({ n: 1 })]).replace('{"n":1}', '{"n":}'), 'file_corrupt', 1],
    ['a missing comma', good.replace('},{"type":"Feature"', '} {"type":"Feature"'), 'file_corrupt', 2],
    ['a feature that is none', collection([feature({}), 5]), 'file_corrupt', 2],
    ['a feature of another type', collection([{ type: 'Place' }]), 'file_corrupt', 1],
    ['TopoJSON', '{"type":"Topology","objects":{},"arcs":[]}', 'part_missing', null],
    ['JSON of another kind', '{"a":1}', 'file_corrupt', null],
    ['an array', '[1,2]', 'file_corrupt', null],
    ['text', 'hello', 'file_corrupt', null],
    ['something after the end', `${good} x`, 'file_corrupt', null],
    ['a collection of another type', '{"type":"Other","features":[]}', 'file_corrupt', null],
  ])('refuses %s', async (_, text, code, row) => {
    expect(await failureOf(write('bad.geojson', text))).toMatchObject({ name: 'ReadError', code, row });
  });

  it('loses a row alone whose geometry is none, and says why', async () => {
    const shapes: object[] = [
      { type: 'Point', coordinates: ['a', 2] },
      { type: 'Point', coordinates: [null, null] },
      { type: 'Polygon', coordinates: [1] },
      { type: 'GeometryCollection' },
      { type: 'Circle', coordinates: [1, 2] },
      { type: 'Point', coordinates: [1, 2] },
    ];
    const endless = collection([feature({}, [1, 2])]).replace('[1,2]', '[1e999,2]');
    expect((await readRows(write('endless.geojson', endless)))[0]!.unread?.reason).toMatch(/two numbers were expected/);
    const rows = await readRows(
      write('shapes.geojson', collection(shapes.map(geometry => feature({}, [1, 2], { geometry })))),
    );
    expect(rows.map(({ unread }) => unread?.reason)).toEqual([
      'a position of the Point is ["a",2]; two numbers were expected',
      'a position of the Point is [null,null]; two numbers were expected',
      'the coordinates of the Polygon are not nested 2 deep',
      'a GeometryCollection has no list of geometries',
      '"Circle" is no GeoJSON geometry type',
      undefined,
    ]);
  });

  it('refuses text that is no UTF-8 unless the encoding is given', async () => {
    const bytes = Buffer.from(collection([feature({ name: 'é' })]), 'latin1');
    const path = write('latin.geojson', bytes);
    expect(await failureOf(path)).toMatchObject({ code: 'file_corrupt', row: 1 });
    expect((await readRows(path, { encoding: 'latin1' }))[0]!.properties.name).toBe('é');
  });
});

describe('GeoJSON text sequences', () => {
  const lines = [feature({ n: 1 }), feature({ n: 2 })].map(f => JSON.stringify(f));

  it.each([
    ['a.geojsonl', `${lines.join('\n')}\n`],
    ['b.geojsonl', lines.join('\r\n')],
    ['c.geojsons', lines.map(l => `\x1e${l}\n`).join('')],
    ['d.ndjson.gz', lines.join('\n')],
  ])('reads %s', async (name, text) => {
    const rows = await readRows(write(name, text));
    expect(rows.map(r => [r.number, r.properties.n])).toEqual([
      [1, 1],
      [2, 2],
    ]);
  });

  it('names the row that is damaged', async () => {
    expect(await failureOf(write('cut.geojsonl', lines.join('\n').slice(0, -3)))).toMatchObject({
      code: 'file_truncated',
      row: 2,
    });
    expect(await failureOf(write('bad.geojsonl', `${lines[0]}\nnull\n`))).toMatchObject({
      code: 'file_corrupt',
      row: 2,
    });
  });
});
