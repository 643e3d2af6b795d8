import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SOURCES } from '../../../real/bangor.ts';
import { type Daemon, startDaemon } from './daemon.ts';
import { Taking } from './taking.ts';

const PACKAGES = fileURLToPath(new URL('../../../../.koop/', import.meta.url));
const ROWS = 120_000;

interface Feature {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly geometry: { readonly type: string; readonly coordinates: unknown } | null;
}

/** Koop with a provider that reads the file that the layer is called after. */
const program = (port: number, folder: string) => `
const load = require('node:module').createRequire(${JSON.stringify(`${PACKAGES}package.json`)});
const Koop = load('@koopjs/koop-core');
const { readFileSync } = require('node:fs');
const held = new Map();
class Model {
  getData({ params: { id } }, callback) {
    if (!held.has(id)) held.set(id, JSON.parse(readFileSync(${JSON.stringify(folder)} + '/' + id + '.json', 'utf8')));
    const { features, kind } = held.get(id);
    const metadata = { name: id, idField: 'OBJECTID', geometryType: kind, maxRecordCount: 2000 };
    callback(null, { type: 'FeatureCollection', features, metadata });
  }
}
const koop = new Koop({ logLevel: 'error' });
koop.register({ type: 'provider', name: 'files', version: '1.0.0', Model });
koop.server.listen(${port}, '127.0.0.1');
`;

/** Bangor's parcels as GDAL reads them. */
function parcels(): Feature[] {
  const file = `/vsizip/${join(SOURCES, 'bangor-me/parcels_with_assessor.shp.zip')}`;
  const told = ['-q', '-f', 'GeoJSON', '-t_srs', 'EPSG:4326', '-dim', 'XY', '/vsistdout/', file];
  return JSON.parse(execFileSync('ogr2ogr', told, { maxBuffer: 1 << 29 }).toString()).features;
}

const addresses = (): Feature[] =>
  JSON.parse(gunzipSync(readFileSync(join(SOURCES, 'forest-city-nc/address_points.geojson.gz'))).toString()).features;

const many = (): Feature[] =>
  Array.from({ length: ROWS }, (_, i) => ({
    properties: { pin: `P-${i}`, value: i * 7 },
    geometry: { type: 'Point', coordinates: [-70 + (i % 400) / 1000, 43 + Math.floor(i / 400) / 1000] },
  }));

const numbered = (features: readonly Feature[]): Feature[] =>
  features.map((feature, i) => ({
    ...{ type: 'Feature', geometry: feature.geometry },
    properties: { ...feature.properties, OBJECTID: i + 1 },
  }));

type Fault = 'repeated' | 'skipped' | 'capped' | 'broken';

/** A proxy before a server: what goes wrong with the pages of rows, once for each fault. */
class PageProxy {
  faults: Fault[] = [];
  seen: Fault[] = [];
  #pages = 0;
  readonly #server: Server;

  constructor(port: number) {
    this.#server = createServer((asked, answer) => {
      const url = new URL(asked.url!, 'http://proxy');
      const offset = Number(url.searchParams.get('resultOffset') ?? 0);
      const isPage =
        url.pathname.endsWith('/query') && !/true/.test(url.search.match(/return(Count|Ids)Only=\w+/)?.[0] ?? '');
      // The second page and every other one after it.
      const fault = isPage && this.#pages++ % 2 === 1 ? this.faults.shift() : undefined;
      if (fault) this.seen.push(fault);
      if (fault === 'repeated' && offset > 0) url.searchParams.set('resultOffset', '0');
      if (fault === 'skipped') url.searchParams.set('resultOffset', String(offset + 50));
      if (fault === 'capped') url.searchParams.set('resultRecordCount', '37');
      const forward = request(
        { host: '127.0.0.1', port, path: `${url.pathname}${url.search}`, method: asked.method, headers: asked.headers },
        came => {
          answer.writeHead(came.statusCode!, came.headers);
          if (fault !== 'broken') return void came.pipe(answer);
          came.once('data', part => answer.write(part.subarray(0, 100), () => answer.destroy()));
        },
      );
      asked.pipe(forward);
    });
  }

  async start(): Promise<number> {
    await new Promise<void>(done => this.#server.listen(0, '127.0.0.1', done));
    return (this.#server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise(done => this.#server.close(done));
  }
}

/** The places of a ring without the one that closes it, in an order of their own: where a ring begins is nothing of its shape. */
const ringOf = (ring: unknown): unknown[] =>
  (ring as number[][]).slice(1).sort(([x1, y1], [x2, y2]) => x1! - x2! || y1! - y2!);

/** Rows by id: values, and coordinates to a hundred-thousandth of a millimetre of degrees. */
function rowsOf(features: readonly Feature[]): Map<number, string> {
  const round = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(round) : typeof value === 'number' ? Number(value.toFixed(9)) : value;
  const rounded = (values: readonly unknown[]) => values.map(round);
  return new Map(
    features.map(({ properties, geometry }) => {
      const { OBJECTID, ...values } = properties;
      const filled = Object.entries(values).filter(([, value]) => value !== null && value !== '');
      // Esri's rings stand in no order, and which hole is of which part is told by where they lie.
      const parts = geometry?.type === 'MultiPolygon' ? (geometry.coordinates as unknown[]) : [geometry?.coordinates];
      const rings = geometry?.type.endsWith('Polygon') ? parts.flat().map(ringOf) : parts;
      return [
        Number(OBJECTID),
        JSON.stringify([
          filled.sort(),
          rounded(rings)
            .map(one => JSON.stringify(one))
            .sort(),
        ]),
      ];
    }),
  );
}

describe('files that Koop serves', { tags: ['Koop', 'GDAL', 'published-files'] }, () => {
  let server: Daemon;
  let proxy: PageProxy;
  let port = 0;
  const layers: Record<string, { readonly features: Feature[]; readonly kind: string }> = {};
  beforeAll(async () => {
    layers.parcels = { features: numbered(parcels()), kind: 'Polygon' };
    layers.addresses = { features: numbered(addresses()), kind: 'Point' };
    layers.many = { features: numbered(many()), kind: 'Point' };
    server = await startDaemon('koop', (own, folder) => {
      for (const [name, layer] of Object.entries(layers))
        writeFileSync(join(folder, `${name}.json`), JSON.stringify(layer));
      writeFileSync(join(folder, 'server.cjs'), program(own, folder));
      return [process.execPath, [join(folder, 'server.cjs')]];
    });
    proxy = new PageProxy(server.port);
    port = await proxy.start();
  }, 120_000);
  afterAll(async () => {
    await proxy?.stop();
    await server?.stop();
  });
  const urlOf = (name: string, at = port) => `http://127.0.0.1:${at}/files/rest/services/${name}/FeatureServer/0`;
  const takenRows = (taking: Taking, file: string) => rowsOf(JSON.parse(taking.read(file).toString()).features);

  it.each([
    ['parcels', 10_643],
    ['addresses', 5693],
    ['many', ROWS],
  ])(
    '%s: all %i rows with their geometry are those of the file',
    async (name, count) => {
      const taking = new Taking();
      const { taken } = await taking.take(urlOf(name), 'l.geojson', { via: 'arcgis' });
      expect(taken.rows).toBe(count);
      const [ours, file] = [takenRows(taking, 'l.geojson'), rowsOf(layers[name]!.features)];
      expect(ours.size).toBe(count);
      for (const [id, row] of file) if (ours.get(id) !== row) expect(ours.get(id), `row ${id}`).toBe(row);
    },
    600_000,
  );

  it.each(['repeated', 'skipped', 'capped', 'broken'] as const)(
    'a page that is %s changes no row, or is refused',
    async fault => {
      proxy.faults = [fault];
      proxy.seen = [];
      const taking = new Taking();
      const outcome = await taking.take(urlOf('addresses'), 'a.geojson', { via: 'arcgis' }).then(
        () => 'taken',
        (error: Error) => `${error.name}: ${error.message}`,
      );
      expect(proxy.seen).toEqual([fault]);
      if (outcome === 'taken') expect(takenRows(taking, 'a.geojson')).toEqual(rowsOf(layers.addresses!.features));
      else expect(outcome).toMatch(/^AcquireError: .*(page|rows|changed)/);
    },
    600_000,
  );

  it('a layer that is interrupted goes on where it stopped', async () => {
    const taking = new Taking();
    proxy.faults = [];
    await taking.broken(urlOf('many'), 'm.geojson', 4_000_000, { via: 'arcgis' });
    const { taken } = await taking.take(urlOf('many'), 'm.geojson', { via: 'arcgis' });
    expect(taken.rows).toBe(ROWS);
    expect(takenRows(taking, 'm.geojson')).toEqual(rowsOf(layers.many!.features));
  }, 600_000);
});
