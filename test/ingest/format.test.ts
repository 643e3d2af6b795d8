import { describe, expect, it } from 'vitest';
import { openSource, readerFor } from '../../ingest/format.ts';
import { READERS } from '../../ingest/readers.ts';

describe('format of a file', () => {
  it.each([
    ['a/parcels.shp.zip', 'shapefile'],
    ['a/parcels.zip', 'archive'],
    ['a/PARCELS.SHP', 'shapefile'],
    ['a/x.geojson', 'geojson'],
    ['a/x.GeoJSON.gz', 'geojson'],
    ['a/x.json', 'geojson'],
    ['a/x.geojsonl', 'geojsonseq'],
    ['a/x.geojsons', 'geojsonseq'],
    ['a/x.csv', 'csv'],
    ['a/x.csv.gz', 'csv'],
    ['a/x.tif', 'geotiff'],
    ['a/x.tiff', 'geotiff'],
    ['a/x.fgb', 'flatgeobuf'],
    ['a/x.parquet', 'geoparquet'],
    ['a/x.topojson', 'topojson'],
    ['a/x.csv.zip', 'zipped_csv'],
    ['a/r_tower.dat.zip', 'zipped_csv'],
    ['a/x.dat', 'csv'],
    ['a/x.xlsx', 'xlsx'],
    ['a/x.asc.zip', 'asciigrid'],
    ['a/x.asc', 'asciigrid'],
    ['a/x.gpkg', 'geopackage'],
    ['a/x.gdb', 'filegdb'],
    ['a/x.gdb.zip', 'filegdb'],
    ['a/maine-latest.osm.pbf', 'osmpbf'],
  ])('%s is %s', (path, name) => {
    expect(readerFor(path).name).toBe(name);
  });

  it('is the one named, whatever the file is called', () => {
    for (const reader of READERS) expect(readerFor('download?id=1', reader.name)).toBe(reader);
  });

  it('is unknown otherwise, with a list of the known ones', async () => {
    const known = /shapefile .*geojson .*csv .*geotiff .*flatgeobuf .*geoparquet .*geopackage .*filegdb/s;
    for (const [path, format] of [['a.xyz'], ['a.shp', 'oracle']] as const) {
      expect(() => readerFor(path, format)).toThrow(expect.objectContaining({ code: 'format_unknown', file: path }));
      expect(() => readerFor(path, format)).toThrow(known);
    }
    await expect(openSource('a.shp', { format: 'oracle' })).rejects.toThrow(known);
    await expect(openSource('a.xyz')).rejects.toMatchObject({ code: 'file_missing' });
  });
});
