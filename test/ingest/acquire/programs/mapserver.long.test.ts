import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fromFile } from 'geotiff';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Box } from '../../../../datasets/geometry.ts';
import { resolveCrs } from '../../../../ingest/crs.ts';
import { writeGeotiff } from '../../../../pipelines/world/format/geotiff.ts';
import type { Daemon } from './daemon.ts';
import { Taking } from './taking.ts';
import { startApache } from './web-server.ts';

/** A raster of 30 m in UTM zone 19. */
const [LEFT, TOP, CELL] = [500_000, 5_000_000, 30];
const cellOf = (column: number, row: number) => (column * 7 + row * 13) % 251;

const CONFIG = (root: string) => `CONFIG
  ENV
    MS_MAP_NO_PATH "1"
    OGCAPI_HTML_TEMPLATE_DIRECTORY "/usr/share/mapserver/ogcapi/templates/html-plain/"
    PROJ_DATA "/usr/share/proj"
  END
  MAPS
    county "${root}/county.map"
  END
END
`;

const layerOf = (name: string, data: string) => `LAYER
    NAME "${name}"
    TYPE POINT
    STATUS ON
    ${data}
    EXTENT -71 42 -68 46
    PROJECTION "init=epsg:4326" END
    TEMPLATE "any"
    METADATA
      "gml_featureid" "well_id"
      "gml_include_items" "all"
      "oga_title" "${name}"
      "ows_title" "${name}"
    END
  END`;

/** Points as OGC API Features of pages of 40 by default and 100 at most, and a raster as WCS. */
const MAP = (root: string, port: number) => `MAP
  NAME "county"
  EXTENT -71 42 -68 46
  PROJECTION "init=epsg:4326" END
  SHAPEPATH "${root}"
  WEB
    METADATA
      "oga_onlineresource" "http://127.0.0.1:${port}/mapserv/county/ogcapi"
      "ows_onlineresource" "http://127.0.0.1:${port}/mapserv/county"
      "ows_enable_request" "*"
      "ows_srs" "EPSG:4326 EPSG:26919"
      "ows_title" "county"
      "oga_max_limit" "100"
      "oga_default_limit" "40"
    END
  END
  OUTPUTFORMAT
    NAME "GeoTIFF"
    DRIVER "GDAL/GTiff"
    MIMETYPE "image/tiff"
    IMAGEMODE BYTE
    EXTENSION "tif"
  END
  ${layerOf('wells', `DATA "${root}/wells"`)}
  ${layerOf('unpaged', `CONNECTIONTYPE OGR CONNECTION "${root}/wells.gpkg" DATA "wells"`)}
  LAYER
    NAME "cover"
    TYPE RASTER
    STATUS ON
    DATA "${root}/cover.tif"
    PROJECTION "init=epsg:26919" END
    METADATA
      "wcs_label" "cover"
      "wcs_rangeset_name" "cover"
      "wcs_rangeset_label" "cover"
      "wcs_formats" "GeoTIFF"
      "wcs_nativeformat" "GTiff"
      "ows_title" "cover"
    END
  END
END
`;

describe("collections and coverages of Debian's MapServer", { tags: ['MapServer', 'Apache', 'GDAL'] }, () => {
  let server: Daemon;
  const wells = Array.from({ length: 330 }, (_, i) => ({
    ...{ id: `w${i}`, depth: (i * 37) % 911 },
    ...{ x: -70 + (i % 30) / 20, y: 43 + Math.floor(i / 30) / 10 },
  }));
  beforeAll(async () => {
    server = await startApache(`
ScriptAlias /mapserv /usr/bin/mapserv
<Directory /usr/bin>
  Require all granted
</Directory>
SetEnv MAPSERVER_CONFIG_FILE {root}/mapserver.conf`);
    const { root, port } = server;
    writeFileSync(join(root, 'mapserver.conf'), CONFIG(root));
    writeFileSync(join(root, 'county.map'), MAP(root, port));
    const features = wells.map(({ id, depth, x, y }) => ({
      type: 'Feature',
      properties: { well_id: id, depth },
      geometry: { type: 'Point', coordinates: [x, y] },
    }));
    writeFileSync(join(root, 'wells.geojson'), JSON.stringify({ type: 'FeatureCollection', features }));
    for (const name of ['wells.shp', 'wells.gpkg'])
      execFileSync('ogr2ogr', ['-nln', 'wells', join(root, name), join(root, 'wells.geojson')]);
    await writeGeotiff(join(root, 'cover.tif'), {
      ...{ epsg: 26919, left: LEFT, top: TOP, cellX: CELL, cellY: CELL, columns: 2400, rows: 2000 },
      ...{ sample: 'uint8', nodata: 255, value: cellOf },
    });
  });
  afterAll(() => server.stop());
  const items = (collection: string) =>
    `http://127.0.0.1:${server.port}/mapserv/county/ogcapi/collections/${collection}/items`;

  it('come along their pages, each row once, whole or on some ground', async () => {
    const taking = new Taking();
    const idsIn = async (box: Box | null) => {
      const file = `w${box?.length ?? 0}.geojson`;
      const { taken } = await taking.take(items('wells'), file, { via: 'ogc', box });
      const { features } = JSON.parse(taking.read(file).toString()) as { features: { id: string }[] };
      expect(taken.rows).toBe(features.length);
      return features.map(({ id }) => id).sort();
    };
    expect(await idsIn(null)).toEqual(wells.map(({ id }) => id).sort());
    const [west, south, east, north] = [-69.93, 43.05, -68.97, 43.95];
    const within = wells.filter(({ x, y }) => x > west && x < east && y > south && y < north);
    expect(within.length).toBeGreaterThan(100);
    expect(await idsIn([west, south, east, north])).toEqual(within.map(({ id }) => id).sort());
  });

  // MapServer 8.0 counts and links the pages of what OGR reads for it, and sends the first one for each.
  it('come by ground where every page is the first', async () => {
    const taking = new Taking();
    const { taken } = await taking.take(items('unpaged'), 'u.geojson', { via: 'ogc' });
    expect(taken.rows).toBe(wells.length);
    const { features } = JSON.parse(taking.read('u.geojson').toString());
    const ids = features.map(({ properties }: { properties: { well_id: string } }) => properties.well_id);
    expect(ids.sort()).toEqual(wells.map(({ id }) => id).sort());
  });

  it('are cut out cell by cell as they lie', async () => {
    const taking = new Taking();
    const [x, y] = [LEFT + 700 * CELL, TOP - 900 * CELL];
    const lngLat = await (await resolveCrs('EPSG:26919', 'cover.tif')).toLngLat(Float64Array.of(x, y));
    const [lng, lat] = [lngLat[0]!, lngLat[1]!];
    const url = `http://127.0.0.1:${server.port}/mapserv?map=county&coverage=cover`;
    await taking.take(url, 'c.tif', { via: 'wcs', box: [lng - 0.2, lat - 0.1, lng + 0.2, lat + 0.1] });
    const tiff = await fromFile(join(taking.sources, 'c.tif'));
    const image = await tiff.getImage();
    const [left, top] = image.getOrigin() as [number, number];
    const [column, row] = [(left - LEFT) / CELL, (TOP - top) / CELL];
    expect([column % 1, row % 1]).toEqual([0, 0]);
    const [values] = (await image.readRasters()) as unknown as [Uint8Array];
    expect(values.length).toBeGreaterThan(300_000);
    const width = image.getWidth();
    const wrong = values.findIndex((value, i) => value !== cellOf(column + (i % width), row + Math.floor(i / width)));
    expect(wrong).toBe(-1);
    await tiff.close();
  });
});
