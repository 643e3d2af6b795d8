import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fromFile } from 'geotiff';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Client } from '../../../ingest/acquire/client.ts';
import { take } from '../../../ingest/acquire/take.ts';
import { TakenFiles } from '../../../ingest/acquire/taken.ts';
import { resolveCrs } from '../../../ingest/crs.ts';
import { type Grid, writeGeotiff } from '../../../pipelines/world/format/geotiff.ts';
import { Publisher } from './publisher.ts';

const publisher = new Publisher();
const folder = mkdtempSync(join(tmpdir(), 'plat-grid-'));
let sources: string;

beforeAll(async () => void (await publisher.start()));
beforeEach(() => {
  sources = mkdtempSync(join(folder, 's-'));
  publisher.handlers.clear();
  publisher.faults.clear();
});
afterAll(async () => {
  await publisher.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A grid of the whole service in UTM zone 19: 30 m, about 150 by 120 km. */
const WHOLE = { left: 500_000, top: 5_000_000, cell: 30, columns: 5000, rows: 4000 };
const cellOf = (column: number, row: number) => (column * 7 + row * 13) % 251;
/** Degrees: about 40 by 44 km, so that several requests are needed. */
const GROUND = [-68.9, 44.7, -68.4, 45.1] as const;

/** The image of a box of the service, as the service sends it. */
async function imageOf(bbox: readonly number[], columns: number, rows: number): Promise<Buffer> {
  const left = Math.round((bbox[0]! - WHOLE.left) / WHOLE.cell);
  const top = Math.round((WHOLE.top - bbox[3]!) / WHOLE.cell);
  const path = join(sources, 'image.tif');
  const grid: Grid = {
    ...{ epsg: 26919, left: bbox[0]!, top: bbox[3]!, cellX: WHOLE.cell, cellY: WHOLE.cell, columns, rows },
    ...{ sample: 'uint8', nodata: 255, value: (column, row) => cellOf(left + column, top + row) },
  };
  await writeGeotiff(path, grid);
  return readFileSync(path);
}

const options = (via: 'image' | 'wcs', url: string, where = '') => ({
  ...{ sources, file: 'grid.tif', taken: new TakenFiles(sources), now: () => new Date('2026-11-24T06:00:00Z') },
  located: { via, url, where, box: GROUND, resource: null, vintage: null },
  client: new Client({ wait: async () => {}, retries: 2 }),
});

/** Compares every cell with the service's own, and the corners with the ground. */
async function expectCells(): Promise<void> {
  const tiff = await fromFile(join(sources, 'grid.tif'));
  const image = await tiff.getImage();
  const [left, top] = image.getOrigin() as [number, number];
  const [column, row] = [(left - WHOLE.left) / WHOLE.cell, (WHOLE.top - top) / WHOLE.cell];
  expect([column % 1, row % 1]).toEqual([0, 0]);
  expect(image.getGDALNoData()).toBe(255);
  const [values] = (await image.readRasters()) as unknown as [Uint8Array];
  const [width, height] = [image.getWidth(), image.getHeight()];
  const wrong = values!.findIndex((value, i) => value !== cellOf(column + (i % width), row + Math.floor(i / width)));
  expect(wrong).toBe(-1);
  const xy = Float64Array.of(left, top, left + width * WHOLE.cell, top - height * WHOLE.cell);
  const [west, north, east, south] = await (await resolveCrs('EPSG:26919', 'grid.tif')).toLngLat(xy);
  expect(west!).toBeLessThanOrEqual(GROUND[0] + 0.01);
  expect(north!).toBeGreaterThanOrEqual(GROUND[3] - 0.01);
  expect(east!).toBeGreaterThanOrEqual(GROUND[2] - 0.01);
  expect(south!).toBeLessThanOrEqual(GROUND[1] + 0.01);
  await tiff.close();
}

const numbersOf = (text: string | null) => text!.split(',').map(Number);

// ArcGIS REST API, "Image Service" and "Export Image": https://developers.arcgis.com/rest/services-reference/enterprise/export-image/.
describe('an image service', () => {
  const path = '/arcgis/rest/services/Fuel/ImageServer';
  const extent = {
    ...{ xmin: WHOLE.left, ymax: WHOLE.top, xmax: WHOLE.left + WHOLE.columns * WHOLE.cell },
    ...{ ymin: WHOLE.top - WHOLE.rows * WHOLE.cell, spatialReference: { wkid: 26919, latestWkid: 26919 } },
  };
  const description = {
    pixelSizeX: 30,
    pixelSizeY: 30,
    pixelType: 'U8',
    maxImageWidth: 700,
    maxImageHeight: 4100,
    extent,
  };
  const serve = (asked: URLSearchParams[] = [], shift = 0) => {
    publisher.handlers.set(path, (_request, response) => void response.end(JSON.stringify(description)));
    publisher.handlers.set(`${path}/exportImage`, (_request, response, { searchParams }) => {
      asked.push(searchParams);
      const [columns, rows] = numbersOf(searchParams.get('size')) as [number, number];
      const bbox = numbersOf(searchParams.get('bbox')).map(value => value + shift);
      void imageOf(bbox, columns, rows).then(image => response.end(image));
    });
    return asked;
  };

  it('is cut in pieces of its own cells, no larger than it sends', async () => {
    const asked = serve();
    // A piece that fails, by status or in an answer of 200, is asked for again.
    const failed = (_request: IncomingMessage, response: ServerResponse) =>
      void response.end('{"error":{"code":500,"message":"Error exporting image"}}');
    publisher.faults.set(`${path}/exportImage`, [failed]);
    await take(options('image', `${publisher.origin}${path}`, 'Year = 2024'));
    await expectCells();
    expect(asked.length).toBeGreaterThan(4);
    for (const parameters of asked) {
      expect(Math.max(...numbersOf(parameters.get('size')))).toBeLessThanOrEqual(512);
      expect(parameters.get('interpolation')).toBe('RSP_NearestNeighbor');
      expect(parameters.get('mosaicRule')).toBe('{"where":"Year = 2024"}');
    }
  });

  it('is refused where its image lies elsewhere, and where nothing lies on the ground', async () => {
    serve([], 30);
    await expect(take(options('image', `${publisher.origin}${path}`))).rejects.toThrow(/lies elsewhere/);
    publisher.handlers.set(path, (_request, response) => void response.end('{"currentVersion":10.9}'));
    await expect(take(options('image', `${publisher.origin}${path}`))).rejects.toThrow(/describes no images/);
    const at = { ...extent, xmin: 0, xmax: 3000 };
    publisher.handlers.set(
      path,
      (_request, response) => void response.end(JSON.stringify({ ...description, extent: at })),
    );
    await expect(take(options('image', `${publisher.origin}${path}`))).rejects.toThrow(/no cells on the ground/);
  });
});

// DescribeCoverage and GetCoverage of WCS 1.0.0 (OGC 03-065r6, annexes A and C), as GeoServer writes them.
describe('a coverage of a WCS', () => {
  const corner = (x: number, y: number) => `<gml:pos>${x} ${y}</gml:pos>`;
  const { left, top, cell, columns, rows } = WHOLE;
  const envelope = corner(left, top - rows * cell) + corner(left + columns * cell, top);
  /** The ground in degrees as MapServer says it too. */
  const degrees = `<gml:Envelope srsName="EPSG:4326">${corner(-69, 44)}${corner(-67, 45)}</gml:Envelope>`;
  const described = `<?xml version="1.0"?><wcs:CoverageDescription xmlns:wcs="http://www.opengis.net/wcs" xmlns:gml="http://www.opengis.net/gml">
    <wcs:CoverageOffering><wcs:name>cover</wcs:name><wcs:lonLatEnvelope srsName="urn:ogc:def:crs:OGC:1.3:CRS84">${corner(-69, 44)}${corner(-67, 45)}</wcs:lonLatEnvelope>
    <wcs:domainSet><wcs:spatialDomain>${degrees}<gml:Envelope srsName="EPSG:26919">${envelope}</gml:Envelope>
    <gml:RectifiedGrid dimension="2"><gml:limits><gml:GridEnvelope><gml:low>0 0</gml:low><gml:high>4999 3999</gml:high></gml:GridEnvelope></gml:limits>
    <gml:axisName>x</gml:axisName><gml:axisName>y</gml:axisName><gml:origin>${corner(left + 15, top - 15)}</gml:origin>
    <gml:offsetVector>30.0 0.0</gml:offsetVector><gml:offsetVector>0.0 -30.0</gml:offsetVector></gml:RectifiedGrid></wcs:spatialDomain></wcs:domainSet>
    </wcs:CoverageOffering></wcs:CoverageDescription>`;
  const exception =
    '<ServiceExceptionReport><ServiceException>Could not find coverage</ServiceException></ServiceExceptionReport>';

  it('is cut in pieces of its own cells, of the time that is asked for', async () => {
    const asked: URLSearchParams[] = [];
    publisher.handlers.set('/geoserver/wcs', (_request, response, { searchParams }) => {
      if (searchParams.get('request') === 'DescribeCoverage') return void response.end(described);
      asked.push(searchParams);
      const [width, height] = [Number(searchParams.get('width')), Number(searchParams.get('height'))];
      void imageOf(numbersOf(searchParams.get('bbox')), width, height).then(image => response.end(image));
    });
    await take(options('wcs', `${publisher.origin}/geoserver/wcs?coverage=cover&time=2025-01-01T00:00:00.000Z`));
    await expectCells();
    for (const parameters of asked)
      expect(Object.fromEntries(parameters)).toMatchObject({
        ...{ service: 'WCS', version: '1.0.0', coverage: 'cover', crs: 'EPSG:26919', format: 'GeoTIFF' },
        time: '2025-01-01T00:00:00.000Z',
      });
  });

  it('is taken where its other spelling answers', async () => {
    const asked: string[] = [];
    publisher.handlers.set('/geoserver/wcs', (_request, response, { searchParams }) => {
      if (searchParams.get('coverage') !== 'mrlc_Factional') return void response.end(exception);
      if (searchParams.get('request') === 'DescribeCoverage') return void response.end(described);
      const [width, height] = [Number(searchParams.get('width')), Number(searchParams.get('height'))];
      asked.push(searchParams.get('coverage')!);
      void imageOf(numbersOf(searchParams.get('bbox')), width, height).then(image => response.end(image));
    });
    const at = (name: string) => `${publisher.origin}/geoserver/wcs?coverage=mrlc_${name}`;
    const some = options('wcs', at('Fractional'));
    const { taken } = await take({ ...some, located: { ...some.located, elsewhere: at('Factional') } });
    expect(taken.url).toBe(at('Factional'));
    expect(asked.length).toBeGreaterThan(0);
    await expectCells();
    await expect(take({ ...some, located: { ...some.located, elsewhere: at('other') } })).rejects.toThrow(/mrlc_other/);
  });

  it('is refused with what the service says', async () => {
    publisher.handlers.set('/geoserver/wcs', (_request, response) => void response.end(exception));
    await expect(take(options('wcs', `${publisher.origin}/geoserver/wcs?coverage=none`))).rejects.toThrow(
      /describes no coverage none: Could not find coverage/,
    );
  });
});
