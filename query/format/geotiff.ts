import type { GeoTIFFImage } from 'geotiff';
import { type GeoKeys, toProj4 } from 'geotiff-geokeys-to-proj4';
import proj4 from 'proj4';

/** GeoTIFF 1.1: codes from here on are private or user-defined. */
const USER_DEFINED = 32767;
/** GTRasterTypeGeoKey of a raster whose cells are points. */
const PIXEL_IS_POINT = 2;

/** Affine transform from pixel to CRS as GDAL writes it: x = g0 + col·g1 + row·g2, y = g3 + col·g4 + row·g5. */
export type GeoTransform = readonly [number, number, number, number, number, number];

/**
 * The geotransform of an image. GTRasterType PixelIsPoint puts the tie point at a cell's centre: GDAL moves the
 * origin by half a cell so that cells are areas either way, and so does this.
 * @returns null when it has neither ModelPixelScale and ModelTiepoint nor ModelTransformation.
 */
export async function geoTransform(image: GeoTIFFImage): Promise<GeoTransform | null> {
  const directory = image.getFileDirectory();
  const matrix = (await directory.loadValue('ModelTransformation')) as ArrayLike<number> | undefined;
  const scale = (await directory.loadValue('ModelPixelScale')) as ArrayLike<number> | undefined;
  const tie = (await directory.loadValue('ModelTiepoint')) as ArrayLike<number> | undefined;
  let g: GeoTransform;
  if (scale && tie) {
    const [sx, sy] = [scale[0]!, scale[1]!];
    g = [tie[3]! - tie[0]! * sx, sx, 0, tie[4]! + tie[1]! * sy, 0, -sy];
  } else if (matrix) g = [matrix[3]!, matrix[0]!, matrix[1]!, matrix[7]!, matrix[4]!, matrix[5]!];
  else return null;
  if (image.getGeoKeys()?.GTRasterTypeGeoKey !== PIXEL_IS_POINT) return g;
  return [g[0] - (g[1] + g[2]) / 2, g[1], g[2], g[3] - (g[4] + g[5]) / 2, g[4], g[5]];
}

/**
 * `EPSG:n` of the projected (else geographic) CRS, or a proj string where the file spells the CRS out in parameters;
 * null when it has no geokeys or proj has no such CRS.
 */
export function crsOf(image: GeoTIFFImage): string | null {
  const keys = image.getGeoKeys() as Record<string, number> | null;
  if (!keys) return null;
  const projected = keys.ProjectedCSTypeGeoKey ?? keys.ProjectedCRSGeoKey;
  if (projected && projected < USER_DEFINED) return `EPSG:${projected}`;
  const geographic = keys.GeographicTypeGeoKey ?? keys.GeodeticCRSGeoKey;
  if (!projected && geographic && geographic < USER_DEFINED) return `EPSG:${geographic}`;
  const { proj4: text, errors } = toProj4(keys as unknown as GeoKeys);
  if (errors.CRSNotSupported || errors.conversionNotSupported) return null;
  return text?.trim() || null;
}

/** Between lng,lat (WGS84) and the CRS of the geokeys, in the CRS's own units. */
interface Projection {
  forward(lng: number, lat: number): readonly [number, number];
  inverse(x: number, y: number): readonly [number, number];
}

/** @returns null when the image has no geokeys, or proj has no such CRS. */
export function projectionOf(image: GeoTIFFImage): Projection | null {
  const keys = image.getGeoKeys();
  if (!keys) return null;
  const crs = toProj4(keys as unknown as GeoKeys);
  if (!crs.proj4) return null;
  if (crs.isGCS) return { forward: (lng, lat) => [lng, lat], inverse: (x, y) => [x, y] };
  const converter = proj4('EPSG:4326', crs.proj4);
  const { x: fx, y: fy } = crs.coordinatesConversionParameters ?? { x: 1, y: 1 };
  return {
    forward(lng, lat) {
      const [x, y] = converter.forward([lng, lat]);
      return [x! / fx, y! / fy];
    },
    inverse: (x, y) => converter.inverse([x * fx, y * fy]) as [number, number],
  };
}
