import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { text, writeShapefile } from '../../pipelines/world/format/shapefile.ts';
import { nearWords, readNear } from '../../web/area/near.ts';
import { areaOfAll, insideOf } from '../../web/file/area.ts';
import type { FileGround } from '../../web/file/ground.ts';
import { areaOfPoints, pointsOf } from '../../web/file/points.ts';
import { readFiles } from '../../web/file/read.ts';
import { metresBetween } from '../oracle/geodesic.ts';

// The address of a page listens for the way back when it is loaded.
vi.hoisted(() => vi.stubGlobal('addEventListener', () => {}));

const folder = mkdtempSync(join(tmpdir(), 'plat-file-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SQUARE = [
  [-70.01, 43],
  [-70, 43],
  [-70, 43.01],
  [-70.01, 43.01],
  [-70.01, 43],
] as const;
const HOLE = [
  [-70.006, 43.004],
  [-70.006, 43.006],
  [-70.004, 43.006],
  [-70.004, 43.004],
  [-70.006, 43.004],
] as const;
const polygon = { type: 'Polygon', coordinates: [SQUARE, HOLE] };
const feature = (geometry: object | null, properties: object = {}) => ({ type: 'Feature', properties, geometry });
const collection = (...features: readonly object[]) => JSON.stringify({ type: 'FeatureCollection', features });

const read = (name: string, content: string | Uint8Array) => readFiles([new File([content as BlobPart], name)]);
const onDisk = (...paths: readonly string[]) =>
  readFiles(paths.map(path => new File([new Uint8Array(readFileSync(path))], basename(path))));
/** How far the corners of rings are from those of others, in meters; infinite where there is another number of them. */
function apart(a: FileGround['areas'][number]['rings'], b: readonly (readonly (readonly number[])[])[]): number {
  if (a.length !== b.length || a.some((ring, i) => ring.length !== b[i]!.length)) return Infinity;
  const nearest = ([lng, lat]: readonly number[], ring: readonly (readonly number[])[]) =>
    Math.min(...ring.map(([x, y]) => metresBetween(lng!, lat!, x!, y!)));
  return Math.max(...a.flatMap((ring, i) => ring.map(position => nearest(position, b[i]!))));
}

describe('files that are chosen for a search', () => {
  it('GeoJSON: features by their names, geometries of all types, and what has no place', async () => {
    const { areas, points, lines, without } = await read(
      'all.geojson',
      collection(
        feature(polygon, { name: 'Mill lot', id: 7 }),
        feature({ type: 'GeometryCollection', geometries: [{ type: 'Point', coordinates: [-70, 43, 12] }, polygon] }),
        feature({ type: 'MultiPoint', coordinates: [[-70.1, 43.1]] }),
        feature({ type: 'LineString', coordinates: SQUARE.slice(0, 2) }),
        feature(null),
      ),
    );
    expect(areas.map(({ name }) => name)).toEqual(['Mill lot', 'Area 2']);
    expect(areas[0]!.rings).toEqual([SQUARE, HOLE]);
    expect(points).toEqual([
      [-70, 43],
      [-70.1, 43.1],
    ]);
    expect([lines.length, without]).toEqual([1, 1]);
  });

  it('CSV: points by any usual names of their columns, quoted fields, and rows without a place', async () => {
    const csv = 'name;Latitude;LONG\r\n"Mill; ""old""\r\nlot";43.5;-70.25\r\nnone;;\r\nbad;north;west\r\n';
    expect(await read('places.csv', csv)).toMatchObject({ points: [[-70.25, 43.5]], without: 2 });
    expect((await read('a.tsv', 'y\tx\n43.5\t-70.25')).points).toEqual([[-70.25, 43.5]]);
  });

  it('CSV: areas written as text', async () => {
    const wkt = `POLYGON ((${SQUARE.map(pair => pair.join(' ')).join(', ')}))`;
    const { areas } = await read('areas.csv', `name,wkt\nMill,"${wkt}"\nTwo,"MULTI${wkt.replace('((', '(((')})"\n`);
    expect(areas.map(({ name, rings }) => [name, rings])).toEqual([
      ['Mill', [SQUARE]],
      ['Two', [SQUARE]],
    ]);
  });

  it('a shapefile in a zip: its rings as areas with holes, its points as points', async () => {
    const path = join(folder, 'lots.shp.zip');
    const columns = [text('NAME', 6)];
    const rows = [{ properties: { NAME: 'Mill' }, geometry: polygon as never }];
    await writeShapefile(path, rows, { geometry: 'polygon', columns });
    const { areas } = await onDisk(path);
    expect(areas.length).toBe(1);
    expect(apart(areas[0]!.rings, [SQUARE, HOLE])).toBeLessThan(0.01);
    const points = join(folder, 'trees.shp.zip');
    const trees = [{ properties: { NAME: 'Ash' }, geometry: { type: 'Point', coordinates: [-70, 43] } as never }];
    await writeShapefile(points, trees, { geometry: 'point', columns });
    expect((await onDisk(points)).points).toEqual([[-70, 43]]);
  });

  it('a shapefile in feet of a state, with its .prj beside it, as GDAL writes it', { tags: ['GDAL'] }, async () => {
    writeFileSync(join(folder, 'lot.geojson'), collection(feature(polygon)));
    // NAD83 / Maine West (ftUS).
    execFileSync('ogr2ogr', ['-t_srs', 'EPSG:26848', join(folder, 'lot.shp'), join(folder, 'lot.geojson')], {
      stdio: 'ignore',
    });
    const parts = ['lot.shp', 'lot.prj', 'lot.dbf', 'lot.shx'].map(name => join(folder, name));
    const { areas } = await onDisk(...parts);
    expect(apart(areas[0]!.rings, [SQUARE, HOLE])).toBeLessThan(0.05);
    await expect(onDisk(parts[0]!)).rejects.toThrow(/no longitudes and latitudes.*\.prj/);
  });

  it.each([
    ['a.geojson', '{"type": "Feature"', /no JSON/],
    ['a.geojson', '{"type": "Topology"}', /no GeoJSON/],
    ['a.geojson', '{"type": "Point", "coordinates": ["a", 1]}', /no numbers/],
    ['a.geojson', '{"type": "FeatureCollection", "features": []}', /no areas, lines or points/],
    ['a.geojson', '{"type": "Point", "coordinates": [500000, 4800000]}', /no longitudes and latitudes/],
    [
      'a.json',
      `{"type":"Point","coordinates":[1,2],"crs":{"properties":{"name":"urn:ogc:def:crs:EPSG::26919"}}}`,
      /EPSG::26919/,
    ],
    ['a.csv', 'name,size\nMill,3\n', /columns name, size\. Expected one of latitude/],
    ['a.csv', 'lat,lng\n"43,-70\n', /quotation mark/],
    ['a.shp', 'no shapefile', /no shapefile/],
    ['a.zip', 'no archive', /archive is damaged/],
    ['a.pdf', 'no', /Expected GeoJSON, KML/],
  ])('%s that holds %s is refused in words', async (name, content, says) => {
    await expect(read(name, content)).rejects.toThrow(says);
  });

  it('a damaged archive or shapefile is called that wherever it ends', async () => {
    const path = join(folder, 'cut.shp.zip');
    await writeShapefile(path, [{ properties: { NAME: 'Mill' }, geometry: polygon as never }], {
      geometry: 'polygon',
      columns: [text('NAME', 6)],
    });
    const bytes = new Uint8Array(readFileSync(path));
    for (let end = 1; end < bytes.length; end += 7)
      await expect(read('cut.zip', bytes.subarray(0, end)), String(end)).rejects.toThrow(/damaged|no shapefile/);
  });
});

describe('what a search takes from a file', () => {
  it('is one area, closed and without corners that fall together', () => {
    const open = SQUARE.slice(0, 4).flatMap(([x, y]) => [[x, y] as const, [x + 1e-9, y] as const]);
    const one = { name: 'a', rings: [open] };
    expect(areaOfAll([one])).toEqual({ type: 'Polygon', coordinates: [SQUARE] });
    expect(areaOfAll([one, one])).toMatchObject({ type: 'MultiPolygon', coordinates: { length: 2 } });
  });

  it('are points that parcels lie under, each of them once', () => {
    const points = [
      [-70, 43],
      [-70.0000001, 43],
      [-70.000001, 43],
      [-69.5, 43.25],
    ] as const;
    const area = areaOfPoints(points);
    expect(pointsOf(area)).toEqual([
      [-70, 43],
      [-70.000001, 43],
      [-69.5, 43.25],
    ]);
    expect(pointsOf({ type: 'MultiPolygon', coordinates: [[SQUARE]] })).toBeNull();
    expect(pointsOf({ type: 'Polygon', coordinates: [SQUARE] })).toBeNull();
  });

  it('is a point inside of an area, whatever its shape', () => {
    const [lng, lat] = insideOf({ name: 'ring', rings: [SQUARE, HOLE] });
    expect(lng > -70.006 && lng < -70.004 && lat > 43.004 && lat < 43.006).toBe(false);
    expect(lng > -70.01 && lng < -70 && lat > 43 && lat < 43.01).toBe(true);
  });

  it('is the ground along its lines, which an address of the page brings back', () => {
    const near = { geometry: { type: 'MultiLineString', coordinates: [SQUARE] }, within_m: 152.4 } as const;
    expect(readNear(JSON.stringify(near))).toEqual(near);
    expect(readNear(JSON.stringify({ geometry: { type: 'Circle' }, within_m: 3 }))).toBeNull();
    expect(nearWords(near, 'us')).toBe('Within 500 ft of a line');
  });
});
