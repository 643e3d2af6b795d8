import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Daemon, startDaemon } from './daemon.ts';
import { Taking } from './taking.ts';

const PACKAGES = fileURLToPath(new URL('../../../../.koop/', import.meta.url));
const ROWS = 4300;

/** A server of rows that its provider makes: 4,300 squares with ids from 1. */
const program = (port: number) => `
const load = require('node:module').createRequire(${JSON.stringify(`${PACKAGES}package.json`)});
const Koop = load('@koopjs/koop-core');
const RING = [[0, 0], [0.01, 0], [0.01, 0.01], [0, 0.01], [0, 0]];
const squareOf = i => RING.map(([x, y]) => [-70 + (i % 60) / 50 + x, 43 + Math.floor(i / 60) / 50 + y]);
const features = Array.from({ length: ${ROWS} }, (_, i) => ({
  type: 'Feature',
  properties: { OBJECTID: i + 1, pin: 'P-' + i, sold: i % 3 ? -86400000 * i : null },
  geometry: { type: 'Polygon', coordinates: [squareOf(i)] },
}));
const metadata = { name: 'parcels', idField: 'OBJECTID', geometryType: 'Polygon', maxRecordCount: 700 };
class Model {
  getData(_request, callback) {
    callback(null, { type: 'FeatureCollection', features, metadata });
  }
}
const koop = new Koop({ logLevel: 'error' });
koop.register(load('@koopjs/output-ogcapi-features'));
koop.register({ type: 'provider', name: 'county', version: '1.0.0', Model });
koop.server.listen(${port}, '127.0.0.1');
`;

describe('layers of Koop', { tags: ['Koop'] }, () => {
  let server: Daemon;
  beforeAll(async () => {
    server = await startDaemon('koop', (port, folder) => {
      writeFileSync(join(folder, 'server.cjs'), program(port));
      return [process.execPath, [join(folder, 'server.cjs')]];
    });
  });
  afterAll(() => server.stop());
  const at = (path: string) => `http://127.0.0.1:${server.port}/county${path}`;

  it('come whole as a feature service, and on some ground', async () => {
    const taking = new Taking();
    const url = at('/rest/services/parcels/FeatureServer/0');
    const { taken } = await taking.take(url, 'p.geojson', { via: 'arcgis' });
    expect(taken.rows).toBe(ROWS);
    const { features, crs } = JSON.parse(taking.read('p.geojson').toString());
    expect(crs.properties.name).toBe('EPSG:4326');
    const pins = features.map(({ properties }: { properties: { pin: string } }) => properties.pin);
    expect(new Set(pins).size).toBe(ROWS);
    expect(features[1]).toMatchObject({ id: 2, properties: { pin: 'P-1', sold: -86_400_000 } });
    expect(features[1].geometry.coordinates[0]).toHaveLength(5);
    const box = [-69.805, 43.105, -69.695, 43.195] as const;
    const some = await taking.take(url, 'b.geojson', { via: 'arcgis', box, where: "pin <> 'P-307'" });
    const near = Array.from({ length: ROWS }, (_, i) => i).filter(i => {
      const [x, y] = [-70 + (i % 60) / 50, 43 + Math.floor(i / 60) / 50];
      return x <= box[2] && x + 0.01 >= box[0] && y <= box[3] && y + 0.01 >= box[1] && i !== 307;
    });
    expect(near.length).toBeGreaterThan(15);
    expect(some.taken.rows).toBe(near.length);
  });

  it('come as a collection', async () => {
    const taking = new Taking();
    const url = at('/parcels/collections/0/items');
    const { taken } = await taking.take(url, 'c.geojson', { via: 'ogc' });
    expect(taken.rows).toBe(ROWS);
  });
});
