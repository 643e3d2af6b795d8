import { describe, expect, it } from 'vitest';
import type { EsriRow, MapServer } from './map-server.ts';
import { PATH, placeOf, QUERY, ServedLayer, say } from './served-layer.ts';

/** Habits of map servers that no recorded one has; the source of each stands beside it. */

const EXTENT = { xmin: -71, ymin: 42, xmax: -69, ymax: 46, spatialReference: { wkid: 4326 } };

const layer = new ServedLayer({ extent: EXTENT });
const { publisher } = layer;
const serve = layer.serve.bind(layer);
const before = layer.before.bind(layer);
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);
const ids = () =>
  layer
    .features()
    .map(({ properties }) => Number(properties.OBJECTID))
    .sort((a, b) => a - b);
function rowsOf(count: number, attributes: (i: number) => object = () => ({})): EsriRow[] {
  return upTo(count).map((id, i) => ({
    attributes: { OBJECTID: id, PIN: `P-${i}`, ...attributes(i) },
    geometry: placeOf(i),
  }));
}
const pins = () => layer.features().map(({ properties }) => String(properties.PIN));
const REFUSAL = { error: { code: 400, message: 'Unable to complete operation.', details: [] } };
const FIELDS = ['OBJECTID', 'PIN', 'OWNER', 'NOTE', 'ACRES'].map((name, i) => ({
  name,
  type: i === 0 ? 'esriFieldTypeOID' : 'esriFieldTypeString',
}));

describe('a map server', () => {
  const mute: Partial<MapServer> = { answersIds: 'refused', counts: 'refused', limit: 20, isSilentAboutLimit: true };

  it('that sends an empty page and says that there is more is not believed to be at its end', async () => {
    const description = { fields: [] };
    serve(rowsOf(90), { ...mute, offsets: 'taken', description });
    before(
      (asked, response) =>
        Number(asked.get('resultOffset')) >= 60 &&
        say(response, { features: [], exceededTransferLimit: true, spatialReference: { wkid: 4326 } }),
    );
    await expect(layer.taking()).rejects.toThrow(/says that there are more rows and sends 0 at offset 60/);
  });

  // github.com/Esri/arcgis-python-api/issues/1711, github.com/openaddresses/openaddresses/pull/1506: some lists of columns fail.
  it.each<[string, Partial<MapServer>]>([
    ['by ids', {}],
    ['by ranges', { answersIds: 'refused', statistics: 'computed' }],
  ])('that fails whenever one column is asked for sends the others, and that one is named: %s', async (_, more) => {
    serve(
      rowsOf(60, () => ({ OWNER: 'x', ACRES: '1' })),
      { ...more, description: { fields: FIELDS } },
    );
    before((asked, response) => {
      const columns = asked.get('outFields')?.split(',') ?? [];
      return (columns.includes('*') || columns.includes('NOTE')) && say(response, REFUSAL);
    });
    const { taken } = await layer.taking();
    expect([taken.rows, taken.without, taken.unread]).toEqual([60, ['NOTE'], undefined]);
    expect(publisher.log.some(({ path }) => path.includes('outFields=OBJECTID%2CPIN%2COWNER%2CACRES'))).toBe(true);
  });

  it('that fails at one column of one row alone loses that row, not the column', async () => {
    serve(rowsOf(60), { description: { fields: FIELDS } });
    before((asked, response) => {
      const where = asked.get('where') ?? '';
      const [, low, high] = /OBJECTID >= (\d+) AND OBJECTID <= (\d+)/.exec(where) ?? [];
      const one = asked.get('objectIds')?.split(',').includes('1') ?? false;
      const isBad = low === undefined ? one || /= 1$/.test(where) : Number(low) <= 1 && Number(high) >= 1;
      const columns = asked.get('outFields')?.split(',') ?? [];
      return isBad && (columns.includes('*') || columns.includes('NOTE')) && say(response, REFUSAL);
    });
    const { taken } = await layer.taking();
    expect([taken.rows, taken.without, taken.unread]).toEqual([59, undefined, ['1']]);
  });

  it('that sends no row at all, or too many spoilt ones, is refused', async () => {
    serve(rowsOf(30), { failing: new Map(upTo(30).map(id => [id, 'error'])) });
    await expect(layer.taking()).rejects.toThrow(/30 of 30 rows do not come, or are spoilt; the first is 1/);
    const ring = [[[-70, 43], ['NaN', 44], [-71, 43]]]; // biome-ignore format: a ring
    serve(rowsOf(150).map(row => ({ ...row, geometry: { rings: ring } })));
    await expect(layer.taking()).rejects.toThrow(/150 of 150 rows do not come, or are spoilt/);
  });

  // A firewall, or a proxy that remembers an error page for the one address.
  it('that answers a page for f=json and data for f=pjson is read', async () => {
    serve(rowsOf(5));
    for (const path of [PATH, QUERY])
      before((asked, response) => {
        if (asked.get('f') === 'json') {
          response.end('<html>Service Unavailable</html>');
          return true;
        }
        asked.set('f', 'json');
        return false;
      }, path);
    expect((await layer.taking()).taken.rows).toBe(5);
  });

  // github.com/openaddresses/pyesridump/pull/45: version 10.22 computes a least and greatest id that no row has.
  it('that computes a wrong least and greatest id, or none, is not read by them', async () => {
    for (const values of [
      [5, 9],
      [null, null],
    ]) {
      serve(rowsOf(70), { ...mute, description: { maxRecordCount: 1000 } });
      before(
        (asked, response) =>
          asked.has('outStatistics') &&
          say(response, { features: [{ attributes: { LEAST: values[0], GREATEST: values[1] } }] }),
      );
      expect((await layer.taking()).taken.rows).toBe(70);
      expect(ids()).toEqual(upTo(70));
    }
  });

  // Object ids of replicated geodatabases are given in blocks, and those of views by hashes.
  it('whose ids lie far apart is read in few requests', async () => {
    const rows = rowsOf(40, i => ({ OBJECTID: i < 20 ? i + 1 : 2_000_000_000 + i }));
    serve(rows, { answersIds: 'refused', statistics: 'computed' });
    expect((await layer.taking()).taken.rows).toBe(40);
    expect(publisher.log.length).toBeLessThan(200);
  });

  it('whose ids are beyond 2^53 is read another way', async () => {
    const rows = rowsOf(30).map((row, i) => ({ ...row, attributes: { OBJECTID: `L${i}L`, PIN: `P-${i}` } }));
    const written = (text: string) =>
      text.replaceAll(/"L(\d+)L"/g, (_, i) => String(9_007_199_254_740_993n + BigInt(i)));
    serve(rows, { ids: upTo(30), limit: 10, offsets: 'taken', orders: true, written });
    before((asked, response) => {
      if (asked.get('returnIdsOnly') !== 'true') return false;
      const all = rows.map((_, i) => 9_007_199_254_740_993n + BigInt(i)).join(',');
      response.end(`{"objectIdFieldName":"OBJECTID","objectIds":[${all}]}`);
      return true;
    });
    expect((await layer.taking()).taken.rows).toBe(30);
    expect(pins().sort()).toEqual(upTo(30).map(id => `P-${id - 1}`).sort()); // biome-ignore format: one line
  });

  it('that counts no more than it sends at once, or -1, sends all rows', async () => {
    for (const count of [50, -1]) {
      serve(rowsOf(120), { limit: 50 });
      before((asked, response) => asked.get('returnCountOnly') === 'true' && say(response, { count }));
      expect((await layer.taking()).taken.rows).toBe(120);
      layer.drop();
    }
  });

  // github.com/schwanksta/python-arcgis-rest-query/pull/7, github.com/johnjreiser/chupaESRI/issues/2 (line ends),
  // github.com/MapServer/tinyows/issues/79 (backslashes of Windows).
  it('that writes line ends, and backslashes, as they are is read', async () => {
    const written = (text: string) => text.replace('P-0', 'one\n\ttwo').replace('P-1', '..\\Photos\\17\\f139.jpg');
    serve(rowsOf(3), { written });
    await layer.taking();
    expect(pins()).toEqual(['one\n\ttwo', '..\\Photos\\17\\f139.jpg', 'P-2']);
  });

  // A servlet of Windows that writes its own code page, whatever it calls it.
  it('that writes the letters of Windows is read', async () => {
    serve(rowsOf(2, i => ({ PIN: i === 0 ? 'Peñasco’s' : 'x' })));
    before((asked, response) => {
      if (!asked.has('outFields')) return false;
      const end = response.end.bind(response);
      const latin = (text: string) => Buffer.from(text.replace('’', '\x92'), 'latin1');
      response.end = ((text: string) => end(latin(text))) as typeof response.end;
      return false;
    });
    await layer.taking();
    expect(pins()).toEqual(['Peñasco’s', 'x']);
  });

  // .NET writes the first day of the year 1 where it knows no date.
  it('that was edited on no day that can be is taken anew each time', async () => {
    for (const lastEditDate of [-62_135_596_800_000, 'never', 9e18]) {
      serve(rowsOf(3), { description: { editingInfo: { lastEditDate } } });
      expect((await layer.taking()).taken.changedAt).toBeNull();
      publisher.log.length = 0;
      await layer.taking();
      expect(publisher.log.some(({ path }) => path.includes('outFields'))).toBe(true);
    }
  });

  it('that refuses 1=1 in words is asked by its ids', async () => {
    serve(rowsOf(30));
    before((asked, response) => /1=1|1=0/.test(asked.get('where') ?? '') && say(response, REFUSAL));
    expect((await layer.taking()).taken.rows).toBe(30);
  });

  // Firewalls take < and > in an address for a script; ModSecurity's core rules (id 941xxx) do.
  it.each(['a status', 'a page'])('behind a firewall that bars < and > by %s is asked by lists of ids', async how => {
    serve(rowsOf(150));
    before((asked, response) => {
      const listed = asked.get('objectIds')?.split(',').map(Number);
      if (/[<>]/.test(asked.get('where') ?? '')) {
        if (how === 'a status') response.writeHead(403);
        response.end('<html>Request Rejected</html>');
        return true;
      }
      if (!listed) return false;
      const features = rowsOf(150).filter(({ attributes }) => listed.includes(Number(attributes!.OBJECTID)));
      return say(response, { features, spatialReference: { wkid: 4326 } });
    });
    expect((await layer.taking()).taken.rows).toBe(150);
    expect(publisher.log.length).toBeLessThan(30);
  });

  it('that takes no questions in addresses gets them as a form', async () => {
    serve(rowsOf(30));
    const well = publisher.handlers.get(QUERY)!;
    publisher.handlers.set(QUERY, (request, response, url) => {
      if (request.method === 'GET') return void response.writeHead(405).end();
      let text = '';
      request.on('data', part => {
        text += part;
      });
      request.on('end', () => well(request, response, new URL(`${url.pathname}?${text}`, publisher.origin)));
    });
    expect((await layer.taking()).taken.rows).toBe(30);
  });

  // github.com/cga-harvard/Hypermap-Registry/issues/25: neither layer nor rows say a code.
  it('whose layer and rows say no system answers in that of its map', async () => {
    const written = (text: string) => text.replace(/"spatialReference":\{"wkid":4326\},/, '');
    serve(rowsOf(3), { written, description: { extent: { ...EXTENT, spatialReference: { wkid: 0, wkt: '' } } } });
    publisher.handlers.set(PATH.replace('/0', ''), (_, response) => {
      say(response, { mapName: 'Layers', spatialReference: { wkid: 102_100, latestWkid: 3857 } });
    });
    await layer.taking();
    expect(layer.collection().crs?.properties.name).toBe('EPSG:3857');
  });

  // github.com/OSGeo/gdal/issues/1073, github.com/Esri/arcgis-python-api/issues/1895: pages without an order of their own.
  it('without ids whose rows come in any order is asked for one, or not read by offsets', async () => {
    const fields = FIELDS.slice(1, 2);
    for (const orders of [true, false]) {
      serve(rowsOf(90), { answersIds: 'refused', offsets: 'taken', limit: 20, orders, description: { fields } });
      let turn = 0;
      before((asked, response) => {
        if (asked.has('orderByFields') || !asked.has('resultOffset')) return false;
        const rows = rowsOf(90);
        const first = Number(asked.get('resultOffset')) + ++turn * 7;
        const features = [...rows, ...rows, ...rows].slice(first % 90, (first % 90) + Number(asked.get('resultRecordCount'))); // biome-ignore format: one line
        return say(response, { features: features.slice(0, 20), spatialReference: { wkid: 4326 } });
      });
      expect((await layer.taking()).taken.rows).toBe(90);
      expect(new Set(pins()).size).toBe(90);
      layer.drop();
    }
  });

  // github.com/qgis/QGIS/pull/49740: many vertices in one answer.
  it('whose page is longer than an answer may be is asked for less of it', async () => {
    serve(rowsOf(2));
    before((asked, response) => {
      if (!asked.has('outFields') || !asked.get('where')!.includes('>=')) return false;
      response.end(Buffer.alloc(65 * 1024 * 1024, ' '));
      return true;
    });
    expect((await layer.taking()).taken.rows).toBe(2);
  });

  // A farm of servers, one of which lost the service.
  it('of which one machine does not know the layer is asked again', async () => {
    serve(rowsOf(1500));
    let times = 0;
    const message = 'Service Parcels/MapServer not found';
    before(
      (asked, response) =>
        asked.has('outFields') && ++times === 2 && say(response, { error: { code: 404, message, details: [] } }),
    );
    expect((await layer.taking()).taken.rows).toBe(1500);
  });

  // github.com/Esri/esri-leaflet/issues/174: a box without its system is one of the map, and some servers read no system at all.
  it('that takes boxes in its own system alone is refused, where a county has no rows it is empty', async () => {
    const inFeet = rowsOf(5).map((row, i) => ({ ...row, geometry: { x: 900_000 + i, y: 200_000 } }));
    for (const rows of [inFeet, rowsOf(5)]) {
      serve(rows);
      before(asked => {
        if (asked.get('geometry') === '') asked.delete('geometry');
        return false;
      });
      const taking = layer.taking({ box: [-100, 30, -99, 31] });
      if (rows === inFeet)
        await expect(taking).rejects.toThrow(/counts none of its 5 rows on the whole world in degrees/);
      else expect((await taking).taken.rows).toBe(0);
    }
  });

  it('with rings of texts, and a ring or vertex of nothing, loses the spoilt rows alone', async () => {
    const ring = ['-70', '-71', '-71', '-70'].map((x, i) => [x, i < 2 ? '43' : '44']);
    const rows = rowsOf(4).map((row, i) => ({
      ...row,
      geometry: [{ rings: [ring] }, { rings: [null] }, { rings: [[null, ...ring]] }, { rings: [ring] }][i]!,
    }));
    serve(rows);
    const { taken } = await layer.taking();
    expect([taken.rows, taken.unread]).toEqual([2, ['2', '3']]);
    expect(JSON.stringify(layer.features()[0]!.geometry)).toContain('[-70,43]');
  });
});
