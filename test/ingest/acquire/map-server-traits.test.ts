import { describe, expect, it } from 'vitest';
import type { EsriRow, MapServer } from './map-server.ts';
import type { Handler } from './publisher.ts';
import { PATH, placeOf, ServedLayer, say } from './served-layer.ts';

const EXTENT = { xmin: -71, ymin: 42, xmax: -69, ymax: 46, spatialReference: { wkid: 4326 } };

const layer = new ServedLayer({ extent: EXTENT });
const { publisher } = layer;
const serve = layer.serve.bind(layer);
const before = layer.before.bind(layer);
const taking = (where = '') => layer.taking({ where });
const features = () => layer.features();
const pins = () => features().map(({ properties }) => String(properties.PIN));
function rowsOf(count: number, attributes: (i: number) => object = () => ({})): EsriRow[] {
  return Array.from({ length: count }, (_, i) => ({
    attributes: { OBJECTID: i + 1, PIN: `P-${i}`, ...attributes(i) },
    geometry: placeOf(i),
  }));
}
const all = (count: number) => rowsOf(count).map(({ attributes }) => String(attributes!.PIN));

describe('a map server that', () => {
  it.each<[string, number, Partial<MapServer>]>([
    ['sends one row at once', 12, { limit: 1 }],
    ['says that it sends less than none', 12, { limit: 5, description: { maxRecordCount: -1 } }],
    ['says nothing of its geometries', 40, { description: { geometryType: undefined, extent: undefined } }],
    ['claims offsets and has none', 90, { limit: 20, description: { supportsPagination: true } }],
  ])('%s sends all rows', async (_, count, more) => {
    serve(rowsOf(count), more);
    expect((await taking()).taken.rows).toBe(count);
    expect(pins().sort()).toEqual(all(count).sort());
  });

  it('has ids and counts as texts sends all rows', async () => {
    serve(rowsOf(30, i => ({ OBJECTID: String(i + 1) })));
    before((asked, response) => {
      if (asked.get('returnCountOnly') === 'true') return say(response, { count: '30' });
      if (asked.get('returnIdsOnly') !== 'true') return false;
      return say(response, { objectIdFieldName: 'OBJECTID', objectIds: rowsOf(30).map((__, i) => String(i + 1)) });
    });
    expect((await taking()).taken.rows).toBe(30);
    expect(pins()).toEqual(all(30));
  });

  it('has words for ids is asked another way', async () => {
    serve(rowsOf(30), { answersIds: 'refused', offsets: 'taken', description: { fields: [] } });
    before(
      (asked, response) =>
        asked.get('returnIdsOnly') === 'true' &&
        say(response, { objectIdFieldName: 'KEY', objectIds: rowsOf(30).map((__, i) => `A-${i}`) }),
    );
    expect((await taking()).taken.rows).toBe(30);
  });

  it.each<[string, Partial<MapServer>]>([
    ['ranges of them', { statistics: 'computed' }],
    ['offsets', { offsets: 'taken' }],
    ['ground', {}],
  ])('gives one id to several rows sends each of them, by %s', async (_, more) => {
    // 60 rows, of which every third has the id of the one before.
    serve(
      rowsOf(60, i => ({ OBJECTID: i % 3 === 2 ? i : i + 1 })),
      { limit: 25, ...more, ...(more.offsets ? { description: { fields: [] } } : {}) },
    );
    expect((await taking()).taken.rows).toBe(60);
    expect(pins().sort()).toEqual(all(60).sort());
  });

  it('takes offsets and sends the first page for each is not believed', async () => {
    // It sends as many rows as are asked for, so that the count adds up.
    serve(rowsOf(200), { answersIds: 'refused', limit: 50, description: { fields: [] } });
    before((asked, response) => {
      const size = asked.get('resultRecordCount');
      if (size === null) return false;
      return say(response, { features: rowsOf(Number(size)), spatialReference: { wkid: 4326 } });
    });
    expect((await taking()).taken.rows).toBe(200);
    expect(pins().sort()).toEqual(all(200).sort());
  });

  it('repeats a row on a later page is refused', async () => {
    const rows = rowsOf(60);
    serve(rows, { answersIds: 'refused', offsets: 'taken', orders: true, limit: 20 });
    before((asked, response) => {
      if (asked.get('resultOffset') !== '40') return false;
      return say(response, { features: rows.slice(39, 59), spatialReference: { wkid: 4326 } });
    });
    await expect(taking()).rejects.toThrow(/row 40 came twice by offsets/);
  });

  it.each<[string, Partial<MapServer>]>([
    ['by ranges', { statistics: 'computed', description: { maxRecordCount: 1000 } }],
    ['at once', { description: { fields: [], maxRecordCount: 1000 } }],
    ['by offsets', { offsets: 'taken', description: { fields: [], maxRecordCount: 1000 } }],
  ])('counts nothing and cuts in silence still sends all rows, %s', async (_, more) => {
    // Half of the ids are crowded at the beginning, and as many places.
    const rows = rowsOf(240, i => ({ OBJECTID: i < 120 ? i + 1 : i * 5 }));
    serve(rows, { answersIds: 'refused', counts: 'refused', limit: 30, isSilentAboutLimit: true, ...more });
    expect((await taking()).taken.rows).toBe(240);
    expect(pins().sort()).toEqual(all(240).sort());
  });

  it('names a row that it never sends has that row named', async () => {
    serve(rowsOf(40));
    before((asked, response) => {
      const [, low, high] = /OBJECTID >= (\d+) AND OBJECTID <= (\d+)/.exec(asked.get('where') ?? '') ?? [];
      const [, one] = /OBJECTID = (\d+)/.exec(asked.get('where') ?? '') ?? [];
      if (!asked.has('outFields')) return false;
      const [from, to] = [Number(low ?? one), Number(high ?? one)];
      const page = rowsOf(40).filter(({ attributes }) => {
        const id = Number(attributes!.OBJECTID);
        return id >= from && id <= to && id !== 17;
      });
      return say(response, { features: page, spatialReference: { wkid: 4326 } });
    });
    const { taken } = await taking();
    expect([taken.rows, taken.unread]).toEqual([39, ['17']]);
  });

  it('loses rows between two pages is read anew', async () => {
    serve(rowsOf(1100));
    let isEdited = false;
    before(asked => {
      if (asked.has('outFields') && !isEdited) {
        isEdited = true;
        const less = rowsOf(1100).filter((_, i) => i % 10 !== 9);
        serve(less, { edited: 2 });
      }
      return false;
    });
    // The first page was asked of the old rows.
    expect((await taking()).taken.rows).toBe(990);
  });

  it('stands behind a firewall that takes 1=1 for an attack is asked by its ids', async () => {
    for (const bar of [
      (response: Parameters<Handler>[1]) => response.writeHead(403).end('Forbidden'),
      (response: Parameters<Handler>[1]) => response.end('<html>Request Rejected. Support ID: 7</html>'),
    ]) {
      serve(rowsOf(30), { edited: bar.length + 1 });
      before((asked, response) => {
        if (!/1=1|1=0/.test(asked.get('where') ?? '')) return false;
        bar(response);
        return true;
      });
      expect((await taking()).taken.rows).toBe(30);
      layer.drop();
    }
  });

  it('fails to count is read by its ids', async () => {
    serve(rowsOf(30));
    before((asked, response) => {
      if (asked.get('returnCountOnly') !== 'true') return false;
      response.writeHead(504).end();
      return true;
    });
    expect((await taking()).taken.rows).toBe(30);
  });

  it('answers 498 or 499 as a status wants a token', async () => {
    for (const status of [498, 499]) {
      publisher.handlers.set(PATH, (_, response) => void response.writeHead(status).end());
      await expect(taking()).rejects.toThrow(`answered ${status}; give a token for its host in PLAT_ARCGIS_TOKENS`);
    }
  });

  it('has a group, a picture or a table at its address says which', async () => {
    serve([], { description: { type: 'Group Layer', fields: null, subLayers: [{ id: 4, name: 'Lots' }] } });
    await expect(taking()).rejects.toThrow(/is a group of layers; name one: http.*MapServer\/4 \(Lots\)/);
    serve([], { description: { type: 'Raster Layer' } });
    await expect(taking()).rejects.toThrow(/is a Raster Layer, which has no rows of data/);
    serve(
      rowsOf(20).map(({ attributes }) => ({ attributes })),
      { description: { type: 'Table', geometryType: undefined, extent: null } },
    );
    await taking();
    expect(features().map(({ geometry }) => geometry)).toEqual(Array(20).fill(null));
  });

  it('is asked with long conditions gets them as a form', async () => {
    const where = `PIN IN (${Array.from({ length: 300 }, (_, i) => `'P-${i}'`).join(',')})`;
    serve(rowsOf(50));
    const well = publisher.handlers.get(`${PATH}/query`)!;
    publisher.handlers.set(`${PATH}/query`, (request, response, url) => {
      if (url.search.length > 2048) return void response.writeHead(414).end();
      let text = '';
      request.on('data', part => {
        text += part;
      });
      request.on('end', () => {
        const asked = new URL(`${url.pathname}?${text || url.search.slice(1)}`, publisher.origin);
        expect(asked.searchParams.get('where')).toContain("'P-299'");
        well(request, response, asked);
      });
    });
    expect((await taking(where)).taken.rows).toBe(50);
    expect(publisher.log.filter(({ method }) => method === 'POST').length).toBeGreaterThan(3);
  });

  it('rounds coordinates to a grid unasked is refused', async () => {
    serve(rowsOf(20), {
      written: text =>
        text.replace('{', '{"transform":{"originPosition":"upperLeft","scale":[1,1],"translate":[0,0]},'),
    });
    await expect(taking()).rejects.toThrow(/rounded to a grid/);
  });

  it('has bodies in space is asked for their outlines', async () => {
    serve(rowsOf(3), { description: { geometryType: 'esriGeometryMultiPatch' } });
    await taking();
    const asked = publisher.log.map(({ path }) => new URL(path, publisher.origin).searchParams);
    expect(asked.find(one => one.has('outFields'))?.get('multipatchOption')).toBe('xyFootprint');
  });

  it('has odd values keeps them: dates before 1970, codes of domains, names of tables, null island, a spoilt vertex', async () => {
    const rows: EsriRow[] = [
      { attributes: { OBJECTID: 1, SOLD: -2_208_988_800_000, 'LOTS.USE': 3 }, geometry: { x: 0, y: 0 } },
      { attributes: { OBJECTID: 2, SOLD: null }, geometry: { x: -70, y: 43, z: 'NaN', m: 'NaN' } },
      {
        attributes: { OBJECTID: 3 },
        geometry: {
          paths: [
            [
              [-70, 43, 'NaN'],
              [-70, 44, null],
            ],
          ],
        },
      },
      {
        attributes: { OBJECTID: 4 },
        geometry: {
          rings: [
            [
              [-70, 43],
              ['NaN', 44],
              [-71, 43],
              [-70, 43],
            ],
          ],
        },
      },
      { attributes: { OBJECTID: 5 }, geometry: { rings: [] } },
    ];
    const domain = { type: 'codedValue', codedValues: [{ name: 'Residential', code: 3 }] };
    const fields = [
      { name: 'OBJECTID', type: 'esriFieldTypeOID' },
      { name: 'LOTS.USE', type: 'esriFieldTypeInteger', domain },
    ];
    serve(rows, { description: { fields } });
    const { taken } = await taking();
    expect([taken.rows, taken.unread]).toEqual([4, ['4']]);
    expect(features().map(({ properties, geometry }) => ({ properties, geometry }))).toEqual([
      {
        properties: { OBJECTID: 1, SOLD: -2_208_988_800_000, 'LOTS.USE': 3 },
        geometry: { type: 'Point', coordinates: [0, 0] },
      },
      { properties: { OBJECTID: 2, SOLD: null }, geometry: { type: 'Point', coordinates: [-70, 43] } },
      {
        properties: { OBJECTID: 3 },
        geometry: {
          type: 'LineString',
          coordinates: [
            [-70, 43],
            [-70, 44],
          ],
        },
      },
      { properties: { OBJECTID: 5 }, geometry: null },
    ]);
  });
});
