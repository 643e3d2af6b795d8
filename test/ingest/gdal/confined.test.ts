import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSource } from '../../../ingest/format.ts';
import { failureOf, readRows, scratch } from '../readers/scratch.ts';
import { tarOf } from '../tar.ts';
import { DRIVER_FILES, writeDriverFile } from './drivers.ts';

const write = scratch();
let server: Server;
let address: string;
let asked = 0;
beforeAll(async () => {
  server = createServer((_, response) => {
    asked++;
    response.end('{"type":"FeatureCollection","features":[]}');
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
});

const VRT = (source: string) =>
  `<OGRVRTDataSource><OGRVRTLayer name="a"><SrcDataSource>${source}</SrcDataSource></OGRVRTLayer></OGRVRTDataSource>`;

describe('a stranger’s file', () => {
  it('makes nobody ask another server: schemas, links, references and virtual datasets', async () => {
    const point = '<gml:Point srsName="EPSG:4326"><gml:pos>41 -111</gml:pos></gml:Point>';
    const gml = (member: string) =>
      `<?xml version="1.0"?><ogr:FeatureCollection xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:gml="http://www.opengis.net/gml" xmlns:ogr="http://ogr.maptools.org/" xsi:schemaLocation="http://ogr.maptools.org/ ${address}/a.xsd"><gml:featureMember><ogr:a gml:id="a1"><ogr:geometryProperty>${member}</ogr:geometryProperty><ogr:name>x</ogr:name></ogr:a></gml:featureMember></ogr:FeatureCollection>`;
    expect(await readRows(write('schema.gml', gml(point)))).toHaveLength(1);
    await readRows(write('linked.gml', gml(`<gml:surfaceMember xlink:href="${address}/b.gml#p"/>`))).catch(() => []);
    const link = `<NetworkLink><Link><href>${address}/c.kml</href></Link></NetworkLink>`;
    const place = '<Placemark><Point><coordinates>-111,41</coordinates></Point></Placemark>';
    expect(await readRows(write('links.kml', `<kml><Document>${link}${place}</Document></kml>`))).toHaveLength(1);
    const vrt = write('a.vrt', VRT(`/vsicurl/${address}/d.geojson`));
    expect((await failureOf(vrt)).message).toMatch(/virtual dataset/);
    expect((await failureOf(write('a.gml', VRT(`/vsicurl/${address}/e.geojson`)))).message).toMatch(/virtual dataset/);
    // Even where the place file names a reader of GDAL.
    await expect(openSource(vrt, { format: 'gml' })).rejects.toMatchObject({ name: 'ReadError' });
    expect(asked).toBe(0);
  });

  it('reads no other file of its folder', async () => {
    const folder = dirname(write('view.tab', ''));
    const parcels = DRIVER_FILES.find(entry => entry.file === 'parcels.tab')!;
    writeDriverFile(folder, parcels);
    // A view of MapInfo joins tables that it names.
    const view = join(folder, 'parcels_tab', 'view.tab');
    writeFileSync(
      view,
      '!table\r\n!version 100\r\nOpen Table "parcels.tab" Hide\r\nOpen Table "parcels.tab" Hide\r\n\r\nCreate View view As\r\nSelect pin, acres\r\nFrom parcels, parcels\r\nWhere pin = pin\r\n',
    );
    expect((await failureOf(view)).message).toMatch(/GDAL cannot read it/);
    expect(await readRows(join(folder, 'parcels_tab', 'parcels.tab'))).toHaveLength(2);
  });

  it('is a raster by its own bytes, whatever lies beside it', async () => {
    const cases = JSON.parse(readFileSync(new URL('../published-rasters.json', import.meta.url), 'utf8'));
    const { files } = cases.find(({ name }: { name: string }) => name === 'a mask beside the file');
    const raster = write('masked.tif', Buffer.from(files['c.tif'], 'base64'));
    const mask = Buffer.from(files['c.tif.msk'], 'base64');
    const empty = async () => {
      const [row] = await readRows(raster);
      return (row!.properties.values as Float64Array).filter(Number.isNaN).length;
    };
    expect(await empty()).toBe(0);
    write('masked.tif.msk', mask);
    expect(await empty()).toBe(2);
    write('other.tif', mask);
    for (const source of ['other.tif', `/vsicurl/${address}/f.tif`]) {
      const band = `<VRTRasterBand dataType="Byte" band="1"><SimpleSource><SourceFilename relativeToVRT="1">${source}</SourceFilename><SourceBand>1</SourceBand></SimpleSource></VRTRasterBand>`;
      const flags = '<Metadata><MDI key="INTERNAL_MASK_FLAGS_1">2</MDI></Metadata>';
      write('masked.tif.msk', `<VRTDataset rasterXSize="6" rasterYSize="4">${flags}${band}</VRTDataset>`);
      expect((await failureOf(raster)).message).toMatch(/GDAL cannot read it/);
    }
    expect(asked).toBe(0);
  });

  it('in an archive stays in it', async () => {
    const evil = await failureOf(write('evil.tar', tarOf({ '../../evil.csv': 'a\n' })));
    expect(evil.message).toMatch(/holds a file that points out of it/);
    const good = gzipSync(tarOf({ './in/p.csv': 'a,b\n1,2\n' }));
    for (const name of ['good.tgz', 'good.tar.gz'])
      expect(await readRows(write(name, good))).toMatchObject([{ properties: { a: '1', b: '2' } }]);
  });
});
