import { describe, expect, it } from 'vitest';
import { projectRows, resolveCrs } from '../../../ingest/crs.ts';
import { openSource } from '../../../ingest/format.ts';
import { readRows, scratch } from '../readers/scratch.ts';

const write = scratch();

async function mapinfo(name: string, system: string, point: string): Promise<number[]> {
  const head = 'Version 300\nCharset "Neutral"\nDelimiter ","\n';
  const path = write(
    `${name}.mif`,
    `${head}CoordSys Earth Projection ${system}\nColumns 1\n  PIN Char(10)\nData\n\nPoint ${point}\n`,
  );
  write(`${name}.mid`, '"A"\n');
  const source = await openSource(path);
  const crs = await resolveCrs(source.crs, path);
  for await (const batch of source.rows()) {
    const [row] = await projectRows(crs, batch);
    await source.close();
    return [...row!.geometry!.xy];
  }
  return [];
}

describe('what GDAL reads and its copy would say otherwise', () => {
  // Of each, ogr2ogr or cs2cs of PROJ says where -70, 44 comes to lie.
  it.each([
    [
      'Massachusetts in meters, to which GDAL gives the code of that in feet',
      '3, 74, "m", -71.5, 41, 42.6833333333, 41.7166666667, 200000, 750000',
      '320358.6 1084338.3',
    ],
    [
      'North Carolina in survey feet',
      '3, 74, "survey ft", -79, 33.75, 34.3333333333, 36.1666666667, 2000000, 0',
      '4393575.10034153 3854164.05861331',
    ],
  ])('%s lies where PROJ puts it', async (name, system, point) => {
    const [lng, lat] = await mapinfo(name.slice(0, 5), system, point);
    expect(lng).toBeCloseTo(-70, 5);
    expect(lat).toBeCloseTo(44, 5);
  });

  it('a list of values is text, as GDAL writes lists where there are none', async () => {
    const gml = `<?xml version="1.0" encoding="utf-8"?>
<ogr:FeatureCollection xmlns:ogr="http://ogr.maptools.org/" xmlns:gml="http://www.opengis.net/gml">
<gml:featureMember><ogr:lots fid="lots.0"><ogr:owner>A</ogr:owner><ogr:owner>B</ogr:owner><ogr:unit>1</ogr:unit><ogr:unit>2</ogr:unit>
<ogr:shape><gml:Point srsName="EPSG:4326"><gml:coordinates>-70,44</gml:coordinates></gml:Point></ogr:shape></ogr:lots></gml:featureMember>
</ogr:FeatureCollection>`;
    const [row] = await readRows(write('lots.gml', gml));
    expect(row!.properties).toMatchObject({ owner: '(2:A,B)', unit: '(2:1,2)' });
  });
});
