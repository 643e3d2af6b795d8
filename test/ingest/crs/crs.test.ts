import { describe, expect, it } from 'vitest';
import { boxOf, type Geometry } from '../../../datasets/geometry.ts';
import { normalCrs, projectGeometries, projectRows, resolveCrs, statedCrs } from '../../../ingest/crs.ts';

const point = (x: number, y: number): Geometry => ({
  type: 'Point',
  xy: Float64Array.of(x, y),
  ends: Uint32Array.of(1),
  parts: new Uint32Array(0),
});
const projected = async (crs: string | null, geometry: Geometry) =>
  (await projectGeometries(await resolveCrs(crs, 'a.shp'), [geometry]))[0]!;
const MAINE_EAST =
  'PROJCS["NAD_1983_StatePlane_Maine_East_FIPS_1801_Feet",GEOGCS["GCS_North_American_1983",DATUM["D_North_American_1983",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["False_Easting",984250.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",-68.5],PARAMETER["Scale_Factor",0.9999],PARAMETER["Latitude_Of_Origin",43.66666666666666],UNIT["Foot_US",0.3048006096012192]]';

const WEB_MERCATOR =
  'PROJCS["WGS_1984_Web_Mercator_Auxiliary_Sphere",GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]],PROJECTION["Mercator_Auxiliary_Sphere"],PARAMETER["False_Easting",0.0],PARAMETER["False_Northing",0.0],PARAMETER["Central_Meridian",0.0],PARAMETER["Standard_Parallel_1",0.0],PARAMETER["Auxiliary_Sphere_Type",0.0],UNIT["Meter",1.0]]';
/** What a GeoTIFF with a user-defined CRS bound to WGS 84 comes to. */
const BOUND_UTM_12 =
  '+proj=tmerc +lat_0=0 +lon_0=-111 +k_0=0.9996 +x_0=500000 +y_0=0 +a=6378137 +b=6356752.314140356 +towgs84=0,0,0 +no_defs';

// Expected: GDAL 3.6.2, `echo X Y | gdaltransform -s_srs CRS -t_srs "+proj=longlat +datum=WGS84" -output_xy`.
const CASES: readonly [crs: string, x: number, y: number, lng: number, lat: number][] = [
  ['EPSG:26847', 900000, 410000, -68.8245425132439, 44.7909755294616],
  [MAINE_EAST, 900000, 410000, -68.8245425132439, 44.7909755294616],
  ['urn:ogc:def:crs:EPSG::2264', 1500000, 600000, -80.6776666542708, 35.386999154276],
  ['EPSG:26912', 320000, 4130000, -113.030888040469, 37.2992176952719],
  [BOUND_UTM_12, 320000, 4130000, -113.030888040469, 37.2992176952719],
  [WEB_MERCATOR, -7650000, 5590000, -68.7211192351434, 44.799424143755],
  ['EPSG:3857', -7650000, 5590000, -68.7211192351434, 44.799424143755],
  // Numbers of ESRI that are written as if they were EPSG's.
  ...['EPSG:102100', 'urn:ogc:def:crs:EPSG::102100', 'EPSG:102113', '102100'].map(
    (crs): [string, number, number, number, number] => [crs, -7650000, 5590000, -68.7211192351434, 44.799424143755],
  ),
  ['EPSG:5070', 2000000, 2600000, -70.6827454415781, 43.9792789898655],
];

describe('a CRS', () => {
  it.each(CASES)('%s', async (crs, x, y, lng, lat) => {
    const [ourLng, ourLat] = (await projected(crs, point(x, y))).xy;
    expect(Math.abs(ourLng! - lng)).toBeLessThan(1e-9);
    expect(Math.abs(ourLat! - lat)).toBeLessThan(1e-9);
  });

  it.each([
    'OGC:CRS84',
    'EPSG:4326',
    'EPSG:4269',
    'urn:ogc:def:crs:OGC:1.3:CRS84',
    'GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984",SPHEROID["WGS_1984",6378137.0,298.257223563]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]',
    'GEOGCS["GCS_North_American_1983",DATUM["D_North_American_1983",SPHEROID["GRS_1980",6378137.0,298.257222101]],PRIMEM["Greenwich",0.0],UNIT["Degree",0.0174532925199433]]',
  ])('passes %s through untouched', async crs => {
    const geometry = point(-68.7, 44.8);
    expect(await projected(crs, geometry)).toBe(geometry);
  });

  it('keeps rings and parts and leaves its input alone', async () => {
    const polygon: Geometry = {
      type: 'Polygon',
      xy: Float64Array.of(900000, 400000, 900100, 400000, 900100, 400100, 900000, 400000),
      ends: Uint32Array.of(4),
      parts: Uint32Array.of(1),
    };
    const before = polygon.xy.slice();
    const found = await projected(MAINE_EAST, polygon);
    expect(found).toMatchObject({ type: 'Polygon', ends: polygon.ends, parts: polygon.parts });
    expect(polygon.xy).toEqual(before);
    expect(found.xy[0]).toBe(found.xy[6]);
  });

  it.each(['EPSG:999999', 'PROJCS["x"]', 'LOCAL_CS["x",LOCAL_DATUM["x",0],UNIT["Foot",0.3048]]'])(
    '%s is refused with a cure that helps',
    async crs => {
      await expect(resolveCrs(crs, 'a.shp')).rejects.toThrow(/set options\.crs to .* and options\.overrideCrs to true/);
    },
  );

  it('says which coordinate lies beyond it, and keeps the other rows', async () => {
    const crs = await resolveCrs('EPSG:26847', 'a.shp');
    const line = (...xy: number[]): Geometry => ({ ...point(0, 0), type: 'LineString', xy: Float64Array.from(xy) });
    const [good, lost, ground] = await projectRows(crs, [
      { number: 1, properties: {}, geometry: point(900000, 410000) },
      { number: 2, properties: { a: 1 }, geometry: line(900000, 410000, 1e30, 5) },
      { number: 3, properties: {}, geometry: null, unread: { reason: 'mixed', ground: point(1e30, 5) } },
    ]);
    expect(good).toMatchObject({ number: 1, geometry: { type: 'Point' } });
    expect(good).not.toHaveProperty('unread');
    const reason = expect.stringMatching(/^coordinate 1e\+30 5 lies beyond NAD83 \/ Maine East \(ftUS\): /);
    expect(lost).toEqual({ number: 2, properties: { a: 1 }, geometry: null, unread: { reason, ground: null } });
    expect(ground).toMatchObject({ geometry: null, unread: { reason: 'mixed', ground: null } });
  });

  it('has outlines of rasters whose corners lie beyond it, which their box leaves out', async () => {
    // The disk of the earth as a satellite over 75° W sees it; the first two points lie beside it.
    const outline = (...xy: number[]): Geometry => ({ ...point(0, 0), type: 'MultiPoint', xy: Float64Array.from(xy) });
    const crs = '+proj=geos +h=35785831 +lon_0=-75 +sweep=x +ellps=GRS80';
    const moved = await projected(crs, outline(-5.4e6, 5.4e6, 5.4e6, 5.4e6, 0, 0, 1e6, 1e6));
    expect([...moved.xy].map(Number.isNaN)).toEqual([true, true, true, true, false, false, false, false]);
    const box = boxOf(moved);
    expect(box.every(Number.isFinite)).toBe(true);
    expect(box[0]).toBeCloseTo(-75, 9);
  });

  it.each([
    [null, 'crs_missing'],
    ['EPSG:99999', 'crs_unknown'],
    ['nonsense', 'crs_unknown'],
    ['PROJCS["x",', 'crs_unknown'],
    ['{"type":"ProjectedCRS"}', 'crs_unknown'],
    ['EPSG:4267', 'crs_unknown'],
    ['EPSG:../../package', 'crs_unknown'],
  ])('refuses %s', async (crs, code) => {
    const place = projected(crs, point(-100, 40));
    await expect(place).rejects.toMatchObject({ name: 'ReadError', code, file: 'a.shp' });
  });
});

describe('CRS names', () => {
  it.each([
    ['urn:ogc:def:crs:EPSG::2264', 'EPSG:2264'],
    ['urn:ogc:def:crs:EPSG:6.9:2264', 'EPSG:2264'],
    ['urn:ogc:def:crs,crs:EPSG::2264,crs:EPSG::5703', 'EPSG:2264'],
    ['EPSG:2264+5703', 'EPSG:2264'],
    ['http://www.opengis.net/def/crs/OGC/1.3/CRS84', 'OGC:CRS84'],
    [' epsg:4326 ', 'EPSG:4326'],
    ['+proj=utm +zone=12', '+proj=utm +zone=12'],
  ])('%s', (crs, normal) => {
    expect(normalCrs(crs)).toBe(normal);
  });

  it('lets the file speak first unless overruled', () => {
    expect(statedCrs('A', { crs: 'B' })).toBe('A');
    expect(statedCrs('A', { crs: 'B', overrideCrs: true })).toBe('B');
    expect(statedCrs(null, { crs: 'B' })).toBe('B');
    expect(statedCrs(null, {})).toBeNull();
  });
});
