import { describe, expect, it } from 'vitest';
import type { EsriRow, MapServer } from './map-server.ts';
import { PATH, placeOf, ServedLayer, say } from './served-layer.ts';

/** Answers and faults of map servers that others have described; the source of each stands beside it. */

const layer = new ServedLayer();
const { publisher, waits } = layer;
const serve = layer.serve.bind(layer);
const before = layer.before.bind(layer);
const taking = (path = PATH) => layer.taking({ path });
const collection = () => layer.collection();
const ids = () =>
  collection()
    .features.map(({ properties }) => Number(properties.OBJECTID))
    .sort((a, b) => a - b);
const upTo = (count: number, but: readonly number[] = []) =>
  Array.from({ length: count }, (_, i) => i + 1).filter(id => !but.includes(id));

const rowsOf = (count: number, geometry: (i: number) => EsriRow['geometry'] = placeOf): EsriRow[] =>
  upTo(count).map((id, i) => ({ attributes: { OBJECTID: id }, geometry: geometry(i) }));
const idsOf = (asked: URLSearchParams) => asked.get('objectIds')?.split(',').map(Number);
const refusal = (message: string) => ({ error: { code: 400, message, details: ['Invalid query parameters.'] } });

describe('an answer of a map server', () => {
  // github.com/openaddresses/pyesridump/issues/48 and 49: conditions on the ids are "invalid", lists of them are not.
  it('that refuses conditions on ids leads to lists of them', async () => {
    const rows = rowsOf(70);
    serve(rows, { limit: 20 });
    before((asked, response) => {
      if (/OBJECTID [<>=]/.test(asked.get('where') ?? '')) return say(response, refusal('Cannot perform query.'));
      const listed = idsOf(asked);
      const features = rows.filter(row => listed?.includes(Number(row.attributes!.OBJECTID))).slice(0, 20);
      return listed !== undefined && say(response, { features, spatialReference: { wkid: 4326 } });
    });
    expect((await taking()).taken.rows).toBe(70);
    expect(ids()).toEqual(upTo(70));
  });

  // github.com/Esri/node-geoservices-adaptor and others: conditions are not read at all, lists of ids are.
  it('that leaves conditions on ids unread leads to lists of them', async () => {
    const rows = rowsOf(1500);
    serve(rows);
    before((asked, response) => {
      const listed = idsOf(asked);
      if (!asked.has('outFields')) return false;
      const features = (listed ? rows.filter(row => listed.includes(Number(row.attributes!.OBJECTID))) : rows).slice(
        0,
        1000,
      );
      return say(response, { features, spatialReference: { wkid: 4326 } });
    });
    expect((await taking()).taken.rows).toBe(1500);
    expect(ids()).toEqual(upTo(1500));
  });

  // github.com/openaddresses/esri-dump/issues/35: layers that join tables; rows without a match have no id.
  it('of ids that are null for some rows leads to offsets', async () => {
    const rows = rowsOf(60).map((row, i) => (i % 20 === 7 ? { ...row, attributes: { OBJECTID: null, PIN: i } } : row));
    for (const named of [true, false]) {
      serve(rows, { statistics: 'computed', offsets: 'taken', ids: upTo(60), edited: named ? 1 : 2 });
      before((asked, response) => {
        if (asked.get('returnIdsOnly') === 'true') {
          const all = rows.map(({ attributes }) => attributes!.OBJECTID);
          return say(response, {
            objectIdFieldName: 'OBJECTID',
            objectIds: named ? all.slice(0, 8) : all.filter(id => id),
          });
        }
        const isRange = asked.get('where')!.includes('OBJECTID >=');
        return asked.get('returnCountOnly') === 'true' && isRange && say(response, { count: 57 });
      });
      expect((await taking()).taken.rows).toBe(60);
      expect(collection().features.filter(({ properties }) => properties.OBJECTID === null)).toHaveLength(3);
    }
  });

  // ArcGIS Server 10.4 writes a crs into its GeoJSON; others answer f=geojson with Esri JSON.
  it('of GeoJSON is in the system that it names, also where it is Esri JSON', async () => {
    const [utm, state] = [{ wkid: 26919 }, { wkid: 102_683 }];
    const description = { supportedQueryFormats: 'geoJSON' };
    const feature = {
      type: 'Feature',
      id: 1,
      properties: { OBJECTID: 1 },
      geometry: { type: 'Point', coordinates: [5e5, 4.9e6] },
    };
    const named = (name: string) => ({
      type: 'FeatureCollection',
      crs: { type: 'name', properties: { name } },
      features: [feature],
    });
    const answers: [string, object][] = [
      ['EPSG:26919', named(`EPSG:${utm.wkid}`)],
      ['OGC:CRS84', named('EPSG:4326')],
      ['ESRI:102683', { spatialReference: state, features: rowsOf(1) }],
    ];
    for (const [i, [system, answer]] of answers.entries()) {
      serve(rowsOf(1), { description, edited: i + 1 });
      before((asked, response) => asked.get('f') === 'geojson' && say(response, answer));
      await taking();
      expect(collection().crs?.properties.name).toBe(system);
    }
  });

  it('whose coordinates of points are texts is read', async () => {
    serve(rowsOf(2, i => ({ x: `-70.${i}`, y: ' 43.5 ' })));
    await taking();
    expect(collection().features.map(({ geometry }) => geometry)).toEqual([
      { type: 'Point', coordinates: [-70, 43.5] },
      { type: 'Point', coordinates: [-70.1, 43.5] },
    ]);
  });

  // github.com/openaddresses/pyesridump, dumper.py: "Failed to execute query." is all that is said of one bad row.
  it('that refuses a page because of one row loses that row alone', async () => {
    const rows = rowsOf(90);
    serve(rows);
    before((asked, response) => {
      const [, low, high] = /OBJECTID >= (\d+) AND OBJECTID <= (\d+)/.exec(asked.get('where') ?? '') ?? [];
      const isBad =
        low === undefined ? /= 41$/.test(asked.get('where') ?? '') : Number(low) <= 41 && Number(high) >= 41;
      return (isBad || (idsOf(asked)?.includes(41) ?? false)) && say(response, refusal('Failed to execute query.'));
    });
    const { taken } = await taking();
    expect([taken.rows, taken.unread]).toEqual([89, ['41']]);
    expect(ids()).toEqual(upTo(90, [41]));
  });

  // github.com/koopjs/FeatureServer/pull/151: Koop before 2.17.2 named the column of ids so.
  it('of ids that names their column as Koop did is understood', async () => {
    serve(rowsOf(30), { description: { fields: [], objectIdField: undefined } });
    before(
      (asked, response) =>
        asked.get('returnIdsOnly') === 'true' && say(response, { objectIdField: 'OBJECTID', objectIds: upTo(30) }),
    );
    expect((await taking()).taken.rows).toBe(30);
    expect(publisher.log.some(({ path }) => path.includes('OBJECTID+%3E%3D+1'))).toBe(true);
  });

  // github.com/openaddresses/pyesridump/issues/101 and 75: no count, and the ids may be cut as the rows are.
  it('of ids that are cut where nothing is counted is not believed', async () => {
    for (const said of [{}, { exceededTransferLimit: true }]) {
      serve(rowsOf(250), {
        counts: 'refused',
        limit: 40,
        statistics: 'computed',
        edited: Object.keys(said).length + 1,
      });
      before(
        (asked, response) =>
          asked.get('returnIdsOnly') === 'true' &&
          !asked.get('where')!.includes('OR') &&
          say(response, { objectIdFieldName: 'OBJECTID', objectIds: upTo(100), ...said }),
      );
      expect((await taking()).taken.rows).toBe(250);
      expect(ids()).toEqual(upTo(250));
    }
  });

  // github.com/koopjs/FeatureServer/issues/15 (an error that is a text), github.com/Esri/ArcREST/issues/106 (one by status).
  it.each<[string, object, RegExp]>([
    ['a text', { error: 'oids.includes is not a function' }, /the service says 0: oids\.includes is not a function/],
    [
      'without details',
      { error: { code: 498, message: 'Invalid token.', details: null } },
      /498: Invalid token\.; give a/,
    ],
    [
      'by a status',
      { status: 'error', code: 500, messages: ['Service not started'] },
      /500: Service not started; gave up/,
    ],
    ['with a code in quotes', { error: { code: '499', message: 'Token Required' } }, /Token Required; give a token/],
    ['of an address', { error: { code: 400, message: 'Invalid URL', details: ['Invalid URL'] } }, /400: Invalid URL/],
  ])('that is an error, %s, says so', async (_, answer, message) => {
    publisher.handlers.set(PATH, (__, response) => void say(response, answer));
    await expect(taking()).rejects.toThrow(message);
    serve(rowsOf(5));
    before((__, response) => say(response, answer));
    await expect(taking()).rejects.toThrow(message);
  });

  it('that says in words how long to wait is waited for', async () => {
    serve(rowsOf(5));
    let busy = 1;
    before((_, response) => {
      if (busy-- <= 0) return false;
      const message = 'Unable to perform query. Too many requests.';
      return say(response, { error: { code: 429, message, details: ['Please retry after 7 sec.'] } });
    });
    await taking();
    expect(waits[0]).toBeGreaterThanOrEqual(7000);
  });

  // github.com/tannerjt/AGStoShapefile/issues/1: the address of a layer is copied with what stands behind it.
  it.each(['/', '?f=json&pretty=true', '/query?where=1%3D1&f=html', '/?token='])(
    'is asked for where the address ends in %s',
    async end => {
      serve(rowsOf(5));
      expect((await taking(`${PATH}${end}`)).taken.rows).toBe(5);
    },
  );

  // resources.arcgis.com, ArcGIS Server REST API 9.3, Query: each geometry has a spatial reference, the page has none.
  it('of version 9.3 says the system in each geometry; where none does, it is that of the map', async () => {
    const wisconsin = { wkid: 103_300, latestWkid: 7538 };
    serve(
      rowsOf(12, i => ({ ...placeOf(i), spatialReference: wisconsin })),
      { spatialReference: undefined as never },
    );
    const written = (text: string) => text.replace(/"spatialReference":\{"wkid":4326\},/, '');
    serve(
      rowsOf(12, i => ({ ...placeOf(i), spatialReference: wisconsin })),
      { written },
    );
    await taking();
    expect(collection().crs?.properties.name).toBe('EPSG:7538');
    const extent = { xmin: 0, ymin: 0, xmax: 9, ymax: 9, spatialReference: { wkid: 102_660 } };
    serve(rowsOf(12), { written, description: { extent }, edited: 2 });
    await taking();
    expect(collection().crs?.properties.name).toBe('ESRI:102660');
  });

  it('whose geometries are empty in other words has rows without any', async () => {
    const empty = [
      { x: -70, y: 'NaN' },
      { x: '', y: '' },
      { rings: null },
      { spatialReference: { wkid: 4326 } },
      { hasZ: true },
    ];
    serve(rowsOf(empty.length + 1, i => empty[i] ?? placeOf(i)) as EsriRow[]);
    await taking();
    expect(collection().features.map(({ geometry }) => geometry === null)).toEqual([...empty.map(() => true), false]);
  });
});

describe('a map server that counts nothing, names no ids and does not say where it lies', () => {
  const mute: Partial<MapServer> = {
    ...{ counts: 'refused', answersIds: 'refused', isSilentAboutLimit: true },
    description: { fields: [{ name: 'PIN', type: 'esriFieldTypeString' }], extent: null, maxRecordCount: 1000 },
  };

  it('is looked through on the whole world', async () => {
    serve(rowsOf(130), { ...mute, limit: 30 });
    expect((await taking()).taken.rows).toBe(130);
    expect(ids()).toEqual(upTo(130));
    // An extent of nothing is none, and a code of none has a text beside it.
    for (const side of [null, 'NaN']) {
      const extent = { xmin: side, ymin: side, xmax: side, ymax: side, spatialReference: { wkid: 0, wkt: 'GEOGCS[]' } };
      serve(rowsOf(40), { ...mute, limit: 30, edited: 2, description: { ...mute.description, extent } });
      expect((await taking()).taken.rows).toBe(40);
    }
  });

  it('is refused where its rows lie nowhere, and where it sends the same for every box', async () => {
    serve(
      rowsOf(20, () => null),
      mute,
    );
    await expect(taking()).rejects.toThrow(/counts no rows, and some lie nowhere, so that nothing tells/);
    serve(rowsOf(130), { ...mute, limit: 30 });
    before(asked => {
      asked.delete('geometry');
      return false;
    });
    await expect(taking()).rejects.toThrow(/counts no rows, and sends the same whatever box is asked for/);
  });
});
