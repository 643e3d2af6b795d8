import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { EsriRow } from './map-server.ts';
import { placeOf, QUERY, ServedLayer, say } from './served-layer.ts';

/** Habits of map servers that others have described, or that follow from what their programs do. */

const layer = new ServedLayer();
const { publisher } = layer;
const serve = layer.serve.bind(layer);
const before = layer.before.bind(layer);
const taking = (more = {}) => layer.taking(more);
const pins = () => layer.features().map(({ properties }) => String(properties.PIN));
const all = (count: number) => rowsOf(count).map(({ attributes }) => String(attributes!.PIN));
function rowsOf(count: number, attributes: (i: number) => object = () => ({})): EsriRow[] {
  return Array.from({ length: count }, (_, i) => ({
    attributes: { OBJECTID: i + 1, PIN: `P-${i}`, ...attributes(i) },
    geometry: placeOf(i),
  }));
}
const FIELDS = [
  { name: 'OBJECTID', type: 'esriFieldTypeOID' },
  { name: 'PIN', type: 'esriFieldTypeString' },
];

describe('a map server', () => {
  it('that knows no address of more than 1,000 letters is asked in shorter ones, or by a form', async () => {
    serve(rowsOf(120), { description: { fields: FIELDS } });
    const well = publisher.handlers.get(QUERY)!;
    publisher.handlers.set(QUERY, (request, response, url) => {
      const bars = />|</.test(url.searchParams.get('where') ?? '');
      if (request.method === 'GET' && (request.url!.length > 1000 || bars))
        return void response.writeHead(404).end('<html>404 - File or directory not found.</html>');
      if (request.method !== 'POST') return well(request, response, url);
      let text = '';
      request.on('data', part => (text += part));
      request.on('end', () => well(request, response, new URL(`?${text}`, url)));
    });
    expect((await taking()).taken.rows).toBe(120);
    expect(pins()).toEqual(all(120));
  });

  it('that refuses all columns by a star sends them by their names', async () => {
    serve(rowsOf(250), { description: { fields: FIELDS } });
    before(
      (asked, response) =>
        asked.get('outFields') === '*' &&
        say(response, { error: { code: 400, message: 'Failed to execute query.', details: [] } }),
    );
    const { taken } = await taking();
    expect([taken.rows, taken.unread, taken.without]).toEqual([250, undefined, undefined]);
    expect(pins()).toEqual(all(250));
  });

  it('whose name of the column of ids is empty is read', async () => {
    serve(rowsOf(150), { description: { fields: [], objectIdField: '' } });
    before((asked, response) => {
      if (asked.get('returnIdsOnly') === 'true')
        return say(response, { objectIdFieldName: '', objectIds: rowsOf(150).map((_, i) => i + 1) });
      const listed = asked.get('objectIds')?.split(',').map(Number);
      if (listed) return say(response, { features: rowsOf(150).filter((_, i) => listed.includes(i + 1)) });
      return asked.get('where')?.startsWith(' ') === true && say(response, { error: { code: 400, message: 'no' } });
    });
    expect((await taking()).taken.rows).toBe(150);
  });

  it('whose ids begin below zero sends all rows', async () => {
    serve(rowsOf(90, i => ({ OBJECTID: i - 40 })));
    expect((await taking()).taken.rows).toBe(90);
    layer.drop();
    serve(
      rowsOf(90, i => ({ OBJECTID: i - 40 })),
      { answersIds: 'refused', statistics: 'computed', limit: 20 },
    );
    expect((await taking()).taken.rows).toBe(90);
  });

  it.each([true, 'true'])('that says of every page that there are more (%s) sends all rows', async exceeded => {
    for (const more of [
      {},
      { answersIds: 'refused', statistics: 'computed' },
      { answersIds: 'refused', offsets: 'taken', description: { fields: [] } },
    ] as const) {
      serve(rowsOf(90), {
        limit: 40,
        ...more,
        written: text => JSON.stringify({ ...JSON.parse(text), exceededTransferLimit: exceeded }),
      });
      expect((await taking()).taken.rows).toBe(90);
      layer.drop();
    }
  });

  it('that zips its answers and does not say so is read', async () => {
    serve(rowsOf(30));
    const well = publisher.handlers.get(QUERY)!;
    publisher.handlers.set(QUERY, (request, response, url) => {
      const end = response.end.bind(response) as (body: unknown) => typeof response;
      response.end = ((body: string) => end(gzipSync(body))) as typeof response.end;
      well(request, response, url);
    });
    expect((await taking()).taken.rows).toBe(30);
  });

  it('that lets nobody ask says so', async () => {
    serve(rowsOf(30), { description: { capabilities: 'Map' } });
    before((_, response) =>
      say(response, {
        error: { code: 400, message: 'Requested operation is not supported by this service.', details: [] },
      }),
    );
    await expect(taking()).rejects.toThrow(/not supported by this service/);
  });

  it('whose rows have one name each in place of a number is read by offsets', async () => {
    serve(
      rowsOf(70, i => ({ OBJECTID: undefined, KEY: `k-${i}` })),
      {
        ids: Array.from({ length: 70 }, (_, i) => i),
        ...{ limit: 20, answersIds: 'refused', offsets: 'taken', orders: true },
        description: {
          objectIdField: null,
          uniqueIdField: { name: 'KEY', isSystemMaintained: false },
          fields: [{ name: 'KEY', type: 'esriFieldTypeString' }],
        },
      },
    );
    expect((await taking()).taken.rows).toBe(70);
  });

  it('whose system is a code in a text is read', async () => {
    serve(rowsOf(20), { spatialReference: { wkid: '2249' } });
    await taking();
    expect(layer.collection().crs?.properties.name).toBe('EPSG:2249');
  });

  it('that has nothing for an empty page is empty', async () => {
    serve([], { ids: [], answersIds: 'refused', statistics: 'refused', description: { fields: FIELDS } });
    before((asked, response) => asked.has('outFields') && say(response, { features: null }));
    expect((await taking({ box: [-70, 43, -69, 44] })).taken.rows).toBe(0);
  });

  it('with a form that it has moved gets the form there', async () => {
    serve(rowsOf(300), { description: { fields: FIELDS } });
    const well = publisher.handlers.get(QUERY)!;
    const moved = '/moved/rest/services/Parcels/MapServer/0/query';
    publisher.handlers.set(moved, (request, response, url) => {
      let text = '';
      request.on('data', part => (text += part));
      request.on('end', () => well(request, response, new URL(`?${text || url.search.slice(1)}`, url)));
    });
    for (const status of [301, 302, 307, 308]) {
      publisher.handlers.set(
        QUERY,
        (_, response, url) => void response.writeHead(status, { location: `${moved}${url.search}` }).end(),
      );
      expect((await taking({ where: `PIN <> '${'x'.repeat(3000)}'` })).taken.rows, String(status)).toBe(300);
      layer.drop();
    }
  });

  it('with geometries of GeoJSON in rows of its own is refused: they may be in another system', async () => {
    const geometry = { type: 'Point', coordinates: [-70, 43] };
    serve(rowsOf(20).map(({ attributes }) => ({ attributes, geometry })));
    await expect(taking()).rejects.toThrow(/row 1: a geometry has type, coordinates, which is no form of Esri JSON/);
  });

  it('with a table, which lies nowhere, is asked by its condition without ground', async () => {
    serve(
      rowsOf(40).map(({ attributes }) => ({ attributes })),
      { description: { type: 'Table', geometryType: undefined } },
    );
    before(
      (asked, response) =>
        asked.has('geometry') &&
        say(response, { error: { code: 400, message: 'Invalid or missing input parameters.', details: [] } }),
    );
    const box = [-71, 42, -69, 46] as const;
    await expect(taking({ box })).rejects.toThrow(/is a table, whose rows lie nowhere/);
    expect((await taking({ box, where: "COUNTY = '019'" })).taken.rows).toBe(40);
  });

  it('of which a proxy keeps one page for all questions is refused', async () => {
    serve(rowsOf(200), { limit: 50 });
    before(
      (asked, response) =>
        asked.has('outFields') && say(response, { features: rowsOf(50), spatialReference: { wkid: 4326 } }),
    );
    await expect(taking()).rejects.toThrow(/no way|lacks|came twice|repeats/);
  });
});
